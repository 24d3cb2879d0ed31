import type { NoteMention } from '@balcao/contract/mentions.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconAt, IconEye } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { readMentions } from '../features/mentions/mentions.api.ts'
import { useMentionNoticeText } from '../features/mentions/mentions.notice.text.ts'
import { useLastWords } from '../features/tickets/last-words.ts'
import { NextTarget } from '../features/tickets/target-clock.tsx'
import { notify } from '../platform/notify.tsx'
import { texts } from '../platform/text.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { useGoTo } from '../ui/go-to.ts'
import classes from './bell-list.module.css'

const useText = texts({
  late: ['Fora do prazo', 'Late', 'Fuera de plazo'],
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

interface Props {
  late: Ticket[]
  /** How many are unread, and the first of them. */
  mentions: { first: NoteMention[]; count: number }
  /** Tickets with unread messages. */
  unread: Ticket[]
  /** Tickets that the viewer follows and in which something is new. */
  followed: Ticket[]
  onLeave(): void
}

/** What is late, then mentions, then what is unread, then what is followed; a ticket once. */
export function BellList({ late, mentions, unread, followed, onLeave }: Props) {
  const t = useText()
  const m = useMentionNoticeText()
  const lateFirst = late.filter((_, at) => at < MOST_LATE)
  const isLate = new Set(lateFirst.map(({ id }) => id))
  const others = unread.filter(({ id }) => !isLate.has(id))
  const news = followed.filter(({ id }) => !isLate.has(id))
  const goTo = useGoTo()
  const isEmpty = late.length + mentions.count + others.length + news.length === 0
  return (
    <>
      {isEmpty && <p className={classes.none}>{t('none')}</p>}
      {late.length > 0 && <p className={classes.head}>{t('late')}</p>}
      {lateFirst.map(ticket => (
        <TicketRow key={ticket.id} ticket={ticket} onLeave={onLeave}>
          <NextTarget targets={ticket.targets} />
        </TicketRow>
      ))}
      {mentions.first.map(mention => (
        <MentionRow key={mention.id} mention={mention} onLeave={onLeave} />
      ))}
      {mentions.count > mentions.first.length && (
        <button
          type="button"
          className={classes.row}
          onClick={() => {
            onLeave()
            goTo('/mentions')
          }}
        >
          {m('all')}
        </button>
      )}
      {others.map(ticket => (
        <TicketRow key={ticket.id} ticket={ticket} onLeave={onLeave}>
          <Badge
            count={ticket.unreadMessages}
            look="tertiary"
            label={t('unread', { count: ticket.unreadMessages })}
          />
        </TicketRow>
      ))}
      {news.map(ticket => (
        <TicketRow key={ticket.id} ticket={ticket} onLeave={onLeave}>
          <IconEye size={18} stroke={1.75} role="img" aria-label={t('followed')} />
        </TicketRow>
      ))}
    </>
  )
}

function TicketRow({ ticket, onLeave, children }: { ticket: Ticket; onLeave(): void; children: ReactNode }) {
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

function MentionRow({ mention, onLeave }: { mention: NoteMention; onLeave(): void }) {
  const t = useMentionNoticeText()
  const goTo = useGoTo()
  const { id, ticketId, messageId, from, contact, body } = mention
  const name = from?.name ?? t('team')
  const open = () => {
    onLeave()
    goTo(`/tickets/${ticketId}`, { state: { found: messageId } })
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
