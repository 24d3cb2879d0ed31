import { PAGE } from '@balcao/contract/kit.ts'
import type { UserAuthorization } from '@balcao/contract/permissions.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, type SQL, sql as tag } from '../../platform/sql.ts'
import { userAuthorizations } from './permissions.table.ts'

export type AuthorizationRow = typeof userAuthorizations.$inferSelect

export function toAuthorization(row: AuthorizationRow): UserAuthorization {
  const { companyId: _company, createdAt: _created, ...authorization } = row
  return authorization
}

/** One page of permission groups by name. */
export const listAuthorizations = (
  scope: Scope,
  { searchParam = '', pageNumber = 1 }: { searchParam?: string; pageNumber?: number },
) =>
  scope.read(async tx => {
    const rows = await select(tx, named(searchParam))
      .limit(PAGE + 1)
      .offset((pageNumber - 1) * PAGE)
    return { userAuthorizations: rows.slice(0, PAGE).map(toAuthorization), hasMore: rows.length > PAGE }
  })

/** Refuses with ERR_NO_AUTHORIZATION_FOUND. */
export async function findAuthorization(tx: Tx, authorizationId: number): Promise<UserAuthorization> {
  const [row] = await select(tx, eq(userAuthorizations.id, authorizationId))
  return row ? toAuthorization(row) : refuse('ERR_NO_AUTHORIZATION_FOUND')
}

/** True when the company has any group at all. */
export const hasAuthorizations = async (tx: Tx) => (await select(tx).limit(1)).length > 0

const select = (tx: Tx, where?: SQL) =>
  tx.sql
    .select()
    .from(userAuthorizations)
    .where(and(eq(userAuthorizations.companyId, tx.companyId), where))
    .orderBy(tag`lower(${userAuthorizations.name})`, userAuthorizations.id)
    .$dynamic()

function named(searchParam: string): SQL | undefined {
  const term = searchParam.trim().toLowerCase()
  if (!term) return undefined
  return tag`lower(${userAuthorizations.name}) like ${`%${term.replace(/[\\%_]/g, found => `\\${found}`)}%`}`
}
