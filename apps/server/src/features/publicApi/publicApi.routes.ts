import { apiDocuments, type PublicMessage, publicApi } from '@balcao/contract/publicApi.ts'
import type { SecretCall } from '@balcao/contract/secretUses.ts'
import type { Platform } from '../../platform/app.ts'
import { Refusal, refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { discard } from '../../platform/http/files.ts'
import { type Entered, serve, serveToken, type Visit } from '../../platform/http/routes.ts'
import { perProduct } from '../../platform/memory.ts'
import type { Scope } from '../../platform/scope.ts'
import { noteUse } from '../apiTokens/apiTokens.actions.ts'
import { knownToken } from '../apiTokens/apiTokens.queries.ts'
import { numberMeant } from '../contacts/contacts.numbers.actions.ts'
import { countSecretUse } from '../secretUses/secretUses.actions.ts'
import { answeredBefore, type PublicDraft, sendByToken } from './publicApi.actions.ts'
import { fetchFiles } from './publicApi.client.ts'
import { describePublicApi } from './publicApi.docs.rules.ts'
import { statusOf } from './publicApi.queries.ts'

const MAX_KEY = 255

/**
 * Lets a program in by its token, and counts its call. Refuses with ERR_API_TOKEN, whether it is unknown, revoked or missing,
 * and with ERR_NOT_IN_PLAN.
 */
const enterTo =
  (call: SecretCall) =>
  async (
    platform: Platform,
    bearer: string | undefined,
    network: string,
    isAgain: boolean,
  ): Promise<Entered> => {
    const known = bearer ? await platform.scopes.platform().list(sql => knownToken(sql, bearer)) : null
    if (!known) return refuse('ERR_API_TOKEN')
    if (!isAgain) await countSecretUse(platform, { ...known, kind: 'apiToken', call, network })
    return enter(platform.scopes, known)
  }

async function enter(scopes: Platform['scopes'], known: NonNullable<Awaited<ReturnType<typeof knownToken>>>) {
  const { companyId, tokenId, isInPlan, isStale } = known
  if (!isInPlan) refuse('ERR_NOT_IN_PLAN')
  if (isStale) await noteUse(scopes.inCompany(companyId), tokenId)
  return { companyId, tokenId }
}

async function send(scope: Scope, body: PublicMessage, uploaded: StoredFile[], visit: Visit) {
  const { platform, origin } = visit
  const tokenId = visit.tokenId!
  const draft: PublicDraft = {
    to: await addresseeIn(scope, body),
    contactName: body.contactName ?? '',
    body: body.body,
    uploaded,
    addresses: body.medias ?? [],
    key: keyOf(visit),
  }
  const drop = (files: StoredFile[]) => discard(platform.files, scope.companyId, files)
  const before = draft.key === null ? null : await answeredBefore(scope, tokenId, draft.key, draft)
  if (before) {
    await drop(uploaded)
    return before
  }
  const fetched = await fetchFiles(platform, scope.companyId, draft.addresses)
  try {
    const { answer, again } = await sendByToken(scope, tokenId, draft, fetched, origin)
    if (again) await drop([...uploaded, ...fetched])
    return answer
  } catch (error) {
    // uploads are removed with the refusal; after a lost answer its messages may be committed
    if (error instanceof Refusal) await drop(fetched)
    throw error
  }
}

async function addresseeIn(
  scope: Scope,
  { number, contactNumber, country, ticketId, contactId }: PublicMessage,
): Promise<PublicDraft['to']> {
  if (ticketId !== undefined) return { ticketId }
  if (contactId !== undefined) return { contactId }
  return scope.read(tx => numberMeant(tx, number ?? contactNumber!, country))
}

function keyOf(visit: Visit): string | null {
  const key = visit.header('idempotency-key')?.trim()
  if (!key) return null
  return key.length <= MAX_KEY
    ? key
    : refuse('ERR_BAD_REQUEST', { field: 'Idempotency-Key', message: `At most ${MAX_KEY} characters` })
}

const description = perProduct(() => describePublicApi())

export const routes = [
  serveToken(publicApi.send, enterTo('send'), (scope, { body, files }, visit) =>
    send(scope, body, files, visit),
  ),
  serveToken(publicApi.text, enterTo('send'), (scope, { body, files }, visit) =>
    send(scope, body, files, visit),
  ),
  serveToken(publicApi.media, enterTo('send'), (scope, { body, files }, visit) => {
    if (files.length === 0 && !body.medias?.length)
      return refuse('ERR_BAD_REQUEST', { field: 'medias', message: 'Required' })
    return send(scope, body, files, visit)
  }),
  serveToken(publicApi.status, enterTo('status'), (scope, { params }, { tokenId }) =>
    scope.read(tx => statusOf(tx, tokenId!, params.messageId)),
  ),
  serve(apiDocuments.show, async scope => description(scope)),
]
