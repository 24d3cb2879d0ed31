import { createHash } from 'node:crypto'
import type { ApiSendMessageToken } from '@balcao/contract/apiTokens.ts'
import type { Lib } from '@balcao/contract/connections.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, prepared } from '../../platform/postgres/prepared.ts'
import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  or,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { isUnderWay } from '../connections/connections.queries.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { queues } from '../queues/queues.table.ts'
import { namesOf } from '../users/users.owned.queries.ts'
import { users } from '../users/users.table.ts'
import { apiTokens } from './apiTokens.table.ts'

export type ApiTokenRow = typeof apiTokens.$inferSelect

/** What a token is found by. Tokens are random, so their hash needs no salt. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** How many the company has, under an advisory lock until the end of the transaction. */
export async function countTokens(tx: Tx): Promise<number> {
  await tx.sql.execute(tag`select pg_advisory_xact_lock(hashtext('apiTokens'), ${tx.companyId})`)
  const [row] = await tx.sql
    .select({ count: count() })
    .from(apiTokens)
    .where(eq(apiTokens.companyId, tx.companyId))
  return row!.count
}

export type TokenReference = 'queueId' | 'whatsappId'
type TokenValues = Omit<typeof apiTokens.$inferInsert, 'companyId'>

const own = (tx: Tx, id: number) => and(eq(apiTokens.companyId, tx.companyId), eq(apiTokens.id, id))
const ofUser = (tx: Tx, userId: number) =>
  and(eq(apiTokens.companyId, tx.companyId), eq(apiTokens.userId, userId))
const named = { id: apiTokens.id, name: apiTokens.name }

export const insertToken = (tx: Tx, values: TokenValues) =>
  tx.sql.insert(apiTokens).values({ ...values, companyId: tx.companyId })

export const updateToken = (tx: Tx, id: number, values: Partial<TokenValues>) =>
  tx.sql.update(apiTokens).set(values).where(own(tx, id))

/** Sets the time of its last use to now, by the database's clock. */
export const noteTokenUse = (tx: Tx, id: number) =>
  tx.sql.update(apiTokens).set({ usedAt: tag`now()` }).where(own(tx, id))

export const deleteToken = (tx: Tx, id: number) => tx.sql.delete(apiTokens).where(own(tx, id))

/** Sets the reference to null; answers the tokens that had it. */
export const unlinkTokens = (tx: Tx, reference: TokenReference, id: number) =>
  tx.sql
    .update(apiTokens)
    .set({ [reference]: null })
    .where(and(eq(apiTokens.companyId, tx.companyId), eq(apiTokens[reference], id)))
    .returning({ name: apiTokens.name })

export const deleteTokensOf = (tx: Tx, userId: number) =>
  tx.sql.delete(apiTokens).where(ofUser(tx, userId)).returning(named)

/** Ends the tokens of a user that have not ended. */
export const expireTokensOf = (tx: Tx, userId: number) =>
  tx.sql
    .update(apiTokens)
    .set({ expiresAt: tag`now()` })
    .where(and(ofUser(tx, userId), tag`(${apiTokens.expiresAt} is null or ${apiTokens.expiresAt} > now())`))
    .returning(named)

export const assignTokensOf = (tx: Tx, userId: number, heirId: number) =>
  tx.sql.update(apiTokens).set({ userId: heirId }).where(ofUser(tx, userId)).returning(named)

export const tokenNamesOf = (tx: Tx, userId: number) => namesOf(tx, apiTokens, userId)

/** One page, by name. */
export async function listTokens(tx: Tx, asked: PageQuery) {
  const found = selectTokens(tx, containing(asked.searchParam, apiTokens.name)).orderBy(
    asc(tag`folded(${apiTokens.name})`),
    asc(apiTokens.id),
  )
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { apiSendMessageTokens: rows.map(row => toToken(row)), hasMore }
}

/** By the token itself or its handle, which is its id in the answer. Refuses with ERR_NOT_FOUND. */
export async function findToken(tx: Tx, named: string): Promise<ApiSendMessageToken> {
  const [row] = await selectTokens(tx, isNamed(named))
  return row ? toToken(row, named) : refuse('ERR_NOT_FOUND', { field: 'tokenId' })
}

const isNamed = (named: string) => or(eq(apiTokens.hash, hashOf(named)), eq(apiTokens.handle, named))

/** The row, locked. Refuses with ERR_NOT_FOUND. */
export async function lockToken(tx: Tx, named: string): Promise<ApiTokenRow> {
  const [row] = await tx.sql
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.companyId, tx.companyId), isNamed(named)))
    .for('update')
  return row ?? refuse('ERR_NOT_FOUND', { field: 'tokenId' })
}

/** The connection of a token; null where it was removed. */
export interface TokenLine {
  id: number
  lib: Lib
  /** Whether a message would be sent now: it runs, and its company is not suspended. */
  isUnderWay: boolean
}

/** `readsAll`: its user has the right to every ticket (`tickets:showAll`). */
export type SharedToken = ApiTokenRow & { readsAll: boolean }

/** The token, share-locked against revocation. Refuses with ERR_API_TOKEN. */
export async function shareToken(
  tx: Tx,
  id: number,
): Promise<{ token: SharedToken; line: TokenLine | null }> {
  const [row] = await shared(tx.sql, { companyId: tx.companyId, id })
  if (!row) return refuse('ERR_API_TOKEN')
  const { token, readsAll, lib, isUnderWay } = row
  const line = token.whatsappId !== null && lib ? { id: token.whatsappId, lib, isUnderWay } : null
  return { token: { ...token, readsAll }, line }
}

/** A token without a user, of a user who rests, or an expired one, does not send. */
const isGood = and(
  tag`exists (select from ${users} u where u.company_id = ${apiTokens.companyId} and u.id = ${apiTokens.userId}
    and u.resting_since is null)`,
  tag`(${apiTokens.expiresAt} is null or ${apiTokens.expiresAt} > now())`,
)

const shared = prepared(sql =>
  sql
    .select({
      token: getTableColumns(apiTokens),
      readsAll: tag<boolean>`coalesce(${users.profile} = 'admin' or ${users.master} = 1, false)`,
      lib: tag<Lib | null>`${whatsapps.lib}`,
      isUnderWay: tag<boolean>`coalesce(${isUnderWay} and ${companies.suspendedAt} is null, false)`,
    })
    .from(apiTokens)
    .innerJoin(companies, eq(companies.id, apiTokens.companyId))
    .leftJoin(users, and(eq(users.companyId, apiTokens.companyId), eq(users.id, apiTokens.userId)))
    .leftJoin(
      whatsapps,
      and(eq(whatsapps.companyId, apiTokens.companyId), eq(whatsapps.id, apiTokens.whatsappId)),
    )
    .where(and(eq(apiTokens.companyId, given('companyId')), eq(apiTokens.id, given('id')), isGood))
    .for('share', { of: apiTokens }),
)

/**
 * The company of a token, whether its plan has the API, and whether its last use is to be recorded. Null for an unknown
 * token, one without a user or of a user who rests, an expired one, and those of a company that was switched off (OP-45).
 */
export async function knownToken(sql: Sql, token: string) {
  const [row] = await known(sql, { hash: hashOf(token) })
  return row ?? null
}

const known = prepared(sql =>
  sql
    .select({
      companyId: apiTokens.companyId,
      tokenId: apiTokens.id,
      userId: tag<number>`${apiTokens.userId}`,
      secret: apiTokens.handle,
      name: apiTokens.name,
      isInPlan: tag<boolean>`coalesce(${plans.enableApi}, true)`,
      isStale: tag<boolean>`coalesce(${apiTokens.usedAt} < now() - interval '1 minute', true)`,
    })
    .from(apiTokens)
    .innerJoin(companies, and(eq(companies.id, apiTokens.companyId), eq(companies.status, 1)))
    .leftJoin(plans, eq(plans.companyId, companies.id))
    .where(and(eq(apiTokens.hash, given('hash')), isGood)),
)

const selectTokens = (tx: Tx, where: SQL | undefined) =>
  tx.sql
    .select({
      token: apiTokens,
      user: { id: users.id, name: users.name },
      queue: { id: queues.id, name: queues.name, color: queues.color },
      whatsapp: { id: whatsapps.id, name: whatsapps.name },
    })
    .from(apiTokens)
    .leftJoin(users, and(eq(users.companyId, apiTokens.companyId), eq(users.id, apiTokens.userId)))
    .leftJoin(queues, and(eq(queues.companyId, apiTokens.companyId), eq(queues.id, apiTokens.queueId)))
    .leftJoin(
      whatsapps,
      and(eq(whatsapps.companyId, apiTokens.companyId), eq(whatsapps.id, apiTokens.whatsappId)),
    )
    .where(and(eq(apiTokens.companyId, tx.companyId), where))
    .$dynamic()

type Selected = Awaited<ReturnType<typeof selectTokens>>[number]

const toToken = ({ token, ...joined }: Selected, named = token.handle): ApiSendMessageToken => ({
  ...token,
  ...joined,
  id: named,
})
