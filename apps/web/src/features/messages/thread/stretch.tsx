import { albumIn } from '@balcao/contract/media.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { TicketEvent } from '@balcao/contract/tickets.history.ts'
import { memo, useEffect, useRef, useState } from 'react'
import { useToday } from '../../../platform/minute.ts'
import { language } from '../../../platform/text.ts'
import { clock } from '../../../platform/time.ts'
import { soon } from '../../../ui/soon.tsx'
import { Call } from '../../media/content.tsx'
import { useMessageText } from '../messages.text.ts'
import { Bubble, type BubbleTools } from './bubble.tsx'
import { type Between, between, protocolsOf, type Story } from './story.ts'
import classes from './thread.module.css'
import { useThreadText } from './thread.text.ts'
import type { Target } from './thread.tsx'
import { TicketEventRow } from './ticket-event-row.tsx'
import type { Unread } from './unread.ts'
import type { Watch } from './watch.ts'

const ChatEventRow = soon(() => import('./chat-event-row.tsx'))

const TOGETHER_MS = 2 * 60_000
/** About one message in so many begins a stretch: it is drawn in one piece. */
const STRETCH = 12

interface Stretch {
  /** Stable while messages are added before and after. */
  key: string
  before: Message | undefined
  messages: Message[]
  /** Shown above each of them. */
  above: Between[][]
}

/**
 * Cuts a conversation into stretches. The start of one depends on the message alone, so pages before and
 * messages after leave all others unchanged.
 */
export function stretchesOf(messages: Message[], story: Story, known: Known = nothingKnown()): Stretch[] {
  const stretches: Stretch[] = []
  const protocols = protocolsOf(messages)
  /** Headings are cached for messages whose position is unchanged. */
  const linesAbove = (before: Message | undefined, events: TicketEvent[] = NONE, message: Message) => {
    const last = known.above.get(message)
    if (last && last.before === before && last.events === events) return last.above
    const above = between(before, events, message, protocols)
    known.above.set(message, { before, events, above })
    return above
  }
  for (const [at, message] of messages.entries()) {
    const before = messages[at - 1]
    const above = linesAbove(before, story.get(message.id), message)
    if (at === 0 || begins(message)) stretches.push({ key: '', before, messages: [message], above: [above] })
    else {
      stretches.at(-1)!.messages.push(message)
      stretches.at(-1)!.above.push(above)
    }
  }
  const used = new Set<string>()
  for (const stretch of stretches) {
    stretch.key = keyOf(stretch.messages, known.keys, used)
    used.add(stretch.key)
  }
  return stretches
}

/** One that grows at an end keeps its key, so that its elements are kept; when one is split, the first part does. */
function keyOf(messages: Message[], keys: Map<string, string>, used: Set<string>) {
  const [first, last] = [messages[0]!.id, messages.at(-1)!.id]
  const free = [keys.get(first), keys.get(last), first].find(key => key !== undefined && !used.has(key))
  const key = free ?? `${first} ${used.size}`
  keys.set(first, key).set(last, key)
  return key
}

/** Content above a message, and the key of the stretch that begins or ends with it. */
export interface Known {
  above: WeakMap<Message, { before: Message | undefined; events: TicketEvent[]; above: Between[] }>
  keys: Map<string, string>
}

export const nothingKnown = (): Known => ({ above: new WeakMap(), keys: new Map() })

const NONE: TicketEvent[] = []

const begins = ({ id }: Message) => Number.parseInt(id.slice(-3), 16) % STRETCH === 0

interface Props extends Omit<Stretch, 'key'> {
  watch: Watch
  tools: BubbleTools
  /** New messages are added here, so it is always drawn. */
  last: boolean
  /** Requires that it is drawn even outside the viewport. */
  wanted: Target | null
  /** Start of the unread messages. */
  unread: Unread | null
}

/** Some messages in a row; far outside the viewport a placeholder of the same height. */
export const ThreadStretch = memo(function ThreadStretch({
  watch,
  before,
  messages,
  above,
  tools,
  last: newest,
  wanted,
  unread,
}: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState<number | null>(null)
  useEffect(() => {
    return place.current ? watch(place.current, setHeight) : undefined
  }, [watch])
  if (height !== null && !wanted && !newest && !unread) return <div ref={place} style={{ height }} />
  return (
    <div ref={place} className={classes.stretch}>
      {messages.map((message, at) => {
        const last = at === 0 ? before : messages[at - 1]
        const first = startsGroup(last, message)
        const album = albumIn(message)
        const joins =
          album !== null && last !== undefined && albumIn(last) === album && above[at]!.length === 0
        return (
          <div
            key={message.id}
            className={classes.place}
            data-first={first || undefined}
            data-mine={message.fromMe || undefined}
            data-joins={joins || undefined}
          >
            <Lines rows={above[at]!} />
            {unread?.id === message.id && <UnreadLine unread={unread} />}
            {message.mediaType === 'call_log' && !message.isDeleted ? (
              <p className={classes.event} id={`message-${message.id}`}>
                <Call message={message} />
              </p>
            ) : message.mediaType === 'chat_event' && !message.isDeleted ? (
              <ChatEventRow message={message} onJump={tools.jump} />
            ) : (
              <Bubble
                message={message}
                first={(first && !joins) || above[at]!.length > 0}
                isAlbum={album !== null && !joins}
                tools={tools}
              />
            )}
          </div>
        )
      })}
    </div>
  )
}, unchanged)

export function Lines({ rows }: { rows: Between[] }) {
  const t = useMessageText()
  return rows.map(row =>
    'happened' in row ? (
      <TicketEventRow key={row.key} happened={row.happened} />
    ) : (
      <p key={row.key} className={classes.line}>
        {'day' in row ? (
          <Day at={row.day} />
        ) : (
          <span className="mono">{t('other', { protocol: row.protocol })}</span>
        )}
      </p>
    ),
  )
}

/** "Today" is shown until midnight. */
function Day({ at }: { at: string }) {
  const t = useMessageText()
  useToday()
  return dayOf(at, t)
}

function UnreadLine({ unread: { count, more } }: { unread: Unread }) {
  const t = useThreadText()
  return (
    <p className={classes.line} data-unread>
      {t(more ? 'unreadMore' : 'unread', { count })}
    </p>
  )
}

/** The arrays are new each time; their items mostly are not. */
function unchanged(a: Props, b: Props) {
  return (
    a.before === b.before &&
    a.tools === b.tools &&
    a.wanted === b.wanted &&
    a.last === b.last &&
    a.unread === b.unread &&
    a.messages.length === b.messages.length &&
    a.messages.every((message, at) => message === b.messages[at]) &&
    a.above.every((rows, at) => rows === b.above[at] || keysOf(rows) === keysOf(b.above[at]!))
  )
}

const keysOf = (rows: Between[]) => rows.map(({ key }) => key).join()

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
