import type { Message } from '@balcao/contract/messages.ts'
import type { TicketEvent } from '@balcao/contract/tickets.history.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { clock } from '../../../platform/time.ts'
import { storyOptions } from '../messages.api.ts'
import type { CachedThread } from '../messages.cache.ts'

/** Events by the message before which they happened; under '' those after the last. */
export type Story = ReadonlyMap<string, TicketEvent[]>

/** An opening without an author is not shown: the customer's message that caused it is. */
const isShown = ({ what, by }: TicketEvent) => what !== 'opened' || by !== null

export function useStory(ticketId: number, { messages, hasMore, hasNewer }: CachedThread): Story {
  const { data } = useQuery(storyOptions(ticketId))
  return useMemo(
    () => placed(data?.events.filter(isShown) ?? [], messages, { hasMore, hasNewer }),
    [data, messages, hasMore, hasNewer],
  )
}

/**
 * Messages are ordered by arrival; a late one keeps its own, earlier time. So an event comes before the first
 * message with a later time.
 */
export function placed(
  events: TicketEvent[],
  messages: Pick<Message, 'id' | 'createdAt'>[],
  { hasMore, hasNewer }: Pick<CachedThread, 'hasMore' | 'hasNewer'>,
): Story {
  const story = new Map<string, TicketEvent[]>()
  const first = messages[0]?.createdAt
  let at = 0
  for (const happened of events.toSorted(earliestFirst)) {
    if (hasMore && first && happened.at < first) continue
    while (at < messages.length && messages[at]!.createdAt <= happened.at) at++
    const before = messages[at]?.id ?? ''
    if (before === '' && hasNewer) break
    story.set(before, [...(story.get(before) ?? []), happened])
  }
  return story
}

/** Two processes may report events in another order. */
const earliestFirst = (a: TicketEvent, b: TicketEvent) => (a.at === b.at ? a.id - b.id : a.at < b.at ? -1 : 1)

/** What is shown between two messages: headings of another day and of another ticket, and events. */
export type Between = { key: string } & ({ day: string } | { protocol: string } | { happened: TicketEvent })

type Timed = Pick<Message, 'ticketId' | 'createdAt'>

/**
 * What is shown after one message and before the next, or after the last. An event is listed under its own
 * day and its own ticket, as a message is; a ticket without anything shown has no heading.
 */
export function between(
  last: Timed | undefined,
  events: readonly TicketEvent[],
  next: Timed | undefined,
  protocols: ReadonlyMap<number, string>,
): Between[] {
  const rows: Between[] = []
  let day = last && dayKey(last.createdAt)
  let ticket = last?.ticketId
  const under = (at: string, ticketId: number) => {
    const protocol = protocols.get(ticketId)
    if (dayKey(at) !== day) rows.push({ key: `day ${at}`, day: at })
    if (protocol && ticket !== undefined && ticketId !== ticket)
      rows.push({ key: `ticket ${ticketId} ${rows.length}`, protocol })
    day = dayKey(at)
    if (protocol) ticket = ticketId
  }
  for (const happened of events) {
    under(happened.at, happened.ticketId)
    rows.push({ key: `event ${happened.id}`, happened })
  }
  if (next) under(next.createdAt, next.ticketId)
  return rows
}

const dayKey = (at: string) => clock(at).format('YYYY-MM-DD')

export const protocolsOf = (messages: readonly Message[]): ReadonlyMap<number, string> =>
  new Map(messages.map(({ ticketId, ticket }) => [ticketId, ticket.protocol]))
