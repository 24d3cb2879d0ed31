import type { Ticket } from '@balcao/contract/tickets.ts'
import { useId } from 'react'
import { useUser } from '../../../platform/session.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { useActiveLists } from '../../tickets/tickets.api.ts'
import { useForwardText } from './actions.text.ts'
import classes from './forward.module.css'

/** More are found by the search above. */
const MOST = 6

/** The viewer's own open tickets, to choose from without a search; without the shown one. */
export function OpenTickets(props: { without: number; onPick(ticket: Ticket): void }) {
  const t = useForwardText()
  const id = useId()
  const me = useUser().id
  const all = useActiveLists().open.list?.tickets ?? []
  const open = all.filter(ticket => ticket.userId === me && ticket.id !== props.without).slice(0, MOST)
  if (open.length === 0) return null
  return (
    <section aria-labelledby={id} className={classes.open}>
      <h3 id={id}>{t('yours')}</h3>
      {open.map(ticket => (
        <button key={ticket.id} type="button" onClick={() => props.onPick(ticket)}>
          <Avatar name={ticket.contact.name} isGroup={ticket.isGroup} size={28} />
          <span className="one-line">{ticket.contact.name}</span>
          <span className={classes.protocol}>{ticket.protocol}</span>
        </button>
      ))}
    </section>
  )
}
