import type { PageQuery } from '@balcao/contract/kit.ts'
import type { UsedAuthorization, UserAuthorization } from '@balcao/contract/permissions.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists/lists.ts'
import { and, eq, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { userAuthorizations } from './permissions.table.ts'

export type AuthorizationRow = typeof userAuthorizations.$inferSelect

export function toAuthorization(row: AuthorizationRow): UserAuthorization {
  const { companyId: _company, createdAt: _created, ...authorization } = row
  return authorization
}

export const listAuthorizations = (scope: Scope, query: PageQuery) =>
  scope.list(async tx => {
    const found = select(tx, containing(query.searchParam, userAuthorizations.name))
    const { rows, hasMore } = await onePage(query, (limit, offset) => found.limit(limit).offset(offset))
    return { userAuthorizations: rows.map(toAuthorization), hasMore }
  })

/** Refuses with ERR_NO_AUTHORIZATION_FOUND. */
export async function findAuthorization(tx: Tx, authorizationId: number): Promise<UserAuthorization> {
  const [row] = await select(tx, eq(userAuthorizations.id, authorizationId))
  return row ? toAuthorization(row) : refuse('ERR_NO_AUTHORIZATION_FOUND')
}

/** The group and its number of users. By table name: `users` is above. Refuses with ERR_NO_AUTHORIZATION_FOUND. */
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

/** Locks a group against deletion. Refuses with ERR_NO_AUTHORIZATION_FOUND and the field. */
export async function holdAuthorization(tx: Tx, authorizationId: number, field: string): Promise<void> {
  const [row] = await tx.sql
    .select({ id: userAuthorizations.id })
    .from(userAuthorizations)
    .where(own(tx, authorizationId))
    .for('key share')
  if (!row) refuse('ERR_NO_AUTHORIZATION_FOUND', { field })
}

export const hasAuthorizations = async (tx: Tx) => (await select(tx).limit(1)).length > 0

/** The first key of the advisory lock, unique among locks of two keys. */
const ADMINISTRATION_LOCK = 7_262_456

/** Serialises changes that may leave a company without an administrator. */
export const lockAdministration = (tx: Tx) =>
  tx.sql.execute(tag`select pg_advisory_xact_lock(${ADMINISTRATION_LOCK}, ${tx.companyId})`)

type Columns = typeof userAuthorizations.$inferInsert

export async function insertAuthorization(tx: Tx, fields: Omit<Columns, 'companyId'>): Promise<number> {
  const [row] = await tx.sql
    .insert(userAuthorizations)
    .values({ ...fields, companyId: tx.companyId })
    .returning({ id: userAuthorizations.id })
  return row!.id
}

export const updateAuthorization = (tx: Tx, authorizationId: number, fields: Partial<Columns>) =>
  tx.sql.update(userAuthorizations).set(fields).where(own(tx, authorizationId))

export const deleteAuthorization = (tx: Tx, authorizationId: number) =>
  tx.sql.delete(userAuthorizations).where(own(tx, authorizationId))

/** Locked before a deletion, so that no user is added concurrently. Refuses with ERR_NO_AUTHORIZATION_FOUND. */
export async function lockAuthorization(tx: Tx, authorizationId: number) {
  const [row] = await tx.sql
    .select({ id: userAuthorizations.id })
    .from(userAuthorizations)
    .where(own(tx, authorizationId))
    .for('update')
  return row ?? refuse('ERR_NO_AUTHORIZATION_FOUND')
}

const select = (tx: Tx, where?: SQL) =>
  tx.sql
    .select()
    .from(userAuthorizations)
    .where(and(eq(userAuthorizations.companyId, tx.companyId), where))
    .orderBy(tag`folded(${userAuthorizations.name})`, userAuthorizations.id)
    .$dynamic()

const own = (tx: Tx, authorizationId: number) =>
  and(eq(userAuthorizations.companyId, tx.companyId), eq(userAuthorizations.id, authorizationId))
