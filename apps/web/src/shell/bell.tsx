import { Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { unreadMentions } from '../features/mentions/mentions.api.ts'
import { useLateTickets } from '../features/tickets/late.ts'
import { followedNews } from '../features/tickets/news.ts'
import { useUnreadTickets } from '../features/tickets/tickets.api.ts'
import { useStore } from '../platform/store.ts'
import { texts } from '../platform/text.ts'
import { visiting } from '../platform/visit.ts'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import classes from './bell.module.css'
import { BellList } from './bell-list.tsx'

const useText = texts({
  notifications: ['Notificações', 'Notifications', 'Notificaciones'],
  notificationsWith: ['Notificações: {count}', 'Notifications: {count}', 'Notificaciones: {count}'],
  late_one: ['{count} fora do prazo', '{count} late', '{count} fuera de plazo'],
  late: ['{count} fora do prazo', '{count} late', '{count} fuera de plazo'],
})

/**
 * Counts tickets with unread messages, followed ones in which something is new, and mentions that are not read; below it, the
 * tickets that are late.
 */
export default function Bell() {
  const t = useText()
  const [open, setOpen] = useState(false)
  const unread = useUnreadTickets()
  const late = useLateTickets()
  const followed = useStore(followedNews).filter(({ id }) => unread.every(ticket => ticket.id !== id))
  // no colleague mentions a visitor
  const mentioned = useQuery({ ...unreadMentions, enabled: !visiting.now() }).data
  const mentions = { first: mentioned?.mentions ?? [], count: mentioned?.unread ?? 0 }
  const count = unread.length + followed.length + mentions.count
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
        <span className={classes.late}>
          <Badge count={late.length} look="late" label={t('late', { count: late.length })} />
        </span>
      </span>
      <Popover.Dropdown p={6} className={classes.list} aria-label={t('notifications')}>
        <BellList
          late={late}
          mentions={mentions}
          unread={unread}
          followed={followed}
          onLeave={() => setOpen(false)}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
