import type { NoteMention } from '@balcao/contract/mentions.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Popover } from '@mantine/core'
import { IconAt, IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readMentions, unreadMentions } from '../features/mentions/mentions.api.ts'
import { useMentionNoticeText } from '../features/mentions/mentions.notice.text.ts'
import { useLastWords } from '../features/tickets/last-words.ts'
import { useUnreadTickets } from '../features/tickets/tickets.api.ts'
import { notify } from '../platform/notify.tsx'
import { texts } from '../platform/text.ts'
import { visiting } from '../platform/visit.ts'
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

/** Tickets with unread messages, and mentions that are not read: how many, and which. */
export default function Bell() {
  const t = useText()
  const m = useMentionNoticeText()
  const goTo = useGoTo()
  const [open, setOpen] = useState(false)
  const tickets = useUnreadTickets()
  // no colleague mentions a visitor
  const { mentions = [], unread = 0 } = useQuery({ ...unreadMentions, enabled: !visiting.now() }).data ?? {}
  const count = tickets.length + unread
  const leave = (path: string, options?: { state: object }) => {
    setOpen(false)
    goTo(path, options)
  }
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
      </span>
      <Popover.Dropdown p={6} className={classes.list} aria-label={t('notifications')}>
        {count === 0 && <p className={classes.none}>{t('none')}</p>}
        {mentions.map(mention => (
          <MentionRow key={mention.id} mention={mention} onOpen={leave} />
        ))}
        {unread > mentions.length && (
          <button type="button" className={classes.row} onClick={() => leave('/mentions')}>
            {m('all')}
          </button>
        )}
        {tickets.map(ticket => (
          <button
            key={ticket.id}
            type="button"
            className={classes.row}
            onClick={() => leave(`/tickets/${ticket.id}`)}
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

interface MentionProps {
  mention: NoteMention
  onOpen(path: string, options: { state: object }): void
}

function MentionRow({ mention: { id, ticketId, messageId, from, contact, body }, onOpen }: MentionProps) {
  const t = useMentionNoticeText()
  const name = from?.name ?? t('team')
  const open = () => {
    onOpen(`/tickets/${ticketId}`, { state: { found: messageId } })
    void readMentions([id]).catch(notify.failed)
  }
  return (
    <button type="button" className={classes.row} onClick={open}>
      <Avatar name={name} size={30} />
      <span className={classes.words}>
        <strong className={classes.mention}>
          <IconAt size={14} stroke={2} aria-hidden />
          <span className="one-line">{t('mentioned', { name, contact: contact.name })}</span>
        </strong>
        <span className="one-line">{body}</span>
      </span>
    </button>
  )
}

function LastWords({ ticket }: { ticket: Ticket }) {
  return <span className="one-line">{useLastWords(ticket)}</span>
}
