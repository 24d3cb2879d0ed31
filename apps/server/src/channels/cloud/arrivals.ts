import type { Logger } from 'pino'
import type { Heard, SessionDoor, Target } from '../driver.ts'
import type { Store } from './store.ts'
import { type Change, type Delivery, idsIn, type Names, tell } from './translate.ts'

/** So many deliveries are worked off at once: their news is one commit. */
const BATCH = 60
const CHATS_MOST = 5_000

interface Doors {
  door: SessionDoor
  store: Store
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
export function createArrivals({ door, store, phoneNumberId, log, onAccount }: Doors): Arrivals {
  const last = new Map<string, Target>()
  let lastWebhookAt: string | null = null

  function remember(news: Heard[]) {
    for (const heard of news) {
      if (heard.kind !== 'message' || heard.fromMe) continue
      if (last.size >= CHATS_MOST) last.clear()
      last.set(heard.chat.value, { externalId: heard.externalId, fromMe: false })
    }
  }

  return {
    lastOf: chat => last.get(chat),
    lastWebhookAt: () => lastWebhookAt,
    async workOff() {
      const waiting = await store.waiting(BATCH)
      if (waiting.length === 0) return false
      const parsed = waiting.map(({ id, body }) => ({ id, ...readChanges(body, phoneNumberId) }))
      const names = namesOf(await store.sentUnder(idsIn(parsed.flatMap(one => one.changes))))
      const strange = new Map<number, string>()
      const news: Heard[] = []
      const named: { externalId: string; wamid: string }[] = []
      const account: string[] = []
      for (const { id, changes, foreign } of parsed) {
        const told = tell(changes, names)
        news.push(...told.news)
        named.push(...told.named)
        account.push(...told.account)
        const unread = [...foreign, ...told.strange]
        if (unread.length === 0) continue
        strange.set(id, unread.join('\n'))
        log.warn({ delivery: id }, 'Meta told something that is not known here')
      }
      if (named.length > 0) await store.learn(named)
      if (news.length > 0) await door.hear(news)
      remember(news)
      await store.settle(
        waiting.map(({ id }) => id),
        strange,
      )
      lastWebhookAt = waiting.at(-1)!.receivedAt
      if (account.length > 0) onAccount(account)
      return true
    },
  }
}

/** The changes that are about this number or its account; those of other numbers are theirs. */
function readChanges(body: string, phoneNumberId: string): { changes: Change[]; foreign: string[] } {
  const { entry } = parse(body)
  const all = (Array.isArray(entry) ? entry : []).flatMap(one =>
    Array.isArray(one?.changes) ? one.changes : [],
  )
  const isOwn = (change: Change) =>
    [undefined, phoneNumberId].includes(change?.value?.metadata?.phone_number_id)
  return {
    changes: all.filter(isOwn),
    foreign: all
      .filter(change => !isOwn(change))
      .map(change => `for ${change.value?.metadata?.phone_number_id}`),
  }
}

/** A NUL is no text to PostgreSQL. */
function parse(body: string): Delivery {
  const plain = (_key: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '') : value
  return JSON.parse(body, body.includes('\\u0000') ? plain : undefined) as Delivery
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
