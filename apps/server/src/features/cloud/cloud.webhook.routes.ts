import { createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Secrets } from '../../platform/access/secrets.ts'
import type { Platform } from '../../platform/app.ts'
import { type Raw, type RawCall, serveRaw } from '../../platform/http/routes.ts'
import { perCompany, perProduct } from '../../platform/memory.ts'
import { batching } from '../../platform/work/group-commit.ts'
import { isWebhookKey, WEBHOOK_PATH } from '../connections/connections.rules.ts'
import { keepDeliveries, type Posted } from './cloud.actions.ts'
import { ownerOfKey, ownersOfNumbers, signedUpOwners } from './cloud.queries.ts'

/** How long (ms) an owner is cached; a changed secret counts after that. */
const KNOWN_MS = 5_000
const KNOWN_MOST = 5_000

/** Where the operator's app calls: in place of a connection's key. */
const APP = 'app'

interface Signer {
  appSecret: string
  verifyToken: string
}

interface Owner extends Signer {
  companyId: number
  whatsappId: number
  phoneNumberId: string
}

const summary = 'What Meta calls about a number of the official API.'

/** Meta's handshake and its posts. Without the key of a connection nothing of it is revealed. */
export const webhook: Raw[] = [
  serveRaw({
    method: 'GET',
    path: `${WEBHOOK_PATH}/:key`,
    summary,
    async handle(platform, call) {
      const signer = appIn(platform, call) ?? (await ownerOf(platform, call.params))
      if (!signer) return { status: 404 }
      const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = call.query
      if (mode !== 'subscribe' || typeof challenge !== 'string' || challenge.length > 500)
        return { status: 403 }
      return same(String(token), signer.verifyToken) ? { status: 200, text: challenge } : { status: 403 }
    },
  }),
  serveRaw({
    method: 'POST',
    path: `${WEBHOOK_PATH}/:key`,
    summary,
    companyOf: async (platform, params) => (await ownerOf(platform, params))?.companyId ?? null,
    async handle(platform, call) {
      const app = appIn(platform, call)
      const owner = app ? null : await ownerOf(platform, call.params)
      const signer = app ?? owner
      if (!signer) return { status: 404 }
      const signature = call.headers['x-hub-signature-256']
      if (typeof signature !== 'string') return { status: 401 }
      if (!isSigned(call.body, signature, signer.appSecret)) return { status: 403 }
      const subjects = subjectsOf(call.body)
      if (!subjects) return { status: 400 }
      if (owner) await keep(platform, owner, subjects, call.body)
      else await keepOfApp(platform, signer, subjects)
      return { status: 200 }
    },
  }),
]

/** The operator's app, which the sign-up uses. */
function appIn({ config }: Platform, { params }: RawCall): Signer | null {
  const { metaAppSecret: appSecret, metaConfigId: verifyToken } = config
  return params.key === APP && appSecret && verifyToken ? { appSecret, verifyToken } : null
}

const ownersOf = perProduct(() => new LRUCache<string, Owner>({ max: KNOWN_MOST, ttl: KNOWN_MS }))

async function ownerOf(platform: Platform, { key = '' }: RawCall['params']): Promise<Owner | null> {
  const known = ownersOf(platform)
  const remembered = known.get(key)
  if (remembered) return remembered
  const owner = isWebhookKey(key) ? await look(platform, key) : null
  if (owner) known.set(key, owner)
  return owner
}

async function look({ scopes, secrets }: Platform, key: string): Promise<Owner | null> {
  const row = await scopes.platform().transaction(sql => ownerOfKey(sql, key))
  // one that was carried from another installation has none until an admin enters them
  if (!row?.appSecret || !row.verifyToken) return null
  const open = (sealed: string) => secrets.open(row.companyId, sealed)
  return {
    ...row,
    appSecret: open(row.appSecret),
    verifyToken: open(row.verifyToken),
  }
}

/** Meta's HMAC over the bytes as they came, in lower-case hexadecimal. */
function isSigned(body: Buffer, header: string, appSecret: string): boolean {
  const given = Buffer.from(header)
  const wanted = Buffer.from(`sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** In the same time whatever is given. */
function same(given: string, wanted: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}

interface Subjects {
  numbers: Set<string>
  accounts: Set<string>
  entry: Entry[]
}

interface Entry {
  id?: unknown
  changes?: { value?: { metadata?: { phone_number_id?: unknown } } }[]
}

/** The numbers it is about, and the accounts where it is about no number; null for any other body. */
function subjectsOf(body: Buffer): Subjects | null {
  try {
    const { entry } = JSON.parse(body.toString('utf8')) as { entry?: Entry[] }
    if (!Array.isArray(entry)) return null
    const subjects: Subjects = { numbers: new Set(), accounts: new Set(), entry }
    for (const one of entry)
      for (const change of one?.changes ?? []) {
        const number = change?.value?.metadata?.phone_number_id
        if (number === undefined) subjects.accounts.add(String(one?.id ?? ''))
        else subjects.numbers.add(String(number))
      }
    return subjects
  } catch {
    return null
  }
}

/** Whether a connection's webhooks are signed with the same secret. */
const hasSecret = (
  secrets: Secrets,
  { companyId, appSecret: sealed }: { companyId: number; appSecret: string },
  { appSecret }: Signer,
) => sealed !== '' && secrets.open(companyId, sealed) === appSecret

/** For its own number, and for others of the same company, or of its account, whose app has the same secret. */
async function keep(platform: Platform, owner: Owner, { numbers, accounts }: Subjects, body: Buffer) {
  const { scopes, secrets } = platform
  const others = [...numbers].filter(number => number !== owner.phoneNumberId).slice(0, 100)
  const of = [...accounts].filter(account => account !== '').slice(0, 100)
  const beside =
    others.length + of.length > 0
      ? await scopes.promised(owner.companyId).read(tx => ownersOfNumbers(tx, others, of))
      : []
  const sameApp = beside.filter(one => hasSecret(secrets, { ...one, companyId: owner.companyId }, owner))
  const whatsappIds = [...new Set([owner.whatsappId, ...sameApp.map(one => one.whatsappId)])]
  await batchOf(platform, owner.companyId)({ whatsappIds, body })
}

/** Meta puts so many updates into one call at most. */
const UPDATES_MOST = 1_000

/** What has no address of its own at Meta: for the connections of all companies that signed up with the operator's app. */
async function keepOfApp(platform: Platform, signer: Signer, { numbers, accounts, entry }: Subjects) {
  const { scopes, secrets } = platform
  const found = await scopes
    .platform()
    .transaction(sql =>
      signedUpOwners(sql, [...numbers].slice(0, UPDATES_MOST), [...accounts].slice(0, UPDATES_MOST)),
    )
  const own = found.filter(one => hasSecret(secrets, one, signer))
  for (const [companyId, theirs] of Map.groupBy(own, one => one.companyId)) {
    const whatsappIds = theirs.map(({ whatsappId }) => whatsappId)
    await batchOf(platform, companyId)({ whatsappIds, body: bodyOf(theirs, entry) })
  }
}

/** Of what is about numbers of several companies the part of one, as if Meta had posted it alone. */
function bodyOf(theirs: { phoneNumberId: string; businessAccountId: string }[], entry: Entry[]): Buffer {
  const isTheirs = (account: unknown, number: unknown) =>
    theirs.some(one =>
      number === undefined ? one.businessAccountId === account : one.phoneNumberId === number,
    )
  const entries = entry.flatMap(one => {
    const changes = one?.changes?.filter(change => isTheirs(one.id, change?.value?.metadata?.phone_number_id))
    return changes?.length ? [{ ...one, changes }] : []
  })
  return Buffer.from(JSON.stringify({ entry: entries }))
}

/**
 * Group commit: deliveries of one company that come while others are being stored share the next commit. Resolves when this
 * one is stored. Throws when it could not be: Meta posts it again. A connection that was removed meanwhile does not hold up
 * the others. It precedes users' calls of the company.
 */
const batchOf = perCompany(({ scopes }: Platform, companyId) =>
  batching(async (posted: Posted[]) => {
    await keepDeliveries(scopes.promised(companyId), posted)
    return posted.map(() => undefined)
  }),
)
