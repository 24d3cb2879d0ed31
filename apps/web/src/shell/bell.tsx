import type { Ticket } from '@balcao/contract/tickets.ts'
import { Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { useLastWords } from '../features/tickets/last-words.ts'
import { useUnreadTickets } from '../features/tickets/tickets.api.ts'
import { texts } from '../platform/text.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { useGoTo } from '../ui/go-to.ts'
import { IconButton } from '../ui/icon-button.tsx'
import classes from './bell.module.css'

const useText = texts({
  notifications: ['Notificações', 'Notifications', 'Notificaciones'],
  notificationsWith: ['Notificações: {count}', 'Notifications: {count}', 'Notificaciones: {count}'],
  none: ['Nenhuma notificação.', 'No notifications.', 'Ninguna notificación.'],
  unread_one: ['{count} não lida', '{count} unread', '{count} sin leer'],
  unread: ['{count} não lidas', '{count} unread', '{count} sin leer'],
})

/** Number of tickets with unread messages. */
export function Bell() {
  const t = useText()
  const goTo = useGoTo()
  const [open, setOpen] = useState(false)
  const tickets = useUnreadTickets()
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={340} trapFocus returnFocus>
      <span className={classes.bell}>
        <Popover.Target>
          <IconButton
            frame
            label={t(tickets.length > 0 ? 'notificationsWith' : 'notifications', { count: tickets.length })}
            onClick={() => setOpen(!open)}
          >
            <IconBell size={19} stroke={1.75} />
          </IconButton>
        </Popover.Target>
        <span className={classes.count} aria-hidden>
          <Badge count={tickets.length} look="tertiary" />
        </span>
      </span>
      <Popover.Dropdown p={6} className={classes.list} aria-label={t('notifications')}>
        {tickets.length === 0 && <p className={classes.none}>{t('none')}</p>}
        {tickets.map(ticket => (
          <button
            key={ticket.id}
            type="button"
            className={classes.row}
            onClick={() => {
              setOpen(false)
              goTo(`/tickets/${ticket.id}`)
            }}
          >
            <Avatar name={ticket.contact.name} isGroup={ticket.isGroup} size={30} />
            <span className={classes.words}>
              <strong className="one-line">{ticket.contact.name}</strong>
              <LastWords ticket={ticket} />
            </span>
            <Badge
              count={ticket.unreadMessages}
              look="tertiary"
              label={t('unread', { count: ticket.unreadMessages })}
            />
          </button>
        ))}
      </Popover.Dropdown>
    </Popover>
  )
}

function LastWords({ ticket }: { ticket: Ticket }) {
  return <span className="one-line">{useLastWords(ticket)}</span>
}
