import { event, within } from '../../../platform/events.ts'
import { perProduct } from '../../../platform/memory.ts'
import { given, preparedText } from '../../../platform/postgres/prepared.ts'
import { type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import type { ReceivedMessage } from '../messages.events.ts'

/**
 * What a feature has to know of each message of a customer: a subquery of one value, of the company `given('companyId')`, for
 * the row `asked` (ticket_id, user_id, contact_id, whatsapp_id) of the ticket of the message.
 */
export interface Lookup<Value> {
  name: string
  query(): SQL
  /** What it found. */
  of(received: ReceivedMessage): Value | null
}

export const lookup = <Value>(name: string, query: Lookup<Value>['query']): Lookup<Value> => ({
  name,
  query,
  of: ({ lookedUp }) => (lookedUp[name] ?? null) as Value | null,
})

const lookupsAsked = event<{ lookups: Lookup<unknown>[] }>('customer.lookups')

/** Registers a lookup. */
export const looksUp = (one: Lookup<unknown>) =>
  within(lookupsAsked, async (_tx, { lookups }) => {
    lookups.push(one)
  })

/** Asks all lookups of messages in one statement. */
export async function lookUp<All extends Omit<ReceivedMessage, 'lookedUp'>[]>(
  tx: Tx,
  arrived: [...All],
): Promise<{ [At in keyof All]: ReceivedMessage }> {
  const lookups: Lookup<unknown>[] = []
  await tx.involve(lookupsAsked, { lookups })
  const ask = statementOf(tx)(lookups)
  const tickets = arrived.map(({ ticket }) => ticket)
  const found = await ask(tx.sql, {
    companyId: tx.companyId,
    ticketIds: tickets.map(({ id }) => id),
    userIds: tickets.map(({ userId }) => userId),
    contactIds: tickets.map(({ contactId }) => contactId),
    whatsappIds: tickets.map(({ whatsappId }) => whatsappId),
  })
  return arrived.map((one, at) => ({ ...one, lookedUp: found[at]! })) as {
    [At in keyof All]: ReceivedMessage
  }
}

/** The lookups of a product are always the same. */
const statementOf = perProduct(() => {
  let made: ReturnType<typeof preparedText<Record<string, unknown>>> | undefined
  return (lookups: Lookup<unknown>[]) => {
    made ??= preparedText<Record<string, unknown>>(() => {
      const columns = lookups.map(({ name, query }) => tag`(${query()}) as ${tag.identifier(name)}`)
      return tag`select ${tag.join([tag`asked.place`, ...columns], tag`, `)}
      from unnest(${given('ticketIds')}::int[], ${given('userIds')}::int[], ${given('contactIds')}::int[],
        ${given('whatsappIds')}::int[]) with ordinality as asked (ticket_id, user_id, contact_id, whatsapp_id, place)
      order by asked.place`
    })
    return made
  }
})
