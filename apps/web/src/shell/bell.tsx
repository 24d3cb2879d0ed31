import { Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { useUnreadTickets } from '../features/tickets/tickets.api.ts'
import { texts } from '../platform/text.ts'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { soon } from '../ui/soon.tsx'
import classes from './bell.module.css'

const BellPart = soon(() => import('./bell-list.tsx'))

const useText = texts({
  notifications: ['Notificações', 'Notifications', 'Notificaciones'],
  notificationsWith: ['Notificações: {count}', 'Notifications: {count}', 'Notificaciones: {count}'],
})

/** Number of tickets with unread messages, and of those that are late. */
export function Bell() {
  const t = useText()
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
        <BellPart />
      </span>
      <Popover.Dropdown p={6} className={classes.list} aria-label={t('notifications')}>
        <BellPart unread={tickets} onLeave={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
