import { event, within } from '../../../platform/events.ts'
import { rowsFrom, type SQLWrapper, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import type { ReceivedMessage } from '../messages.events.ts'

type Arrived = Omit<ReceivedMessage, 'lookedUp'>

/** What a feature has to know of each message of a customer: a subquery of one value, or null where there is nothing to ask. */
export interface Lookup<Value> {
  name: string
  query(tx: Tx, arrived: Arrived): SQLWrapper | null
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

/** Asks all lookups in one statement. */
export async function lookUp(tx: Tx, arrived: Arrived): Promise<ReceivedMessage> {
  const lookups: Lookup<unknown>[] = []
  await tx.involve(lookupsAsked, { lookups })
  const columns = lookups.flatMap(({ name, query }) => {
    const asked = query(tx, arrived)
    return asked ? [tag`(${asked}) as ${tag.identifier(name)}`] : []
  })
  if (columns.length === 0) return { ...arrived, lookedUp: {} }
  const [lookedUp = {}] = await rowsFrom<Record<string, unknown>>(
    tx.sql,
    tag`select ${tag.join(columns, tag`, `)}`,
  )
  return { ...arrived, lookedUp }
}
