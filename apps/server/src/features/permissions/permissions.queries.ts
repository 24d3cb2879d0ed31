import type { PageQuery } from '@balcao/contract/kit.ts'
import type { UsedAuthorization, UserAuthorization } from '@balcao/contract/permissions.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, type SQL, sql as tag } from '../../platform/sql.ts'
import { userAuthorizations } from './permissions.table.ts'

export type AuthorizationRow = typeof userAuthorizations.$inferSelect

export function toAuthorization(row: AuthorizationRow): UserAuthorization {
  const { companyId: _company, createdAt: _created, ...authorization } = row
  return authorization
}

/** One page of permission groups by name. */
export const listAuthorizations = (scope: Scope, asked: PageQuery) =>
  scope.list(async tx => {
    const found = select(tx, containing(asked.searchParam, userAuthorizations.name))
    const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
    return { userAuthorizations: rows.map(toAuthorization), hasMore }
  })

/** Refuses with ERR_NO_AUTHORIZATION_FOUND. */
export async function findAuthorization(tx: Tx, authorizationId: number): Promise<UserAuthorization> {
  const [row] = await select(tx, eq(userAuthorizations.id, authorizationId))
  return row ? toAuthorization(row) : refuse('ERR_NO_AUTHORIZATION_FOUND')
}

/** The group and how many users are in it. Users come later, so this asks their table by its name. Refuses as above. */
export async function findUsedAuthorization(tx: Tx, authorizationId: number): Promise<UsedAuthorization> {
  const usersCount = tag<number>`(select count(*)::int from users
    where users.company_id = ${tx.companyId} and users.user_authorization_id = ${authorizationId})`
  const [row] = await tx.sql
    .select({ group: userAuthorizations, usersCount })
    .from(userAuthorizations)
    .where(own(tx, authorizationId))
  return row
    ? { ...toAuthorization(row.group), usersCount: row.usersCount }
    : refuse('ERR_NO_AUTHORIZATION_FOUND')
}

/** The group stays until the transaction ends: who deletes it waits. Refuses as above, with the field that named it. */
export async function holdAuthorization(tx: Tx, authorizationId: number, field: string): Promise<void> {
  const [row] = await tx.sql
    .select({ id: userAuthorizations.id })
    .from(userAuthorizations)
    .where(own(tx, authorizationId))
    .for('key share')
  if (!row) refuse('ERR_NO_AUTHORIZATION_FOUND', { field })
}

/** True when the company has any group at all. */
export const hasAuthorizations = async (tx: Tx) => (await select(tx).limit(1)).length > 0

/** Any number that no other lock of two parts has. */
const ADMINISTRATION_LOCK = 7_262_456

/** Whoever takes rights from administrators of a company does so one after the other, or two could each be the last. */
export const lockAdministration = (tx: Tx) =>
  tx.sql.execute(tag`select pg_advisory_xact_lock(${ADMINISTRATION_LOCK}, ${tx.companyId})`)

const select = (tx: Tx, where?: SQL) =>
  tx.sql
    .select()
    .from(userAuthorizations)
    .where(and(eq(userAuthorizations.companyId, tx.companyId), where))
    .orderBy(tag`lower(${userAuthorizations.name})`, userAuthorizations.id)
    .$dynamic()

const own = (tx: Tx, authorizationId: number) =>
  and(eq(userAuthorizations.companyId, tx.companyId), eq(userAuthorizations.id, authorizationId))
