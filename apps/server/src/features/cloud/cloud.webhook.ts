import { createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Platform } from '../../platform/app.ts'
import type { Raw, RawCall } from '../../platform/routes.ts'
import { WEBHOOK_PATH } from '../connections/connections.cloud.ts'
import { batchDelivery } from './cloud.batch.ts'
import { ownerOfKey, ownersOfNumbers } from './cloud.queries.ts'

/** So long an owner is believed without looking again; a secret that was changed counts as long. */
const KNOWN_MS = 5_000
const KNOWN_MOST = 5_000

interface Owner {
  companyId: number
  whatsappId: number
  phoneNumberId: string
  appSecret: string
  verifyToken: string
}

const says = 'What Meta calls about a number of the official API.'

/** Meta's handshake and its news. Whoever does not know the key of a connection learns nothing of it. */
export function webhook(): Raw[] {
  const known = new LRUCache<string, Owner>({ max: KNOWN_MOST, ttl: KNOWN_MS })
  const ownerOf = async (platform: Platform, { params }: RawCall) => {
    const key = params.key ?? ''
    const remembered = known.get(key)
    if (remembered) return remembered
    const owner = /^[0-9a-f]{48}$/.test(key) ? await look(platform, key) : null
    if (owner) known.set(key, owner)
    return owner
  }
  return [
    {
      method: 'GET',
      path: `${WEBHOOK_PATH}/:key`,
      says,
      async handle(platform, call) {
        const owner = await ownerOf(platform, call)
        if (!owner) return { status: 404 }
        const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = call.query
        if (mode !== 'subscribe' || typeof challenge !== 'string' || challenge.length > 500)
          return { status: 403 }
        return same(String(token), owner.verifyToken) ? { status: 200, text: challenge } : { status: 403 }
      },
    },
    {
      method: 'POST',
      path: `${WEBHOOK_PATH}/:key`,
      says,
      async handle(platform, call) {
        const owner = await ownerOf(platform, call)
        if (!owner) return { status: 404 }
        const signature = call.headers['x-hub-signature-256']
        if (typeof signature !== 'string') return { status: 401 }
        if (!isSigned(call.body, signature, owner.appSecret)) return { status: 403 }
        const numbers = numbersIn(call.body)
        if (!numbers) return { status: 400 }
        await keep(platform, owner, numbers, call.body)
        return { status: 200 }
      },
    },
  ]
}

async function look({ scopes, secrets }: Platform, key: string): Promise<Owner | null> {
  const row = await scopes.platform().transaction(sql => ownerOfKey(sql, key))
  if (!row) return null
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

interface Posted {
  entry?: { changes?: { value?: { metadata?: { phone_number_id?: unknown } } }[] }[]
}

/** The numbers it is about, '' for news of the account; null for what is no news at all. */
function numbersIn(body: Buffer): Set<string> | null {
  try {
    const { entry } = JSON.parse(body.toString('utf8')) as Posted
    if (!Array.isArray(entry)) return null
    const changes = entry.flatMap(one => one?.changes ?? [])
    return new Set(changes.map(change => String(change?.value?.metadata?.phone_number_id ?? '')))
  } catch {
    return null
  }
}

/** For its own number, and for others of the same company whose app has the same secret. */
async function keep(platform: Platform, owner: Owner, numbers: Set<string>, body: Buffer) {
  const { scopes, secrets } = platform
  const others = [...numbers].filter(number => number !== '' && number !== owner.phoneNumberId)
  const beside =
    others.length > 0
      ? await scopes.inCompany(owner.companyId).read(tx => ownersOfNumbers(tx, others.slice(0, 100)))
      : []
  const sameApp = beside.filter(one => secrets.open(owner.companyId, one.appSecret) === owner.appSecret)
  const whatsappIds = [owner.whatsappId, ...sameApp.map(one => one.whatsappId)]
  await batchDelivery(platform, owner.companyId, { whatsappIds, body })
}
