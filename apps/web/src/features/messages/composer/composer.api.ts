import { mentionedOf, underNames } from '@balcao/contract/mentions.rules.ts'
import { messages } from '@balcao/contract/messages.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'
import { queryClient } from '../../../platform/query.ts'

/** Members of the group of a ticket who wrote there, under the names by which a text mentions them. */
export const membersOptions = (ticketId: number) =>
  queryOptions({
    queryKey: ['group-members', ticketId] as const,
    queryFn: async () => underNames((await call(messages.members, { params: { ticketId } })).members),
  })

/** Ids of the members whose names stand in a text as `@name`, as far as they were offered here; undefined without any. */
export function mentionedIn(ticketId: number, text: string): string[] | undefined {
  const members = queryClient.getQueryData(membersOptions(ticketId).queryKey) ?? []
  const all = mentionedOf(text, members).map(({ id }) => id)
  return all.length > 0 ? all.slice(0, MOST_MENTIONS) : undefined
}

/** As in the contract. */
const MOST_MENTIONS = 20
