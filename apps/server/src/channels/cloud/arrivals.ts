import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Heard, SessionHost, Target } from '../../driver.ts'
import { isUnfit } from '../../platform/errors.ts'
import type { SessionStore } from './store.ts'
import { type Change, idsIn, type Names, translateChanges, type WebhookBody } from './translate.ts'

/** So many deliveries are worked off at once: their news is one commit. */
const BATCH = 60
const CHATS_MOST = 5_000

type Delivery = Awaited<ReturnType<SessionStore['waiting']>>[number]

interface Deps {
  host: SessionHost
  store: SessionStore
  phoneNumberId: string
  log: Logger
  /** News of the account or of a template. */
  onAccount(fields: string[]): void
}

export interface Arrivals {
  /** Works off what waits; true when there was something. */
  workOff(): Promise<boolean>
  /** The last message of a chat that its customer wrote, since this session opened. */
  lastOf(chat: string): Target | undefined
  lastWebhookAt(): string | null
}

/** Takes in what the webhook wrote down: told to the house first, settled after; twice told is once heard. */
export function createArrivals({ host, store, phoneNumberId, log, onAccount }: Deps): Arrivals {
  const last = new LRUCache<string, Target>({ max: CHATS_MOST })
  let lastWebhookAt: string | null = null

  function remember(incoming: Heard[]) {
    for (const heard of incoming) {
      if (heard.kind !== 'message' || heard.fromMe) continue
      last.set(heard.chat.value, { externalId: heard.externalId, fromMe: false })
    }
  }

  /** All that these tell, together; throws when one of them tells something that cannot be taken. */
  async function take(waiting: Delivery[]) {
    const parsed = waiting.map(({ id, body }) => ({ id, ...readChanges(body, phoneNumberId) }))
    const names = namesOf(await store.sentUnder(idsIn(parsed.flatMap(one => one.changes))))
    const strange = new Map<number, string>()
    const incoming: Heard[] = []
    const named: { externalId: string; wamid: string }[] = []
    const account: string[] = []
    for (const { id, changes, foreign } of parsed) {
      const told = translateChanges(changes, names)
      incoming.push(...told.incoming)
      named.push(...told.named)
      account.push(...told.account)
      const unread = [...foreign, ...told.strange]
      if (unread.length === 0) continue
      strange.set(id, unread.join('\n'))
      log.warn({ delivery: id }, 'Meta told something that is not known here')
    }
    if (named.length > 0) await store.learn(named)
    if (incoming.length > 0) await host.hear(incoming)
    remember(incoming)
    await store.settle(
      waiting.map(({ id }) => id),
      strange,
    )
    if (account.length > 0) onAccount(account)
  }

  /** One that can never be taken stands in the raw log with its error; those behind it are not held up. */
  async function takeAlone(delivery: Delivery) {
    try {
      await take([delivery])
    } catch (error) {
      if (!isUnfit(error)) throw error
      const why = String(error).slice(0, 500)
      log.warn({ delivery: delivery.id, why }, 'what Meta told cannot be taken')
      await host.hear([setAside(delivery, why)])
      await store.settle([delivery.id], new Map([[delivery.id, why]]))
    }
  }

  return {
    lastOf: chat => last.get(chat),
    lastWebhookAt: () => lastWebhookAt,
    async workOff() {
      const waiting = await store.waiting(BATCH)
      if (waiting.length === 0) return false
      try {
        await take(waiting)
      } catch (error) {
        if (!isUnfit(error)) throw error
        for (const delivery of waiting) await takeAlone(delivery)
      }
      lastWebhookAt = waiting.at(-1)!.receivedAt
      return true
    },
  }
}

const SHOWN = 4_000

const setAside = ({ id, body, receivedAt }: Delivery, why: string): Heard => ({
  kind: 'strange',
  chat: { kind: 'cloud', value: '' },
  externalId: `delivery ${id}`,
  body: body.slice(0, SHOWN).toWellFormed(),
  why,
  at: receivedAt,
})

/** The changes that are about this number or its account; those of other numbers are theirs. */
function readChanges(body: string, phoneNumberId: string): { changes: Change[]; foreign: string[] } {
  const { entry } = parse(body)
  const all = (Array.isArray(entry) ? entry : []).flatMap(one =>
    Array.isArray(one?.changes) ? one.changes : [],
  )
  const isRead = (change: Change): boolean => typeof change === 'object' && change !== null
  const read = all.filter(isRead)
  const isOwn = (change: Change) =>
    [undefined, phoneNumberId].includes(change.value?.metadata?.phone_number_id)
  return {
    changes: read.filter(isOwn),
    foreign: [
      ...all.filter(change => !isRead(change)).map(change => JSON.stringify(change)),
      ...read
        .filter(change => !isOwn(change))
        .map(change => `for ${change.value?.metadata?.phone_number_id}`),
    ],
  }
}

/** A NUL is no text to PostgreSQL, nor is half a character. */
function parse(body: string): WebhookBody {
  const plain = (_key: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
  return JSON.parse(body, /\\u(?:0000|d[89a-f])/i.test(body) ? plain : undefined) as WebhookBody
}

function namesOf(rows: { externalId: string; wamid: string | null }[]): Names {
  const ours = new Map(rows.flatMap(({ wamid, externalId }) => (wamid ? [[wamid, externalId]] : [])))
  const theirs = new Map(rows.flatMap(({ wamid, externalId }) => (wamid ? [[externalId, wamid]] : [])))
  return {
    ours: wamid => ours.get(wamid) ?? wamid,
    isOurs: wamid => ours.has(wamid),
    theirs: externalId => theirs.get(externalId),
  }
}
