import { Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { followedNews } from '../features/tickets/news.ts'
import { useUnreadTickets } from '../features/tickets/tickets.api.ts'
import { useStore } from '../platform/store.ts'
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

/** Number of tickets with unread messages, and of followed ones in which something is new; of those that are late below it. */
export function Bell() {
  const t = useText()
  const [open, setOpen] = useState(false)
  const unread = useUnreadTickets()
  const followed = useStore(followedNews).filter(({ id }) => unread.every(ticket => ticket.id !== id))
  const count = unread.length + followed.length
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={340} trapFocus returnFocus>
      <span className={classes.bell}>
        <Popover.Target>
          <IconButton
            frame
            label={t(count > 0 ? 'notificationsWith' : 'notifications', { count })}
            onClick={() => setOpen(!open)}
          >
            <IconBell size={19} stroke={1.75} />
          </IconButton>
        </Popover.Target>
        <span className={classes.count} aria-hidden>
          <Badge count={count} look="tertiary" />
        </span>
        <BellPart />
      </span>
      <Popover.Dropdown p={6} className={classes.list} aria-label={t('notifications')}>
        <BellPart shown={{ unread, followed }} onLeave={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
