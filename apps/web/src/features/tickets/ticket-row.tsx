import { UNSET_QUEUE_COLOR } from '@balcao/contract/queues.ts'
import { canRead, lastWordsOf } from '@balcao/contract/tickets.rules.ts'
import type { Ticket, TicketHit } from '@balcao/contract/tickets.ts'
import { Tooltip } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useDraft } from '../../platform/drafts.ts'
import { useViewer } from '../../platform/session.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Chip, Pill } from '../../ui/chip.tsx'
import { AckMark } from '../messages/thread/delivery.tsx'
import { useLastWords } from './last-words.ts'
import { Marked } from './marked.tsx'
import { TicketRowActions } from './row-actions.tsx'
import { useSpeaker } from './speaker.ts'
import classes from './ticket-list.module.css'
import { useTicketText } from './tickets.text.ts'
import { shortTime } from './times.ts'
import { WaitingSince } from './waiting.tsx'

const PREVIEW = 54
/** How many characters stand before a find. */
const LEAD = 24

interface Props {
  ticket: Ticket
  chosen: boolean
  /** The lists stand right behind a row that is opened. */
  fromList: boolean
  /** What was looked for, and what was found of it in the conversation. */
  sought: string | undefined
  hit: TicketHit | undefined
  /** Where it leads, when not to its id; such a row is not dragged by itself. */
  address?: string
}

/** One conversation in a list: who, what was said last or found in it, where it belongs. */
export const TicketRow = memo(function TicketRow({ ticket, chosen, fromList, sought, hit, address }: Props) {
  const t = useTicketText()
  const speaker = useSpeaker(ticket)
  const draft = useDraft(ticket.id)
  const on = chosen ? 'bg-selected' : 'bg-surface'
  const [firstTag, ...otherTags] = ticket.tags
  const where = [foundBy(ticket, sought), ticket.whatsapp?.name, ticket.user?.name]
    .filter(Boolean)
    .join(' · ')
  const words = useLastWords(ticket)
  const said = hit?.body || draft || words
  return (
    <>
      <Frame ticket={ticket} chosen={chosen} fromList={fromList} found={hit?.messageId} address={address}>
        <Avatar name={ticket.contact.name} isGroup={ticket.isGroup} />
        <span className={classes.lines}>
          <span className={classes.line}>
            <span className={`${classes.name} one-line`}>
              <Marked text={ticket.contact.name} words={sought} />
            </span>
            {ticket.status !== 'closed' && ticket.waitingSince && (
              <WaitingSince since={ticket.waitingSince} />
            )}
            <time className={classes.time} dateTime={ticket.updatedAt}>
              {shortTime(ticket.updatedAt)}
            </time>
          </span>
          <span className={classes.line}>
            {hit ? (
              <IconSearch size={14} stroke={2} className={classes.ack} aria-label={t('found')} />
            ) : draft ? (
              <span className={classes.draft}>{t('draft')}</span>
            ) : (
              ticket.lastMessageFromMe &&
              ticket.lastMessageId && <AckMark ack={ticket.lastMessageAck} className={classes.ack} />
            )}
            <Tooltip label={lastWordsOf(said)} disabled={said.length <= PREVIEW} position="bottom-start">
              <span className={`${classes.preview} one-line`}>
                {!hit && !draft && speaker && said ? `${speaker}: ` : ''}
                <Marked text={hit ? aroundHit(said, sought) : cut(said)} words={sought} />
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
              <Marked text={where} words={sought} />
            </span>
            {firstTag && <Pill label={firstTag.name} color={firstTag.color} on={on} />}
            {otherTags.length > 0 && (
              <span className={classes.more} title={otherTags.map(({ name }) => name).join(', ')}>
                +{otherTags.length}
              </span>
            )}
          </span>
        </span>
      </Frame>
      <span className={classes.act}>
        <TicketRowActions ticket={ticket} />
      </span>
    </>
  )
})

const cut = (said: string) => (said.length > PREVIEW ? `${said.slice(0, PREVIEW)}…` : said)

/** The line begins shortly before the first word that was looked for, so that it is in sight. */
function aroundHit(said: string, sought = '') {
  const word = sought.trim().split(/\s+/)[0]?.toLowerCase() ?? ''
  const at = said.toLowerCase().indexOf(word)
  return at > LEAD ? `…${said.slice(said.lastIndexOf(' ', at - LEAD / 2) + 1)}` : said
}

/** A number or a protocol that was looked for is shown, for a row does not show it otherwise. */
function foundBy({ contact, protocol }: Ticket, sought = '') {
  const digits = sought.replace(/\D/g, '')
  if (sought.trim() === protocol) return protocol
  return digits.length >= 3 && contact.number.includes(digits) ? contact.number : ''
}

/** What stood here until a moment ago, while the hand is on the list. */
export function GoneRow({ ticket }: { ticket: Ticket }) {
  const t = useTicketText()
  return (
    <div className={classes.row} data-gone>
      <Avatar name={ticket.contact.name} isGroup={ticket.isGroup} />
      <span className={classes.lines}>
        <span className={`${classes.name} one-line`}>{ticket.contact.name}</span>
        <span className={classes.where}>{t('gone')}</span>
      </span>
    </div>
  )
}

interface FrameProps {
  ticket: Ticket
  chosen: boolean
  fromList: boolean
  found: string | undefined
  address: string | undefined
  children: ReactNode
}

/** A waiting ticket that may not be looked into is no link; the keys of the board go to it nevertheless. */
function Frame({ ticket, chosen, fromList, found, address, children }: FrameProps) {
  const viewer = useViewer()
  const shared = {
    className: classes.row,
    'data-chosen': chosen || undefined,
    'data-unread': ticket.unreadMessages > 0 || undefined,
    'data-ticket': ticket.id,
  }
  if (!canRead(viewer, ticket))
    return (
      <div tabIndex={-1} {...shared}>
        {children}
      </div>
    )
  return (
    <Link
      to={address ?? `/tickets/${ticket.id}`}
      draggable={address === undefined}
      state={{ fromList, found }}
      aria-current={chosen ? 'true' : undefined}
      {...shared}
    >
      {children}
    </Link>
  )
}
