import { UNSET_QUEUE_COLOR } from '@balcao/contract/queues.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Tooltip } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useDraft } from '../../platform/drafts.ts'
import { useViewer } from '../../platform/session.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Chip, Pill } from '../../ui/chip.tsx'
import { AckMark } from '../messages/ack-mark.tsx'
import { RowActions } from './row-actions.tsx'
import classes from './ticket-list.module.css'
import { ticketText } from './tickets.text.ts'
import { shortTime } from './times.ts'
import { Waiting } from './waiting.tsx'

const PREVIEW = 54
const TOOLTIP = 300

const KINDS = [
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'vcard',
  'call_log',
  'deleted',
] as const

/** What stands for a message without words; nothing for a text. */
const kindSaid = (t: ReturnType<typeof ticketText>, type: string | null) =>
  type === null ? '' : t(KINDS.find(kind => kind === type) ?? 'media')

/** One conversation in a list: who, what was said last, where it belongs. */
export const TicketRow = memo(function TicketRow({ ticket, chosen }: { ticket: Ticket; chosen: boolean }) {
  const t = ticketText()
  const draft = useDraft(ticket.id)
  const on = chosen ? 'bg-selected' : 'bg-surface'
  const [firstTag, ...otherTags] = ticket.tags
  const where = [ticket.whatsapp?.name, ticket.user?.name].filter(Boolean).join(' · ')
  const said = draft || ticket.lastMessage || kindSaid(t, ticket.lastMessageType)
  return (
    <>
      <Frame ticket={ticket} chosen={chosen}>
        <Avatar name={ticket.contact.name} isGroup={ticket.isGroup} />
        <span className={classes.lines}>
          <span className={classes.line}>
            <span className={`${classes.name} one-line`}>{ticket.contact.name}</span>
            {ticket.status !== 'closed' && ticket.waitingSince && <Waiting since={ticket.waitingSince} />}
            <time className={classes.time} dateTime={ticket.updatedAt}>
              {shortTime(ticket.updatedAt)}
            </time>
          </span>
          <span className={classes.line}>
            {draft ? (
              <span className={classes.draft}>{t('draft')}</span>
            ) : (
              ticket.lastMessageFromMe &&
              ticket.lastMessageId && <AckMark ack={ticket.lastMessageAck} className={classes.ack} />
            )}
            <Tooltip label={said.slice(0, TOOLTIP)} disabled={said.length <= PREVIEW} position="bottom-start">
              <span className={`${classes.preview} one-line`}>
                {!draft && ticket.lastMessageFromMe && said ? `${t('you')}: ` : ''}
                {said.length > PREVIEW ? `${said.slice(0, PREVIEW)}…` : said}
              </span>
            </Tooltip>
            <Badge
              count={ticket.unreadMessages}
              look="tertiary"
              label={t('unread', { count: ticket.unreadMessages })}
            />
          </span>
          <span className={classes.line}>
            <Chip
              label={ticket.queue?.name ?? t('noQueue')}
              color={ticket.queue?.color ?? UNSET_QUEUE_COLOR}
              on={on}
            />
            <span className={`${classes.where} one-line`} title={where}>
              {where}
            </span>
            {firstTag && <Pill label={firstTag.name} color={firstTag.color} on={on} />}
            {otherTags.length > 0 && <span className={classes.more}>+{otherTags.length}</span>}
          </span>
        </span>
      </Frame>
      <span className={classes.act}>
        <RowActions ticket={ticket} />
      </span>
    </>
  )
})

/** A waiting ticket that may not be looked into is no link. */
function Frame({ ticket, chosen, children }: { ticket: Ticket; chosen: boolean; children: ReactNode }) {
  const viewer = useViewer()
  const shared = {
    className: classes.row,
    'data-chosen': chosen || undefined,
    'data-unread': ticket.unreadMessages > 0 || undefined,
    'data-ticket': ticket.id,
  }
  if (!canRead(viewer, ticket)) return <div {...shared}>{children}</div>
  return (
    <Link to={`/tickets/${ticket.id}`} aria-current={chosen ? 'true' : undefined} {...shared}>
      {children}
    </Link>
  )
}
