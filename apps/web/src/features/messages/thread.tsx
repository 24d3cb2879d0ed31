import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconArrowDown } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { useEffect, useRef, useState } from 'react'
import { language } from '../../platform/text.ts'
import { Bubble } from './bubble.tsx'
import { loadOlder } from './messages.api.ts'
import { messageText } from './messages.text.ts'
import classes from './thread.module.css'

const NEAR_TOP = 50
const NEAR_END = 80
const TOGETHER_MS = 2 * 60_000

interface Props {
  ticket: Ticket
  messages: Message[]
  hasMore: boolean
  onReply: ((message: Message) => void) | undefined
}

/**
 * The conversation, drawn from its end: the box is a reversed column, so that the newest stays in sight and older
 * pages grow upwards without moving what is read.
 */
export function Thread({ ticket, messages, hasMore, onReply }: Props) {
  const t = messageText()
  const box = useRef<HTMLDivElement>(null)
  const { unseen, toEnd } = useUnseen(box, messages)
  useOlder(box, ticket.id, hasMore)
  return (
    <div className={classes.frame}>
      <div
        ref={box}
        className={classes.box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
        tabIndex={0}
        role="log"
        aria-label={t('conversation', { name: ticket.contact.name })}
      >
        <div className={classes.messages}>
          {messages.map((message, at) => {
            const before = messages[at - 1]
            return (
              <div
                key={message.id}
                className={classes.place}
                data-first={startsGroup(before, message) || undefined}
                data-mine={message.fromMe || undefined}
              >
                {!sameDay(before, message) && <p className={classes.line}>{dayOf(message.createdAt, t)}</p>}
                {before && before.ticketId !== message.ticketId && (
                  <p className={classes.line}>
                    <span className="mono">{t('other', { protocol: message.ticket.protocol })}</span>
                  </p>
                )}
                <Bubble message={message} first={startsGroup(before, message)} onReply={onReply} />
              </div>
            )
          })}
        </div>
      </div>
      {unseen > 0 && (
        <button type="button" className={classes.pill} onClick={toEnd}>
          <IconArrowDown size={16} aria-hidden />
          {t('newOnes', { count: unseen })}
        </button>
      )}
    </div>
  )
}

const sameDay = (a: Message | undefined, b: Message) =>
  a !== undefined && dayjs(a.createdAt).isSame(b.createdAt, 'day')

const startsGroup = (before: Message | undefined, message: Message) =>
  !before ||
  before.fromMe !== message.fromMe ||
  before.user?.id !== message.user?.id ||
  Date.parse(message.createdAt) - Date.parse(before.createdAt) > TOGETHER_MS

function dayOf(at: string, t: typeof messageText.read) {
  const day = dayjs(at)
  if (day.isSame(dayjs(), 'day')) return t('today')
  if (day.isSame(dayjs().subtract(1, 'day'), 'day')) return t('yesterday')
  const year = day.isSame(dayjs(), 'year') ? '' : language() === 'en' ? ' YYYY' : ' [de] YYYY'
  return day.format((language() === 'en' ? 'dddd, MMMM D' : 'dddd, D [de] MMMM') + year)
}

/** How many came while one reads further up. In a reversed column the end is scrollTop 0 and up is negative. */
function useUnseen(box: React.RefObject<HTMLDivElement | null>, messages: Message[]) {
  const [seen, setSeen] = useState(messages.at(-1)?.id)
  const newest = messages.at(-1)
  const atEnd = () => Math.abs(box.current?.scrollTop ?? 0) < NEAR_END
  const toEnd = () => box.current?.scrollTo({ top: 0 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the newest message alone
  useEffect(() => {
    if (newest?.fromMe) toEnd()
    if (atEnd() || newest?.fromMe) setSeen(newest?.id)
  }, [newest?.id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads what it needs when it scrolls
  useEffect(() => {
    const scrolled = () => atEnd() && setSeen(newest?.id)
    box.current?.addEventListener('scroll', scrolled, { passive: true })
    return () => box.current?.removeEventListener('scroll', scrolled)
  }, [newest?.id])
  const at = messages.findIndex(message => message.id === seen)
  const unseen = at < 0 ? 0 : messages.slice(at + 1).filter(message => !message.fromMe).length
  return { unseen, toEnd }
}

function useOlder(box: React.RefObject<HTMLDivElement | null>, ticketId: number, hasMore: boolean) {
  const loading = useRef(false)
  useEffect(() => {
    const element = box.current
    if (!element || !hasMore) return
    const look = async () => {
      const left = element.scrollHeight - element.clientHeight - Math.abs(element.scrollTop)
      if (left > NEAR_TOP || loading.current) return
      loading.current = true
      await loadOlder(ticketId).catch(error => console.warn('older messages did not come', error))
      loading.current = false
    }
    void look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [box, ticketId, hasMore])
}
