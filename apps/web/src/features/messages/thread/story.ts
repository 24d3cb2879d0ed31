import type { Message } from '@balcao/contract/messages.ts'
import type { TicketEvent } from '@balcao/contract/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { storyOptions } from '../messages.api.ts'
import type { CachedThread } from '../messages.cache.ts'

/** What happened, by the message before which it happened; under '' what happened behind the last. */
export type Story = ReadonlyMap<string, TicketEvent[]>

/** A customer who writes opens a ticket: that is said by the message itself. */
const isTold = ({ what, by }: TicketEvent) => what !== 'opened' || by !== null

export function useStory(ticketId: number, { messages, hasMore, hasNewer }: CachedThread): Story {
  const { data } = useQuery(storyOptions(ticketId))
  return useMemo(
    () => placed(data?.events.filter(isTold) ?? [], messages, { hasMore, hasNewer }),
    [data, messages, hasMore, hasNewer],
  )
}

/**
 * Messages stand in the order in which they came in; one that came late keeps its own, earlier time. So an event stands
 * before the first message that was said after it.
 */
export function placed(
  events: TicketEvent[],
  messages: Pick<Message, 'id' | 'createdAt'>[],
  { hasMore, hasNewer }: Pick<CachedThread, 'hasMore' | 'hasNewer'>,
): Story {
  const story = new Map<string, TicketEvent[]>()
  const first = messages[0]?.createdAt
  let at = 0
  for (const happened of events) {
    if (hasMore && first && happened.at < first) continue
    while (at < messages.length && messages[at]!.createdAt <= happened.at) at++
    const before = messages[at]?.id ?? ''
    if (before === '' && hasNewer) break
    story.set(before, [...(story.get(before) ?? []), happened])
  }
  return story
}
