import { apiDocuments, MOST_DIGITS, type PublicMessage, publicApi } from '@balcao/contract/publicApi.ts'
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
import { answeredBefore, type PublicDraft, sendByToken } from './publicApi.actions.ts'
import { fetchFiles } from './publicApi.client.ts'
import { describePublicApi } from './publicApi.docs.rules.ts'
import { statusOf } from './publicApi.queries.ts'

const MAX_KEY = 255

/** Lets a program in by its token. Refuses with ERR_API_TOKEN, whether it is unknown, revoked or missing, and with ERR_NOT_IN_PLAN. */
async function enter({ scopes }: Platform, bearer: string | undefined): Promise<Entered> {
  const known = bearer ? await scopes.platform().transaction(sql => knownToken(sql, bearer)) : null
  if (!known) return refuse('ERR_API_TOKEN')
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
  const meant = await scope.read(tx => numberMeant(tx, number ?? contactNumber!, country))
  return meant.length > MOST_DIGITS
    ? refuse('ERR_BAD_REQUEST', { field: 'number', message: 'Too Long!' })
    : meant
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
  serveToken(publicApi.send, enter, (scope, { body, files }, visit) => send(scope, body, files, visit)),
  serveToken(publicApi.text, enter, (scope, { body, files }, visit) => send(scope, body, files, visit)),
  serveToken(publicApi.media, enter, (scope, { body, files }, visit) => {
    if (files.length === 0 && !body.medias?.length)
      return refuse('ERR_BAD_REQUEST', { field: 'medias', message: 'Required' })
    return send(scope, body, files, visit)
  }),
  serveToken(publicApi.status, enter, (scope, { params }, { tokenId }) =>
    scope.read(tx => statusOf(tx, tokenId!, params.messageId)),
  ),
  serve(apiDocuments.show, async scope => description(scope)),
]
