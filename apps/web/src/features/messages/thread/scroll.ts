import type { Message } from '@balcao/contract/messages.ts'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { loadNewer, loadOlder } from '../messages.api.ts'
import type { CachedThread } from '../messages.cache.ts'
import type { Target } from './thread.tsx'

type Box = RefObject<HTMLDivElement | null>

const NEAR_TOP = 50
const NEAR_END = 80
/** So far up that the way back is offered. */
const AWAY = 400

/** Scrolls a message to the middle and marks it, once it is drawn. */
export function useJump(target: Target | null, messages: Message[]) {
  const done = useRef<Target | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it may be drawn with the next messages only
  useLayoutEffect(() => {
    if (!target || done.current === target) return
    const found = document.getElementById(`message-${target.id}`)
    if (!found) return
    done.current = target
    found.scrollIntoView({ block: 'center' })
    for (const before of document.querySelectorAll('[data-sought]')) before.removeAttribute('data-sought')
    found.dataset.sought = ''
  }, [target, messages])
}

/** New messages do not move what is read further up. */
export function useStill(box: Box, { messages, hasNewer }: CachedThread) {
  const newest = messages.at(-1)
  const drawn = useRef({ id: newest?.id, hasNewer })
  // the previous content is measured before it is replaced
  const height = drawn.current.id === newest?.id ? 0 : (box.current?.scrollHeight ?? 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the newest message alone
  useLayoutEffect(() => {
    const element = box.current
    const before = drawn.current
    if (!element || before.id === newest?.id) return
    drawn.current = { id: newest?.id, hasNewer }
    if (before.hasNewer || -element.scrollTop >= NEAR_END) element.scrollTop -= element.scrollHeight - height
  }, [newest?.id])
}

/**
 * Number of new messages while scrolled up, and the way back. In a reversed column the end is scrollTop 0 and
 * up is negative.
 */
export function useUnseen(box: Box, { messages, hasNewer, ahead }: CachedThread) {
  const [seen, setSeen] = useState(messages.at(-1)?.id)
  const [isUp, setUp] = useState(false)
  const newest = messages.at(-1)
  const wanted = useRef(false)
  const atEnd = () => !hasNewer && Math.abs(box.current?.scrollTop ?? 0) < NEAR_END
  /** Where the newest are not loaded it waits for them: scrolling to the end would load the page after it. */
  const toEnd = () => {
    wanted.current = hasNewer
    if (!hasNewer) box.current?.scrollTo({ top: 0 })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the newest message alone
  useEffect(() => {
    if (newest?.version === 0 || (wanted.current && !hasNewer)) {
      wanted.current = false
      box.current?.scrollTo({ top: 0 })
    }
    if (atEnd()) setSeen(newest?.id)
  }, [newest?.id, hasNewer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads what it needs when it scrolls
  useEffect(() => {
    const element = box.current
    const scrolled = () => {
      setUp(Math.abs(element?.scrollTop ?? 0) > AWAY)
      if (atEnd()) setSeen(newest?.id)
    }
    scrolled()
    element?.addEventListener('scroll', scrolled, { passive: true })
    return () => element?.removeEventListener('scroll', scrolled)
  }, [newest?.id, hasNewer])
  const at = messages.findIndex(message => message.id === seen)
  const behind = at < 0 ? 0 : messages.slice(at + 1).filter(message => !message.fromMe).length
  return { unseen: hasNewer ? ahead : behind, isAway: isUp || hasNewer, toEnd }
}

/** Loads further pages near an end. */
export function useEnds(box: Box, ticketId: number, { hasMore, hasNewer }: CachedThread, isWhole: boolean) {
  const loading = useRef(false)
  useEffect(() => {
    const element = box.current
    if (!element || !isWhole || !(hasMore || hasNewer)) return
    const load = async (more: (ticketId: number) => Promise<void>) => {
      loading.current = true
      await more(ticketId).catch(error => console.warn('further messages did not come', error))
      loading.current = false
    }
    const look = () => {
      if (loading.current) return
      const below = Math.abs(element.scrollTop)
      const above = element.scrollHeight - element.clientHeight - below
      if (hasMore && above <= NEAR_TOP) void load(loadOlder)
      else if (hasNewer && below <= NEAR_TOP) void load(loadNewer)
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [box, ticketId, hasMore, hasNewer, isWhole])
}
