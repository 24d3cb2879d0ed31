import { randomBytes } from 'node:crypto'
import { mayChangeToken } from '@balcao/contract/apiTokens.rules.ts'
import type { ApiSendMessageToken, ApiTokenInput } from '@balcao/contract/apiTokens.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { and, eq, sql as tag } from '../../platform/sql.ts'
import { ticketIdsInCompany } from '../tickets/tickets.checks.ts'
import { apiTokensChanged } from './apiTokens.events.ts'
import { type ApiTokenRow, findToken, hashOf, lockToken } from './apiTokens.queries.ts'
import { apiTokens } from './apiTokens.table.ts'

/** Makes one of the caller’s. Refuses with ERR_NO_WAPP_FOUND, ERR_NO_QUEUE_FOUND, ERR_NO_USER_FOUND, ERR_NO_PERMISSION. */
export const addToken = (
  scope: Scope,
  input: ApiTokenInput,
  secrets: Secrets,
): Promise<ApiSendMessageToken> =>
  scope.transaction(async tx => {
    const fields = await fieldsOf(tx, input, viewerOf(tx).id)
    const { token, kept } = newToken(tx, secrets)
    await tx.sql.insert(apiTokens).values({ ...fields, ...kept, companyId: tx.companyId })
    tx.emit(apiTokensChanged, { action: 'create', apiSendMessageToken: { name: fields.name } })
    return findToken(tx, token, secrets)
  })

/** Refuses like `addToken`, and with ERR_NOT_FOUND. */
export const changeToken = (
  scope: Scope,
  token: string,
  input: ApiTokenInput,
  secrets: Secrets,
): Promise<ApiSendMessageToken> =>
  scope.transaction(async tx => {
    const row = await lockOwn(tx, token)
    // one whose user is gone is from now on of whoever changes it
    return save(tx, row, await fieldsOf(tx, input, row.userId ?? viewerOf(tx).id), token, secrets)
  })

/** A new id for the same token; the old one is refused from now on. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const renewToken = (scope: Scope, token: string, secrets: Secrets): Promise<ApiSendMessageToken> =>
  scope.transaction(async tx => {
    const row = await lockOwn(tx, token)
    const renewed = newToken(tx, secrets)
    return save(tx, row, { ...renewed.kept, usedAt: null }, renewed.token, secrets)
  })

/** Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const removeToken = (scope: Scope, token: string): Promise<void> =>
  scope.transaction(async tx => {
    const { id } = await lockOwn(tx, token)
    await tx.sql.delete(apiTokens).where(own(tx, id))
    tx.emit(apiTokensChanged, { action: 'delete', apiSendMessageTokenId: id })
  })

/** Somebody called with it. */
export const noteUse = (scope: Scope, id: number): Promise<void> =>
  scope.transaction(async tx => {
    await tx.sql.update(apiTokens).set({ usedAt: tag`now()` }).where(own(tx, id))
  })

type Named = 'queueId' | 'userId' | 'whatsappId'

/** What would be open is attended by nobody then: it waits. */
const whatWaits = tag`case when ${apiTokens.ticketSetStatus} = 'open' then 'pending' else ${apiTokens.ticketSetStatus} end`

/** What is about to go is named by no token any more. */
export async function letTokensGo(tx: Tx, going: Partial<Record<Named, number>>): Promise<void> {
  for (const [name, id] of Object.entries(going) as [Named, number][]) {
    const freed = await tx.sql
      .update(apiTokens)
      .set({ [name]: null, ...(name === 'userId' && { ticketSetStatus: whatWaits }) })
      .where(and(eq(apiTokens.companyId, tx.companyId), eq(apiTokens[name], id)))
      .returning({ name: apiTokens.name })
    for (const one of freed) tx.emit(apiTokensChanged, { action: 'update', apiSendMessageToken: one })
  }
}

async function save(
  tx: Tx,
  { id, name }: ApiTokenRow,
  fields: Partial<typeof apiTokens.$inferInsert>,
  token: string,
  secrets: Secrets,
) {
  await tx.sql.update(apiTokens).set(fields).where(own(tx, id))
  tx.emit(apiTokensChanged, { action: 'update', apiSendMessageToken: { name: fields.name ?? name } })
  return findToken(tx, token, secrets)
}

async function lockOwn(tx: Tx, token: string): Promise<ApiTokenRow> {
  const row = await lockToken(tx, token)
  return mayChangeToken(viewerOf(tx), row) ? row : refuse('ERR_NO_PERMISSION')
}

/** `owner`: who has it when nobody else is named. */
async function fieldsOf(tx: Tx, { userId, queueId, ...input }: ApiTokenInput, owner: number) {
  const me = viewerOf(tx)
  if (userId && userId !== owner && userId !== me.id && !may(me, 'admin'))
    return refuse('ERR_NO_PERMISSION', { field: 'userId' })
  const fields = { ...input, userId: userId ?? owner, queueId: queueId ?? null }
  await ticketIdsInCompany(tx, fields)
  return fields
}

/** 128 random bits, written like a UUID (OP-96). */
function newToken(tx: Tx, secrets: Secrets) {
  const token = randomBytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return { token, kept: { hash: hashOf(token), sealed: secrets.seal(tx.companyId, token) } }
}

const own = (tx: Tx, id: number) => and(eq(apiTokens.companyId, tx.companyId), eq(apiTokens.id, id))
