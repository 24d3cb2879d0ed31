import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconArrowDown } from '@tabler/icons-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { BubbleTools } from './bubble.tsx'
import { loadOlder } from './messages.api.ts'
import { messageText } from './messages.text.ts'
import classes from './thread.module.css'
import { stretchesOf, ThreadStretch } from './thread-stretch.tsx'

const NEAR_TOP = 50
const NEAR_END = 80

/** A message to bring into sight; a new object asks anew. */
export interface Target {
  id: string
}

interface Props {
  ticket: Ticket
  messages: Message[]
  hasMore: boolean
  tools: BubbleTools
  target: Target | null
}

/**
 * The conversation, drawn from its end: the box is a reversed column, so that the newest stays in sight and older
 * pages grow upwards without moving what is read. Stretches far out of sight leave an empty place of their height.
 */
export function Thread({ ticket, messages, hasMore, tools, target }: Props) {
  const t = messageText()
  const box = useRef<HTMLDivElement>(null)
  const { unseen, toEnd } = useUnseen(box, messages)
  const stretches = useMemo(() => stretchesOf(messages), [messages])
  useOlder(box, ticket.id, hasMore)
  useJump(target, messages)
  useStill(box, messages)
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
          {stretches.map(({ before, messages: part }, at) => (
            <ThreadStretch
              key={part[0]!.id}
              box={box}
              before={before}
              messages={part}
              tools={tools}
              last={at === stretches.length - 1}
              wanted={target !== null && part.some(({ id }) => id === target.id) ? target : null}
            />
          ))}
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

/** Brings a message to the middle and lights it up, once it is drawn. */
function useJump(target: Target | null, messages: Message[]) {
  const done = useRef<Target | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it may be drawn with the next messages only
  useLayoutEffect(() => {
    if (!target || done.current === target) return
    const found = document.getElementById(`message-${target.id}`)
    if (!found) return
    done.current = target
    found.scrollIntoView({ block: 'center' })
    found.animate([{ filter: 'brightness(0.85)' }, { filter: 'none' }], 600)
  }, [target, messages])
}

/** What comes at the end while one reads further up moves nothing that is read. */
function useStill(box: React.RefObject<HTMLDivElement | null>, messages: Message[]) {
  const newest = messages.at(-1)
  const drawn = useRef<{ id: string | undefined; height: number }>({ id: newest?.id, height: 0 })
  // what stood before is measured while it still stands
  if (drawn.current.id !== newest?.id && box.current) drawn.current.height = box.current.scrollHeight
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the newest message alone
  useLayoutEffect(() => {
    const element = box.current
    if (!element || drawn.current.id === newest?.id) return
    drawn.current.id = newest?.id
    if (-element.scrollTop >= NEAR_END) element.scrollTop -= element.scrollHeight - drawn.current.height
  }, [newest?.id])
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
