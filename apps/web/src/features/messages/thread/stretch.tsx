import type { Message } from '@balcao/contract/messages.ts'
import type { TicketEvent } from '@balcao/contract/tickets.ts'
import { memo, useEffect, useRef, useState } from 'react'
import { language } from '../../../platform/text.ts'
import { clock } from '../../../platform/time.ts'
import { MissedCall } from '../media/content.tsx'
import { useMessageText } from '../messages.text.ts'
import { Bubble, type BubbleTools } from './bubble.tsx'
import type { Story } from './story.ts'
import classes from './thread.module.css'
import { useThreadText } from './thread.text.ts'
import type { Target } from './thread.tsx'
import { TicketEventRow } from './ticket-event-row.tsx'
import type { Unread } from './unread.ts'

const TOGETHER_MS = 2 * 60_000
/** How far beyond the edge messages are drawn already. */
const AHEAD = '1500px 0px'
/** About one message in so many begins a stretch. */
const STRETCH = 32

interface Stretch {
  before: Message | undefined
  messages: Message[]
  /** What happened before each of them. */
  events: (TicketEvent[] | undefined)[]
}

/**
 * Cuts a conversation into stretches. Where one begins is told by the message itself, so that pages before and
 * messages behind leave all others as they are.
 */
export function stretchesOf(messages: Message[], story: Story): Stretch[] {
  const stretches: Stretch[] = []
  for (const [at, message] of messages.entries()) {
    const happened = story.get(message.id)
    if (at === 0 || begins(message))
      stretches.push({ before: messages[at - 1], messages: [message], events: [happened] })
    else {
      stretches.at(-1)!.messages.push(message)
      stretches.at(-1)!.events.push(happened)
    }
  }
  return stretches
}

const begins = ({ id }: Message) => Number.parseInt(id.slice(-3), 16) % STRETCH === 0

interface Props extends Stretch {
  box: React.RefObject<HTMLDivElement | null>
  tools: BubbleTools
  /** New messages come in here, so that it is always drawn. */
  last: boolean
  /** Asks that it is drawn wherever it stands. */
  wanted: Target | null
  /** What was not seen begins here. */
  unread: Unread | null
}

/** Some messages in a row; far out of sight, an empty place of the same height. */
export const ThreadStretch = memo(function ThreadStretch({
  box,
  before,
  messages,
  events,
  tools,
  last: newest,
  wanted,
  unread,
}: Props) {
  const t = useMessageText()
  const place = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState<number | null>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const observer = new IntersectionObserver(
      ([entry]) => entry && setHeight(entry.isIntersecting ? null : entry.boundingClientRect.height),
      { root: box.current, rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  if (height !== null && !wanted && !newest && !unread) return <div ref={place} style={{ height }} />
  return (
    <div ref={place} className={classes.stretch}>
      {messages.map((message, at) => {
        const last = at === 0 ? before : messages[at - 1]
        const first = startsGroup(last, message)
        return (
          <div
            key={message.id}
            className={classes.place}
            data-first={first || undefined}
            data-mine={message.fromMe || undefined}
          >
            {!sameDay(last, message) && <p className={classes.line}>{dayOf(message.createdAt, t)}</p>}
            {last && last.ticketId !== message.ticketId && (
              <p className={classes.line}>
                <span className="mono">{t('other', { protocol: message.ticket.protocol })}</span>
              </p>
            )}
            {events[at]?.map(happened => (
              <TicketEventRow key={happened.id} happened={happened} />
            ))}
            {unread?.id === message.id && <UnreadLine unread={unread} />}
            {message.mediaType === 'call_log' && !message.isDeleted ? (
              <p className={classes.event} id={`message-${message.id}`}>
                <MissedCall message={message} />
              </p>
            ) : (
              <Bubble message={message} first={first || events[at] !== undefined} tools={tools} />
            )}
          </div>
        )
      })}
    </div>
  )
}, unchanged)

function UnreadLine({ unread: { count, more } }: { unread: Unread }) {
  const t = useThreadText()
  return (
    <p className={classes.line} data-unread>
      {t(more ? 'unreadMore' : 'unread', { count })}
    </p>
  )
}

/** The arrays are cut anew each time; what is in them mostly is not new. */
function unchanged(a: Props, b: Props) {
  return (
    a.before === b.before &&
    a.tools === b.tools &&
    a.wanted === b.wanted &&
    a.last === b.last &&
    a.unread === b.unread &&
    a.events.length === b.events.length &&
    a.events.every((happened, at) => happened?.length === b.events[at]?.length) &&
    a.messages.length === b.messages.length &&
    a.messages.every((message, at) => message === b.messages[at])
  )
}

const sameDay = (a: Message | undefined, b: Message) =>
  a !== undefined && clock(a.createdAt).isSame(clock(b.createdAt), 'day')

const startsGroup = (before: Message | undefined, message: Message) =>
  !before ||
  before.fromMe !== message.fromMe ||
  before.user?.id !== message.user?.id ||
  before.source !== message.source ||
  before.author?.name !== message.author?.name ||
  before.author?.number !== message.author?.number ||
  Date.parse(message.createdAt) - Date.parse(before.createdAt) > TOGETHER_MS

function dayOf(at: string, t: typeof useMessageText.read) {
  const day = clock(at)
  if (day.isSame(clock(), 'day')) return t('today')
  if (day.isSame(clock().subtract(1, 'day'), 'day')) return t('yesterday')
  const year = day.isSame(clock(), 'year') ? '' : language() === 'en' ? ' YYYY' : ' [de] YYYY'
  return day.format((language() === 'en' ? 'dddd, MMMM D' : 'dddd, D [de] MMMM') + year)
}
