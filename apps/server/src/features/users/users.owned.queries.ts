import type { Belongings } from '@balcao/contract/users.ts'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { PayloadOf } from '../../platform/events.ts'
import { and, eq, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { belongingsAsked } from './users.events.ts'
import { findUser } from './users.queries.ts'

/** So many owned records are named; the others are counted. */
export const NAMED = 5
/** The number of all rows of a query with a limit. */
export const ofAll = tag<number>`(count(*) over ())::int`

/** The records that go to an heir, or stop, when a user is deleted. Refuses with ERR_NO_USER_FOUND. */
export const ownedBy = (scope: Scope, userId: number): Promise<Belongings[]> =>
  scope.transaction(async tx => {
    await findUser(tx.sql, tx.companyId, userId)
    const found: PayloadOf<typeof belongingsAsked>['found'] = []
    await tx.involve(belongingsAsked, { userId, found })
    return found.filter(({ count }) => count > 0)
  })

type Owned = PgTable & { companyId: AnyPgColumn; userId: AnyPgColumn; name: AnyPgColumn }

export async function namesOf(tx: Tx, table: Owned, userId: number, which?: SQL) {
  const rows = await tx.sql
    .select({ name: tag<string>`${table.name}`, count: ofAll })
    .from(table)
    .where(and(eq(table.companyId, tx.companyId), eq(table.userId, userId), which))
    .orderBy(tag`folded(${table.name})`)
    .limit(NAMED)
  return counted(rows)
}

export const counted = (rows: { name: string; count: number }[]) => ({
  count: rows[0]?.count ?? 0,
  names: rows.map(({ name }) => name),
})
