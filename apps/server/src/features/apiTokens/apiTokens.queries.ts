import { createHash } from 'node:crypto'
import type { ApiSendMessageToken } from '@balcao/contract/apiTokens.ts'
import type { Lib } from '@balcao/contract/connections.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { given, prepared } from '../../platform/db.prepared.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists.ts'
import type { Tx } from '../../platform/scope.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { and, asc, eq, getTableColumns, type SQL, sql as tag } from '../../platform/sql.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { isUnderWay } from '../connections/connections.queries.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'
import { apiTokens } from './apiTokens.table.ts'

export type ApiTokenRow = typeof apiTokens.$inferSelect

/** What a token is found by. It is random, so that nobody can try what it was made of. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** One page, by name. */
export async function listTokens(tx: Tx, asked: PageQuery, secrets: Secrets) {
  const found = selectTokens(tx, containing(asked.searchParam, apiTokens.name)).orderBy(
    asc(tag`lower(${apiTokens.name})`),
    asc(apiTokens.id),
  )
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { apiSendMessageTokens: rows.map(row => toToken(row, secrets)), hasMore }
}

/** By the token itself. Refuses with ERR_NOT_FOUND. */
export async function findToken(tx: Tx, token: string, secrets: Secrets): Promise<ApiSendMessageToken> {
  const [row] = await selectTokens(tx, eq(apiTokens.hash, hashOf(token)))
  return row ? toToken(row, secrets) : refuse('ERR_NOT_FOUND', { field: 'tokenId' })
}

/** The row, locked. Refuses with ERR_NOT_FOUND. */
export async function lockToken(tx: Tx, token: string): Promise<ApiTokenRow> {
  const [row] = await tx.sql
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.companyId, tx.companyId), eq(apiTokens.hash, hashOf(token))))
    .for('update')
  return row ?? refuse('ERR_NOT_FOUND', { field: 'tokenId' })
}

/** What a token sends over; null where it has lost its connection. */
export interface TokenLine {
  id: number
  lib: Lib
  /** Whether what is written would leave now: it is there, and its company is not suspended. */
  isUnderWay: boolean
}

/** Nobody revokes it while this transaction goes on. Refuses with ERR_API_TOKEN. */
export async function shareToken(
  tx: Tx,
  id: number,
): Promise<{ token: ApiTokenRow; line: TokenLine | null }> {
  const [row] = await shared(tx.sql, { companyId: tx.companyId, id })
  if (!row) return refuse('ERR_API_TOKEN')
  const { token, lib, isUnderWay } = row
  return { token, line: token.whatsappId !== null && lib ? { id: token.whatsappId, lib, isUnderWay } : null }
}

const shared = prepared(sql =>
  sql
    .select({
      token: getTableColumns(apiTokens),
      lib: tag<Lib | null>`${whatsapps.lib}`,
      isUnderWay: tag<boolean>`coalesce(${isUnderWay} and ${companies.suspendedAt} is null, false)`,
    })
    .from(apiTokens)
    .innerJoin(companies, eq(companies.id, apiTokens.companyId))
    .leftJoin(
      whatsapps,
      and(eq(whatsapps.companyId, apiTokens.companyId), eq(whatsapps.id, apiTokens.whatsappId)),
    )
    .where(and(eq(apiTokens.companyId, given('companyId')), eq(apiTokens.id, given('id'))))
    .for('share', { of: apiTokens }),
)

/**
 * Whose token it is, of whatever company, whether its plan has the API, and whether its last use is worth writing down.
 * Null for one that nobody has and for those of a company that was switched off (OP-45).
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
      isInPlan: tag<boolean>`coalesce(${plans.enableApi}, true)`,
      isStale: tag<boolean>`coalesce(${apiTokens.usedAt} < now() - interval '1 minute', true)`,
    })
    .from(apiTokens)
    .innerJoin(companies, and(eq(companies.id, apiTokens.companyId), eq(companies.status, 1)))
    .leftJoin(plans, eq(plans.companyId, companies.id))
    .where(eq(apiTokens.hash, given('hash'))),
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

const toToken = ({ token, ...joined }: Selected, secrets: Secrets): ApiSendMessageToken => ({
  ...token,
  ...joined,
  id: secrets.open(token.companyId, token.sealed),
})
