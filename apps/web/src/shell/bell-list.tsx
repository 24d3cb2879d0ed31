import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconEye } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useLastWords } from '../features/tickets/last-words.ts'
import { useLateTickets } from '../features/tickets/late.ts'
import { NextTarget } from '../features/tickets/target-clock.tsx'
import { texts } from '../platform/text.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { useGoTo } from '../ui/go-to.ts'
import classes from './bell-list.module.css'

const useText = texts({
  late: ['Fora do prazo', 'Late', 'Fuera de plazo'],
  lateCount_one: ['{count} fora do prazo', '{count} late', '{count} fuera de plazo'],
  lateCount: ['{count} fora do prazo', '{count} late', '{count} fuera de plazo'],
  none: ['Nenhuma notificação.', 'No notifications.', 'Ninguna notificación.'],
  unread_one: ['{count} não lida', '{count} unread', '{count} sin leer'],
  unread: ['{count} não lidas', '{count} unread', '{count} sin leer'],
  followed: [
    'Novidade em um atendimento que você segue',
    'News in a ticket that you follow',
    'Novedad en una atención que usted sigue',
  ],
})

/** More are in the list of what is late. */
const MOST_LATE = 20

interface Shown {
  /** Tickets with unread messages, and those that the viewer follows and in which something is new. */
  unread: Ticket[]
  followed: Ticket[]
}

interface Props {
  /** Without it only how many are late is shown. */
  shown?: Shown
  onLeave?: () => void
}

/** In the bell: how many tickets are late; in its list what is late, then what is unread, then what is followed. */
export default function BellPart({ shown, onLeave = () => {} }: Props) {
  const late = useLateTickets()
  if (shown) return <List {...shown} late={late.filter((_, at) => at < MOST_LATE)} onLeave={onLeave} />
  return <LateMark count={late.length} />
}

function LateMark({ count }: { count: number }) {
  const t = useText()
  return (
    <span className={classes.late}>
      <Badge count={count} look="late" label={t('lateCount', { count })} />
    </span>
  )
}

function List({ late, unread, followed, onLeave }: Shown & { late: Ticket[]; onLeave(): void }) {
  const t = useText()
  const isLate = new Set(late.map(({ id }) => id))
  const others = unread.filter(({ id }) => !isLate.has(id))
  const news = followed.filter(({ id }) => !isLate.has(id))
  return (
    <>
      {late.length + others.length + news.length === 0 && <p className={classes.none}>{t('none')}</p>}
      {late.length > 0 && <p className={classes.head}>{t('late')}</p>}
      {late.map(ticket => (
        <Row key={ticket.id} ticket={ticket} onLeave={onLeave}>
          <NextTarget targets={ticket.targets} />
        </Row>
      ))}
      {others.map(ticket => (
        <Row key={ticket.id} ticket={ticket} onLeave={onLeave}>
          <Badge
            count={ticket.unreadMessages}
            look="tertiary"
            label={t('unread', { count: ticket.unreadMessages })}
          />
        </Row>
      ))}
      {news.map(ticket => (
        <Row key={ticket.id} ticket={ticket} onLeave={onLeave}>
          <IconEye size={18} stroke={1.75} role="img" aria-label={t('followed')} />
        </Row>
      ))}
    </>
  )
}

function Row({ ticket, onLeave, children }: { ticket: Ticket; onLeave(): void; children: ReactNode }) {
  const goTo = useGoTo()
  const words = useLastWords(ticket)
  return (
    <button
      type="button"
      className={classes.row}
      onClick={() => {
        onLeave()
        goTo(`/tickets/${ticket.id}`)
      }}
    >
      <Avatar name={ticket.contact.name} isGroup={ticket.isGroup} size={30} />
      <span className={classes.words}>
        <strong className="one-line">{ticket.contact.name}</strong>
        <span className="one-line">{words}</span>
      </span>
      {children}
    </button>
  )
}
