import { repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import { drafts, useWritesNotes } from '../../../platform/drafts.ts'
import { useMinute } from '../../../platform/minute.ts'
import { keysText, useShortcuts } from '../../../platform/shortcuts.ts'
import { visiting } from '../../../platform/visit.ts'
import { soon } from '../../../ui/soon.tsx'
import type { useTicketActions } from '../../tickets/ticket-actions.tsx'
import { useMessageText } from '../messages.text.ts'
import classes from './composer.module.css'
import { useComposeText } from './composer.text.ts'
import { awaitsField } from './early-keys.ts'
import { OpenComposer } from './open-composer.tsx'
import { ToNote } from './to-note.tsx'
import { WaitingDraft } from './waiting-draft.tsx'

const NoteComposer = soon(() => import('./note-composer.tsx'), { instead: <FieldToCome /> })
const TemplateDialog = soon(() => import('./template.dialog.tsx'))

interface Props {
  ticket: Ticket
  actions: ReturnType<typeof useTicketActions>
  onEditLast(): void
}

/** The composer has two faces, answer and note: each ticket keeps which one it shows, and each face its own text. */
export function Composer(props: Props) {
  const t = useMessageText()
  const { id } = props.ticket
  const writesNotes = useWritesNotes(id)
  useShortcuts({ 'ctrl+alt+n': () => visiting.now() || drafts.turn(id, !writesNotes) })
  if (visiting.now()) return <div className={classes.instead}>{t('isVisited')}</div>
  return writesNotes ? <NoteComposer ticket={props.ticket} /> : <Answer {...props} />
}

function FieldToCome() {
  useEffect(awaitsField, [])
  return <div className={classes.composer} />
}

/** A ticket that cannot be answered shows the next step instead. */
function Answer({ ticket, actions, onEditLast }: Props) {
  const t = useMessageText()
  const now = useMinute()
  if (ticket.status !== 'open')
    return (
      <div className={classes.instead}>
        <WaitingDraft ticketId={ticket.id} />
        <span>{t(ticket.status === 'pending' ? 'isPending' : 'isClosed')}</span>
        <Group gap={8}>
          <ToNote ticketId={ticket.id} />
          {ticket.status === 'closed' && (
            <Button variant="default" onClick={actions.schedule} title={keysText('Alt+5')}>
              {t('schedule')}
            </Button>
          )}
          {ticket.status === 'closed' && !ticket.isGroup && (
            <Button variant="default" onClick={actions.again}>
              {t('newTicket')}
            </Button>
          )}
          <Button variant="default" onClick={ticket.status === 'pending' ? actions.accept : actions.reopen}>
            {t(ticket.status === 'pending' ? 'accept' : 'reopen')}
          </Button>
        </Group>
      </div>
    )
  if (repliesAreOver(ticket.repliesUntil, now)) return <WindowClosed ticket={ticket} />
  return <OpenComposer ticket={ticket} onEditLast={onEditLast} />
}

/**
 * The official API accepts only approved templates once a day has passed since the customer's last message.
 */
function WindowClosed({ ticket }: { ticket: Ticket }) {
  const t = useComposeText()
  const [choosing, setChoosing] = useState(false)
  return (
    <div className={classes.instead}>
      <WaitingDraft ticketId={ticket.id} />
      <span>{t('windowClosed')}</span>
      <Group gap={8}>
        <ToNote ticketId={ticket.id} />
        <Button onClick={() => setChoosing(true)}>{t('sendTemplate')}</Button>
      </Group>
      {choosing && <TemplateDialog ticket={ticket} onClose={() => setChoosing(false)} />}
    </div>
  )
}
