import type { Message } from '@balcao/contract/messages.ts'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../../platform/notify.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { briefly } from '../../media/words.ts'
import { useMessageText } from '../messages.text.ts'
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
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    await removeMessage(message, channel).then(onClose, notify.failed)
    setBusy(false)
  }
  return (
    <Confirm
      title={t('deleteThis')}
      confirm={t(message.isPrivate ? 'deleteNote' : 'deleteForAll')}
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <Text fs="italic" lineClamp={3}>
        {briefly(message)}
      </Text>
      <Text mt={8}>{t(message.isPrivate ? 'deleteNoteHint' : 'deleteHint')}</Text>
    </Confirm>
  )
}
