import type { Message } from '@balcao/contract/messages.ts'
import { useEffect, useState } from 'react'
import { answersSince, newestPosition } from '../messages.answers.ts'
import { threadNow } from '../messages.api.ts'

/**
 * What colleagues and the company's phone answered since this user's draft began: `asks` is true once for it, where sending
 * is to wait for a second Enter. `shown` is what came in between, until it is sent or put aside. What the customer wrote does
 * not ask: an answer is begun for it.
 */
export function useAnsweredMeanwhile(ticketId: number, viewerId: number, isBegun: boolean) {
  const [shown, setShown] = useState<Message[]>([])
  useEffect(() => {
    if (!isBegun) {
      localStorage.removeItem(keyOf(viewerId, ticketId))
      setShown([])
    } else if (localStorage.getItem(keyOf(viewerId, ticketId)) === null) keep(viewerId, ticketId)
  }, [ticketId, viewerId, isBegun])
  return {
    shown,
    putAside: () => setShown([]),
    asks() {
      const since = Number(localStorage.getItem(keyOf(viewerId, ticketId)) ?? newestPosition(ticketId))
      const others = answersSince(threadNow(ticketId)?.messages ?? [], since, viewerId)
      keep(viewerId, ticketId)
      setShown(others)
      return others.length > 0
    },
  }
}

const keyOf = (viewerId: number, ticketId: number) => `begun:${viewerId}:${ticketId}`

/** From here on what is in the conversation is known to who writes. */
const keep = (viewerId: number, ticketId: number) =>
  localStorage.setItem(keyOf(viewerId, ticketId), String(newestPosition(ticketId)))
