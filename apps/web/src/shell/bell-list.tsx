import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconEye } from '@tabler/icons-react'
import { useLastWords } from '../features/tickets/last-words.ts'
import { texts } from '../platform/text.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { useGoTo } from '../ui/go-to.ts'
import classes from './bell.module.css'

const useText = texts({
  none: ['Nenhuma notificação.', 'No notifications.', 'Ninguna notificación.'],
  unread_one: ['{count} não lida', '{count} unread', '{count} sin leer'],
  unread: ['{count} não lidas', '{count} unread', '{count} sin leer'],
  followed: [
    'Novidade em um atendimento que você segue',
    'News in a ticket that you follow',
    'Novedad en una atención que usted sigue',
  ],
})

interface Props {
  /** Tickets with unread messages, and those that the viewer follows and in which something is new. */
  unread: Ticket[]
  followed: Ticket[]
  onClose(): void
}

/** What the bell announces, a row each. */
export default function BellList({ unread, followed, onClose }: Props) {
  const t = useText()
  const goTo = useGoTo()
  const row = (ticket: Ticket, isFollowed: boolean) => (
    <button
      key={ticket.id}
      type="button"
      className={classes.row}
      onClick={() => {
        onClose()
        goTo(`/tickets/${ticket.id}`)
      }}
    >
      <Avatar name={ticket.contact.name} isGroup={ticket.isGroup} size={30} />
      <span className={classes.words}>
        <strong className="one-line">{ticket.contact.name}</strong>
        <LastWords ticket={ticket} />
      </span>
      {isFollowed ? (
        <IconEye size={18} stroke={1.75} role="img" aria-label={t('followed')} />
      ) : (
        <Badge
          count={ticket.unreadMessages}
          look="tertiary"
          label={t('unread', { count: ticket.unreadMessages })}
        />
      )}
    </button>
  )
  return (
    <>
      {unread.length + followed.length === 0 && <p className={classes.none}>{t('none')}</p>}
      {unread.map(ticket => row(ticket, false))}
      {followed.map(ticket => row(ticket, true))}
    </>
  )
}

function LastWords({ ticket }: { ticket: Ticket }) {
  return <span className="one-line">{useLastWords(ticket)}</span>
}
