import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { CachedThread } from '../messages.cache.ts'

/** Where what one has not seen begins. */
export interface Unread {
  id: string
  count: number
  /** More of it stands on pages that are not here. */
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
 * The line before what was not seen when the conversation was opened, or what came while the window was hidden. One's
 * own answer takes it away.
 */
export function useUnread(thread: CachedThread): Unread | null {
  const [unread, setUnread] = useState(() => unreadIn(thread))
  const newest = thread.messages.at(-1)
  const before = useRef(newest?.id)
  /** What comes now comes behind a line that was drawn while nobody looked. */
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

/** Opens at the first message that was not seen, when it lies out of sight. */
export function useOpenedAtUnread(box: RefObject<HTMLDivElement | null>) {
  useLayoutEffect(() => {
    const line = box.current?.querySelector('[data-unread]')
    if (!line || !box.current) return
    const isAbove = line.getBoundingClientRect().top < box.current.getBoundingClientRect().top
    if (isAbove) line.scrollIntoView({ block: 'start' })
  }, [box])
}
