import { messages, type Typing } from '@balcao/contract/messages.ts'
import { useEffect, useEffectEvent, useRef } from 'react'
import { call } from '../../platform/call.ts'
import { ownStore } from '../../platform/person.ts'
import { useStore, writeKey } from '../../platform/store.ts'

/** A push may be lost, so an indicator expires after this unless renewed. */
const BELIEVED_MS = 10_000
const AGAIN_MS = 6_000
const PAUSE_MS = 4_000

const seen = ownStore<ReadonlyMap<number, { state: Typing; timer: ReturnType<typeof setTimeout> }>>(new Map())

/** Stores what the customer of a ticket does at this moment. */
export function onTyping(ticketId: number, state: Typing) {
  clearTimeout(seen.read().get(ticketId)?.timer)
  const forget = () => writeKey(seen, ticketId, undefined)
  if (state === 'paused') forget()
  else writeKey(seen, ticketId, { state, timer: setTimeout(forget, BELIEVED_MS) })
}

/** What the customer does; null when unknown. */
export const useTyping = (ticketId: number): Typing | null =>
  useStore(seen, all => all.get(ticketId)?.state) ?? null

/**
 * Publishes to the customer that a user writes or records; renewed while it goes on, and cleared at its end.
 */
export function usePublishTyping(ticketId: number) {
  const published = useRef<{ state: Typing; at: number }>({ state: 'paused', at: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const publish = (state: Typing) => {
    clearTimeout(timer.current)
    const { state: before, at } = published.current
    if (state === 'composing') timer.current = setTimeout(() => publish('paused'), PAUSE_MS)
    if (state === before && (state === 'paused' || Date.now() - at < AGAIN_MS)) return
    published.current = { state, at: Date.now() }
    // nothing depends on it: a courtesy that may be lost
    call(messages.type, { params: { ticketId }, body: { state } }).catch(() => {})
  }
  const onLeave = useEffectEvent(() => publish('paused'))
  useEffect(() => () => onLeave(), [])
  return publish
}
