import { MAX_BODY, type Message } from '@balcao/contract/messages.ts'
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useMessageText } from '../messages.text.ts'
import { editMessage } from './operations.ts'

/** Changes the text of a sent message. */
export default function EditMessageDialog({ message, onClose }: { message: Message; onClose(): void }) {
  const t = useMessageText()
  const [body, setBody] = useState(message.body)
  const [busy, setBusy] = useState(false)
  const text = body.trim()
  const save = async () => {
    setBusy(true)
    await editMessage(message, text).then(onClose, notify.failed)
    setBusy(false)
  }
  return (
    <Dialog title={t('editMessage')} onClose={onClose} size={620} isUnsaved={body !== message.body}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <Textarea
          data-autofocus
          autosize
          minRows={2}
          maxRows={10}
          maxLength={MAX_BODY}
          aria-label={t('editMessage')}
          value={body}
          onChange={event => setBody(event.currentTarget.value)}
        />
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy} disabled={text === '' || text === message.body}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
