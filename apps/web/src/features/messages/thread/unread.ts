import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { CachedThread } from '../messages.cache.ts'

/** Start of the unread messages. */
export interface Unread {
  id: string
  count: number
  /** There are more on pages not yet loaded. */
  more: boolean
}

/** What was answered has been seen, wherever the answer was written. */
function unreadIn({ messages, hasMore, ticket }: CachedThread): Unread | null {
  const answered = messages.findLastIndex(({ source }) => source === 'person' || source === 'phone')
  const unseen = messages
    .slice(answered + 1)
    .filter(one => one.ticketId === ticket.id && !one.fromMe && !one.read)
  const first = unseen[0]
  return first ? { id: first.id, count: unseen.length, more: hasMore && first === messages[0] } : null
}

/**
 * The divider before what was unread when the conversation was opened, or what came while the window was
 * hidden. One's own answer removes it.
 */
export function useUnread(thread: CachedThread): Unread | null {
  const [unread, setUnread] = useState(() => unreadIn(thread))
  const newest = thread.messages.at(-1)
  const before = useRef(newest?.id)
  /** Messages that come now are below a divider that was drawn while the window was hidden. */
  const isAway = useRef(false)
  useEffect(() => {
    const looked = () => {
      if (document.visibilityState === 'visible') isAway.current = false
    }
    document.addEventListener('visibilitychange', looked)
    return () => document.removeEventListener('visibilitychange', looked)
  }, [])
  useEffect(() => {
    if (!newest || newest.id === before.current) return
    before.current = newest.id
    if (newest.version === 0) setUnread(null)
    else if (!newest.fromMe && document.visibilityState === 'hidden') {
      const goesOn = isAway.current
      isAway.current = true
      setUnread(now =>
        goesOn && now ? { ...now, count: now.count + 1 } : { id: newest.id, count: 1, more: false },
      )
    }
  }, [newest])
  return unread
}

/** Opens at the first unread message, when it is outside the viewport. */
export function useOpenedAtUnread(box: RefObject<HTMLDivElement | null>) {
  useLayoutEffect(() => {
    const line = box.current?.querySelector('[data-unread]')
    if (!line || !box.current) return
    const isAbove = line.getBoundingClientRect().top < box.current.getBoundingClientRect().top
    if (isAbove) line.scrollIntoView({ block: 'start' })
  }, [box])
}
