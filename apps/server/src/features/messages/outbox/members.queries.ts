import type { GroupMember } from '@balcao/contract/kinds.ts'
import { and, desc, eq, isNotNull, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { messages } from '../messages.table.ts'

/** So many messages of a group are looked at: who was silent for longer is not found. */
const LOOKED_AT = 2_000
const MOST_MEMBERS = 200

/** Those who wrote in a group lately, the latest first, as they called themselves. */
export function membersOf(tx: Tx, contactId: number): Promise<(GroupMember & { kind: 'phone' | 'lid' })[]> {
  const lately = tx.sql
    .select({ author: messages.author, position: messages.position })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.contactId, contactId),
        isNotNull(messages.author),
      ),
    )
    .orderBy(desc(messages.position), desc(messages.id))
    .limit(LOOKED_AT)
    .as('lately')
  const field = (name: string) =>
    tag<string>`(array_agg(lately.author ->> ${name} order by lately.position desc))[1]`
  return tx.sql
    .select({
      id: tag<string>`lately.author ->> 'value'`,
      name: field('name'),
      number: field('number'),
      kind: tag<'phone' | 'lid'>`(array_agg(lately.author ->> 'kind'))[1]`,
    })
    .from(lately)
    .groupBy(tag`lately.author ->> 'value'`)
    .orderBy(desc(tag`max(lately.position)`))
    .limit(MOST_MEMBERS)
}

/** The names of members of a group, by their addresses. */
export async function membersNamed(
  tx: Tx,
  contactId: number,
  values: string[],
): Promise<Map<string, string>> {
  const members = await membersOf(tx, contactId)
  return new Map(
    members.filter(({ id, name }) => values.includes(id) && name).map(({ id, name }) => [id, name]),
  )
}
