import { messages, type Typing } from '@balcao/contract/messages.ts'
import { useEffect, useRef } from 'react'
import { call } from '../../platform/call.ts'
import { store, useStore, writeKey } from '../../platform/store.ts'

/** A push may be lost, so nobody writes for longer than this without saying so again. */
const BELIEVED_MS = 10_000
const AGAIN_MS = 6_000
const PAUSE_MS = 4_000

const seen = store<ReadonlyMap<number, { state: Typing; timer: ReturnType<typeof setTimeout> }>>(new Map())

/** Takes down what the customer of a ticket does at this moment. */
export function hearTyping(ticketId: number, state: Typing) {
  clearTimeout(seen.read().get(ticketId)?.timer)
  const forget = () => writeKey(seen, ticketId, undefined)
  if (state === 'paused') forget()
  else writeKey(seen, ticketId, { state, timer: setTimeout(forget, BELIEVED_MS) })
}

/** What the customer does; null when nothing is known. */
export const useTyping = (ticketId: number): Typing | null =>
  useStore(seen, all => all.get(ticketId)?.state) ?? null

/** Lets the customer see that somebody writes or records; it says so again while it goes on, and when it ends. */
export function useTellTyping(ticketId: number) {
  const told = useRef<{ state: Typing; at: number }>({ state: 'paused', at: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const say = (state: Typing) => {
    clearTimeout(timer.current)
    const { state: before, at } = told.current
    if (state === 'composing') timer.current = setTimeout(() => say('paused'), PAUSE_MS)
    if (state === before && (state === 'paused' || Date.now() - at < AGAIN_MS)) return
    told.current = { state, at: Date.now() }
    // nothing depends on it: a courtesy that may be lost
    call(messages.type, { params: { ticketId }, body: { state } }).catch(() => {})
  }
  const newest = useRef(say)
  newest.current = say
  useEffect(() => () => newest.current('paused'), [])
  return say
}
