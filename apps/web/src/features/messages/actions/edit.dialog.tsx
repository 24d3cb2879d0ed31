import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { inserted } from '../../../ui/insertion.ts'
import { ColleagueCompletion } from '../composer/colleague-completion.tsx'
import { mentionedIn } from '../composer/composer.api.ts'
import { failedNote, notedIn } from '../composer/composer.note.api.ts'
import { MemberCompletion } from '../composer/member-completion.tsx'
import { useMessageText } from '../messages.text.ts'
import { editNote } from './notes.ts'
import { editMessage } from './operations.ts'

interface Props {
  message: Message
  ticket: Ticket
  onClose(): void
}

/** Changes the text of a sent message; in a group `@` mentions members, as in the composer. */
export default function EditMessageDialog({ message, ticket, onClose }: Props) {
  const t = useMessageText()
  const [body, setBody] = useState(message.body)
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(body.length)
  const pick = (name: string, length: number) => {
    const next = inserted(input.current, body, name, length)
    setBody(next.text)
    setCaret(next.caret)
  }
  const text = body.trim()
  const save = async () => {
    setBusy(true)
    const mentions = (ticket.isGroup && mentionedIn(ticket.id, text)) || []
    const saved = message.isPrivate
      ? editNote(message, text, notedIn(text))
      : editMessage(message, text, mentions)
    await saved.then(onClose, failedNote)
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
        {message.isPrivate && <ColleagueCompletion input={input} body={body} caret={caret} onPick={pick} />}
        {ticket.isGroup && !message.isPrivate && (
          <MemberCompletion ticketId={ticket.id} input={input} body={body} caret={caret} onPick={pick} />
        )}
        <Textarea
          ref={input}
          data-autofocus
          autosize
          minRows={2}
          maxRows={10}
          maxLength={MAX_BODY}
          aria-label={t('editMessage')}
          value={body}
          onSelect={event => setCaret(event.currentTarget.selectionStart)}
          onChange={event => {
            setCaret(event.currentTarget.selectionStart)
            setBody(event.currentTarget.value)
          }}
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
