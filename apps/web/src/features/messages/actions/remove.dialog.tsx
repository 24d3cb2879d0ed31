import type { Message } from '@balcao/contract/messages.ts'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../../platform/notify.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { briefly } from '../../media/words.ts'
import { useMessageText } from '../messages.text.ts'
import { useNoteText } from './actions.notes.text.ts'
import { removeNote } from './notes.ts'
import { removeMessage } from './operations.ts'

/** Confirms that a message is deleted for everyone. */
export default function RemoveMessageDialog({
  message,
  channel,
  onClose,
}: {
  message: Message
  channel: string
  onClose(): void
}) {
  const t = useMessageText()
  const n = useNoteText()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    const removed = message.isPrivate ? removeNote(message) : removeMessage(message, channel)
    await removed.then(onClose, notify.failed)
    setBusy(false)
  }
  return (
    <Confirm
      title={t('deleteThis')}
      confirm={message.isPrivate ? n('deleteNote') : t('deleteForAll')}
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <Text fs="italic" lineClamp={3}>
        {briefly(message)}
      </Text>
      <Text mt={8}>{message.isPrivate ? n('deleteNoteHint') : t('deleteHint')}</Text>
    </Confirm>
  )
}
