import { cut } from '@balcao/contract/cut.rules.ts'
import { UNSET_QUEUE_COLOR } from '@balcao/contract/queues.ts'
import { nextTarget } from '@balcao/contract/targets.rules.ts'
import { canRead, lastWordsOf } from '@balcao/contract/tickets.rules.ts'
import type { Ticket, TicketHit } from '@balcao/contract/tickets.ts'
import { foundPlaces } from '@balcao/contract/words.rules.ts'
import { IconCircleCheckFilled, IconMicrophone, IconPaperclip, IconRobot } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { type BegunParts, useBegun } from '../../platform/begun.ts'
import { useDraft } from '../../platform/drafts.ts'
import { useToday } from '../../platform/minute.ts'
import { phoneText } from '../../platform/phone.ts'
import { useUser, useViewer } from '../../platform/session.tsx'
import { AckMark } from '../../ui/ack-mark.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Chip, Pill } from '../../ui/chip.tsx'
import { soon } from '../../ui/soon.tsx'
import { connectionChoices } from '../connections/connections.choices.ts'
import { Faces } from '../presence/faces.tsx'
import { useLastWords } from './last-words.ts'
import { Marked } from './marked.tsx'
import { usePicked } from './picked.ts'
import { TicketRowActions } from './row-actions.tsx'
import { useSpeaker } from './speaker.ts'
import { NextTarget } from './target-clock.tsx'
import classes from './ticket-list.module.css'
import { useTicketText } from './tickets.text.ts'
import { shortTime } from './times.ts'
import { WaitingSince } from './waiting.tsx'

const HitMark = soon(() => import('./hit-mark.tsx'))
const RowMarks = soon(() => import('./row-marks.tsx'))

const PREVIEW = 54
/** Characters shown before a match. */
const LEAD = 24

interface Props {
  ticket: Ticket
  chosen: boolean
  /** The list becomes the previous history entry of an opened row. */
  fromList: boolean
  /** The search text, and the match in the conversation. */
  sought: string | undefined
  hit: TicketHit | undefined
  /** Target, when not its id; such a row is not dragged by itself. */
  address?: string
}

/** One conversation in a list: contact, last message or match, queue and user. */
export const TicketRow = memo(function TicketRow({ ticket, chosen, fromList, sought, hit, address }: Props) {
  const t = useTicketText()
  useToday()
  const speaker = useSpeaker(ticket)
  const draft = useDraft(ticket.id)
  const begun = useBegun(ticket.id)
  const on = chosen ? 'bg-selected' : 'bg-surface'
  const [firstTag, ...otherTags] = ticket.tags
  const isOwnConnection = useIsOwnConnection(ticket)
  const isPicked = usePicked(ticket.id)
  const isMine = useViewer().id === ticket.user?.id
  const where = [
    foundBy(ticket, sought),
    isMine && isOwnConnection ? '' : ticket.whatsapp?.name,
    isMine ? '' : ticket.user?.name,
  ]
    .filter(Boolean)
    .join(' · ')
  const words = useLastWords(ticket)
  const unsent = draft || (begun && begunText(begun))
  const text = hit?.body || unsent || words
  return (
    <>
      <Frame ticket={ticket} chosen={chosen} fromList={fromList} found={hit?.messageId} address={address}>
        {isPicked ? (
          <IconCircleCheckFilled size={36} className={classes.picked} role="img" aria-label={t('picked')} />
        ) : (
          <Avatar name={ticket.contact.name} isGroup={ticket.isGroup} />
        )}
        <span className={classes.lines}>
          <span className={classes.line}>
            <span className={`${classes.name} one-line`}>
              <Marked text={phoneText(ticket.contact.name)} words={sought} />
            </span>
            {nextTarget(ticket.targets) ? (
              <NextTarget targets={ticket.targets} />
            ) : (
              ticket.status !== 'closed' &&
              ticket.waitingSince && <WaitingSince since={ticket.waitingSince} calm={ticket.withBot} />
            )}
            {ticket.withBot && (
              <IconRobot size={15} stroke={2} className={classes.bot} role="img" aria-label={t('withBot')} />
            )}
            {(ticket.pinned || ticket.following || ticket.snoozedUntil || ticket.status === 'pending') && (
              <RowMarks ticket={ticket} />
            )}
            <Faces of={ticket.id} />
            <time className={classes.time} dateTime={ticket.updatedAt}>
              {shortTime(ticket.updatedAt)}
            </time>
          </span>
          <span className={classes.line}>
            {hit ? (
              <HitMark isNote={hit.isNote} />
            ) : unsent ? (
              <span className={classes.draft}>
                {t('draft')}
                {begun && begun.files > 0 && (
                  <IconPaperclip
                    size={14}
                    stroke={2}
                    role="img"
                    aria-label={begunText({ ...begun, isRecorded: false })}
                  />
                )}
                {begun?.isRecorded && (
                  <IconMicrophone size={14} stroke={2} role="img" aria-label={t('begunRecording')} />
                )}
              </span>
            ) : (
              ticket.lastMessageFromMe &&
              ticket.lastMessageId && <AckMark ack={ticket.lastMessageAck} className={classes.ack} />
            )}
            <span
              className={`${classes.preview} one-line`}
              data-hint={text.length > PREVIEW ? lastWordsOf(text) : undefined}
              data-hint-side="bottom"
            >
              {!hit && !unsent && speaker && text ? `${speaker}: ` : ''}
              <Marked text={hit ? aroundHit(text, sought) : shortened(text)} words={sought} />
            </span>
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

/** What is begun without a text. */
function begunText({ files, isRecorded }: BegunParts): string {
  const t = useTicketText.read
  if (isRecorded) return t('begunRecording')
  return files > 0 ? t('begunFiles', { count: files }) : t('begunAnswer')
}

const shortened = (text: string) => (text.length > PREVIEW ? `${cut(text, PREVIEW)}…` : text)

/** The text begins shortly before the first match, so that it is visible. */
function aroundHit(text: string, sought = '') {
  const at = foundPlaces(text, sought.trim().split(/\s+/).slice(0, 1))[0]?.from ?? 0
  return at > LEAD ? `…${text.slice(text.lastIndexOf(' ', at - LEAD / 2) + 1)}` : text
}

/** The connection of the viewer, or the only one that is known. */
function useIsOwnConnection({ whatsapp }: Ticket): boolean {
  const { whatsappId } = useUser()
  const { data: known } = useQuery({ ...connectionChoices, enabled: false })
  return whatsapp?.id === (whatsappId ?? (known?.length === 1 ? known[0]!.id : undefined))
}

/** A number, a username or a protocol that matched is shown, as a row does not show it otherwise. */
function foundBy({ contact, protocol }: Ticket, sought = '') {
  const digits = sought.replace(/\D/g, '')
  if (sought.trim() === protocol) return protocol
  if (digits.length >= 3 && contact.number.includes(digits)) return phoneText(contact.number)
  const name = sought.trim().replace(/^@/, '').toLowerCase()
  return name.length >= 3 && contact.username?.includes(name) ? `@${contact.username}` : ''
}

/** A row that left, shown until the list is no longer used. */
export function GoneRow({ ticket }: { ticket: Ticket }) {
  const t = useTicketText()
  return (
    <div className={classes.row} data-gone>
      <Avatar name={ticket.contact.name} isGroup={ticket.isGroup} />
      <span className={classes.lines}>
        <span className={`${classes.name} one-line`}>{phoneText(ticket.contact.name)}</span>
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

/** A waiting ticket the user may not read is no link; the board's keys reach it nevertheless. */
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
      <div tabIndex={-1} {...shared} data-shut>
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
