import { MAX_BODY, type Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Switch, Textarea } from '@mantine/core'
import { IconSend2, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { drafts, useDraft } from '../../platform/drafts.ts'
import { notify } from '../../platform/notify.tsx'
import { useSession, useUser, useViewer } from '../../platform/session.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { useTicketActions } from '../tickets/ticket-actions.tsx'
import { savePreference } from '../users/users.api.ts'
import classes from './composer.module.css'
import { sendMessage } from './messages.send.ts'
import { messageText } from './messages.text.ts'

interface Props {
  ticket: Ticket
  actions: ReturnType<typeof useTicketActions>
  quoted: Message | null
  onQuoteDone(): void
}

/** Where one answers. A waiting or closed ticket shows what to do first instead. */
export function Composer({ ticket, actions, quoted, onQuoteDone }: Props) {
  const t = messageText()
  if (ticket.status !== 'open')
    return (
      <div className={classes.instead}>
        <span>{t(ticket.status === 'pending' ? 'isPending' : 'isClosed')}</span>
        <Button variant="default" onClick={ticket.status === 'pending' ? actions.accept : actions.reopen}>
          {t(ticket.status === 'pending' ? 'accept' : 'reopen')}
        </Button>
      </div>
    )
  return <OpenComposer ticket={ticket} quoted={quoted} onQuoteDone={onQuoteDone} />
}

function OpenComposer({ ticket, quoted, onQuoteDone }: Omit<Props, 'actions'>) {
  const t = messageText()
  const viewer = useViewer()
  const body = useDraft(ticket.id)
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => input.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    if (quoted) input.current?.focus()
  }, [quoted])

  /** The draft is dropped before the message leaves, so that it cannot come back after it. */
  function send() {
    const text = body.trim()
    if (text === '') return
    drafts.drop(ticket.id)
    sendMessage(ticket, viewer, text, quoted)
    onQuoteDone()
    input.current?.focus()
  }

  return (
    <form
      className={classes.composer}
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      {quoted && <Quoted message={quoted} onCancel={onQuoteDone} />}
      {viewer.signMessage && !viewer.authorization.disableSignature && body && (
        <span className={classes.signature}>{viewer.name}:</span>
      )}
      <Textarea
        ref={input}
        variant="unstyled"
        autosize
        minRows={1}
        maxRows={3}
        maxLength={MAX_BODY}
        className={classes.text}
        aria-label={t('write')}
        placeholder={t('write')}
        value={body}
        onChange={event => drafts.keep(ticket.id, event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Escape' && quoted) onQuoteDone()
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
      />
      <div className={classes.tools}>
        <span className={classes.gap} />
        <Sign />
        <IconButton solid type="submit" label={t('send')} shortcut="Enter" disabled={body.trim() === ''}>
          <IconSend2 size={19} stroke={1.75} />
        </IconButton>
      </div>
    </form>
  )
}

function Quoted({ message, onCancel }: { message: Message; onCancel(): void }) {
  const t = messageText()
  return (
    <div className={classes.quoted}>
      <span>
        <strong>{t('replyingTo', { name: message.fromMe ? t('you') : message.contact.name })}</strong>
        <span className="one-line">{message.body}</span>
      </span>
      <IconButton small label={t('cancelReply')} shortcut="Esc" onClick={onCancel}>
        <IconX size={16} />
      </IconButton>
    </div>
  )
}

/** Whether the attendant's name goes before the text; groups may hide it. */
function Sign() {
  const t = messageText()
  const user = useUser()
  const { update } = useSession()
  if (useViewer().authorization.disableSignature) return null
  const toggle = (signMessage: boolean) => savePreference(user, { signMessage }).then(update, notify.failed)
  return (
    <Switch
      labelPosition="left"
      label={t('sign')}
      checked={user.signMessage}
      onChange={event => void toggle(event.currentTarget.checked)}
    />
  )
}
