import { randomBytes } from 'node:crypto'
import { mayChangeToken } from '@balcao/contract/apiTokens.rules.ts'
import { type ApiSendMessageToken, type ApiTokenInput, MAX_TOKENS } from '@balcao/contract/apiTokens.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { databaseNow } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { viewerOfUser } from '../auth/auth.queries.ts'
import { ticketIdsInCompany } from '../tickets/moves/moves.queries.ts'
import { apiTokensChanged } from './apiTokens.events.ts'
import {
  type ApiTokenRow,
  assignTokensOf,
  countTokens,
  deleteToken,
  deleteTokensOf,
  expireTokensOf,
  findToken,
  hashOf,
  insertToken,
  lockToken,
  noteTokenUse,
  type TokenReference,
  unlinkTokens,
  updateToken,
} from './apiTokens.queries.ts'

/** Adds a token of the caller. Refuses with ERR_NO_WAPP_FOUND, ERR_NO_QUEUE_FOUND, ERR_NO_USER_FOUND, ERR_NO_PERMISSION, ERR_TOO_MANY_TOKENS. */
export const addToken = (scope: Scope, input: ApiTokenInput): Promise<ApiSendMessageToken> =>
  scope.transaction(async tx => {
    const fields = await fieldsOf(tx, input, viewerOf(tx).id)
    if ((await countTokens(tx)) >= MAX_TOKENS) return refuse('ERR_TOO_MANY_TOKENS')
    const { token, kept } = newToken()
    await insertToken(tx, { ...fields, ...kept })
    tx.emit(apiTokensChanged, { action: 'create', apiSendMessageToken: { name: fields.name } })
    return findToken(tx, token)
  })

/** Refuses like `addToken`, and with ERR_NOT_FOUND. */
export const changeToken = (
  scope: Scope,
  token: string,
  input: ApiTokenInput,
): Promise<ApiSendMessageToken> =>
  scope.transaction(async tx => {
    const row = await lockOwn(tx, token)
    const fields = await fieldsOf(tx, input, row.userId ?? viewerOf(tx).id)
    // the id of a deleted user's token may still be known: only a new id lets it send again
    return save(tx, row, row.userId === null ? { ...fields, userId: null } : fields, token)
  })

/**
 * A new id for the same token; the old one is refused from now on. A token of a deleted user passes to who renews it; an
 * expired one does not expire any more. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION.
 */
export const renewToken = (scope: Scope, token: string): Promise<ApiSendMessageToken> =>
  scope.transaction(async tx => {
    const row = await lockOwn(tx, token)
    const renewed = newToken()
    const isOver = row.expiresAt !== null && Date.parse(row.expiresAt) <= databaseNow()
    const again = { usedAt: null, userId: row.userId ?? viewerOf(tx).id, ...(isOver && { expiresAt: null }) }
    return save(tx, row, { ...renewed.kept, ...again }, renewed.token)
  })

/** Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const removeToken = (scope: Scope, token: string): Promise<void> =>
  scope.transaction(async tx => {
    const { id } = await lockOwn(tx, token)
    await deleteToken(tx, id)
    tx.emit(apiTokensChanged, { action: 'delete', apiSendMessageTokenId: id })
  })

/** Records that a program called with it. */
export const noteUse = (scope: Scope, id: number): Promise<void> =>
  scope.transaction(async tx => {
    await noteTokenUse(tx, id)
  })

/** Removes a queue or a connection that is about to be deleted from tokens. */
export async function releaseTokens(tx: Tx, going: Partial<Record<TokenReference, number>>): Promise<void> {
  for (const [name, id] of Object.entries(going) as [TokenReference, number][]) {
    for (const one of await unlinkTokens(tx, name, id))
      tx.emit(apiTokensChanged, { action: 'update', apiSendMessageToken: one })
  }
}

/** Tokens of a user whose password changed expire now; renewed they are others. */
export async function endTokens(tx: Tx, userId: number): Promise<void> {
  const ended = await expireTokensOf(tx, userId)
  for (const { name } of ended) tx.emit(apiTokensChanged, { action: 'update', apiSendMessageToken: { name } })
  if (ended.length > 0) tx.note('API tokens end with a password', { userId, count: ended.length })
}

/** Tokens of a deleted user pass to the heir, or are revoked. */
export async function bequeathTokens(tx: Tx, userId: number, heirId: number | null): Promise<void> {
  if (heirId === null) {
    for (const { id } of await deleteTokensOf(tx, userId))
      tx.emit(apiTokensChanged, { action: 'delete', apiSendMessageTokenId: id })
    return
  }
  for (const { name } of await assignTokensOf(tx, userId, heirId))
    tx.emit(apiTokensChanged, { action: 'update', apiSendMessageToken: { name } })
}

async function save(
  tx: Tx,
  { id, name }: ApiTokenRow,
  fields: Parameters<typeof updateToken>[2],
  token: string,
) {
  await updateToken(tx, id, fields)
  tx.emit(apiTokensChanged, { action: 'update', apiSendMessageToken: { name: fields.name ?? name } })
  return findToken(tx, token)
}

async function lockOwn(tx: Tx, token: string): Promise<ApiTokenRow> {
  const row = await lockToken(tx, token)
  return mayChangeToken(viewerOf(tx), row) ? row : refuse('ERR_NO_PERMISSION')
}

/** `owner`: the user when the input names none. */
async function fieldsOf(tx: Tx, { userId, queueId, ...input }: ApiTokenInput, owner: number) {
  if (input.expiresAt && Date.parse(input.expiresAt) <= databaseNow())
    return refuse('ERR_BAD_REQUEST', { field: 'expiresAt', message: 'In the future' })
  const me = viewerOf(tx)
  if (userId && userId !== owner && userId !== me.id && !may(me, 'admin'))
    return refuse('ERR_NO_PERMISSION', { field: 'userId' })
  const fields = { ...input, userId: userId ?? owner, queueId: queueId ?? null }
  await ticketIdsInCompany(tx, fields)
  const user = fields.userId === me.id ? me : await viewerOfUser(tx.sql, tx.companyId, fields.userId)
  // each of its sends would be refused; who adds it reads the queue too
  for (const one of [me, user])
    if (queueId && one && !may(one, 'tickets:showAll') && !one.queueIds.includes(queueId))
      return refuse('ERR_NO_QUEUE_FOUND', { field: 'queueId' })
  return fields
}

/** 128 random bits, written like a UUID (OP-96). */
function newToken() {
  const token = randomBytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return { token, kept: { hash: hashOf(token), ending: token.slice(-4) } }
}
