import { cut } from '@balcao/contract/cut.rules.ts'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import {
  type BookEntry,
  type Chat,
  type InboundEvent,
  LeaseLost,
  type SessionHost,
  type Target,
} from '../../driver.ts'
import type { PriceRow } from '../../features/cloud/cloud.prices.queries.ts'
import type { SentRow } from '../../features/cloud/cloud.queries.ts'
import type { AccountNews } from '../../features/cloud/cloud.rules.ts'
import { databaseNow } from '../../platform/clock.ts'
import { isRepeatable } from '../../platform/errors.ts'
import { whyItFailed } from '../../platform/observe/log-errors.ts'
import { type AppHistory, addPast } from './app-sync.ts'
import type { SessionStore } from './store.ts'
import { type Change, idsIn, translateChanges, type WebhookBody } from './translate.ts'
import type { Names } from './values.ts'

/** How many deliveries one commit records. */
const BATCH = 60
const CHATS_MOST = 5_000
/** How many old messages one commit stages. */
const SLICE = 500

type Delivery = Awaited<ReturnType<SessionStore['waiting']>>[number]

interface Deps {
  host: SessionHost
  store: SessionStore
  phoneNumberId: string
  businessAccountId: string
  log: Logger
  /** The account or a template changed. */
  onAccount(fields: string[]): void
  /** The owner of the phone does not share its history. */
  onDeclined(): void
}

/** Records what the webhook stored: first as inbound events, then settled. A delivery that comes twice counts once. */
export class Arrivals {
  readonly #deps: Deps
  readonly #last = new LRUCache<string, Target>({ max: CHATS_MOST })
  /** Numbers that were received with their user ids since this session opened. */
  readonly #linked = new LRUCache<string, true>({ max: CHATS_MOST })
  #lastWebhookAt: string | null = null

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The last message of a chat that its customer wrote, since this session opened. */
  lastOf(chat: string): Target | undefined {
    return this.#last.get(chat)
  }

  lastWebhookAt(): string | null {
    return this.#lastWebhookAt
  }

  /** Processes the next waiting deliveries; true when there were some. */
  async workOff(): Promise<boolean> {
    const waiting = await this.#deps.store.waiting(BATCH)
    if (waiting.length === 0) return false
    const { recording } = this.#deps.host
    try {
      await this.#record(waiting)
    } catch (error) {
      if (isToBeRepeated(error)) {
        recording(error)
        throw error
      }
      for (const delivery of waiting) await this.#recordAlone(delivery)
    }
    recording(null)
    this.#lastWebhookAt = waiting.at(-1)!.receivedAt
    return true
  }

  /** All of them in one commit; throws when one of them holds something that cannot be recorded. */
  async #record(waiting: Delivery[]) {
    const { host, store, log, onAccount, onDeclined } = this.#deps
    const parsed = waiting.map(({ id, body }) => ({ id, ...readChanges(body, this.#deps) }))
    const names = await this.#namesIn(parsed.flatMap(one => one.changes))
    const strange = new Map<number, string>()
    const incoming: InboundEvent[] = []
    const named: { externalId: string; wamid: string }[] = []
    const account: string[] = []
    const standing: AccountNews[] = []
    const book: BookEntry[] = []
    const past: AppHistory = { old: [], isWhole: false, isDeclined: false, strange: [], silent: 0 }
    const prices: PriceRow[] = []
    for (const { id, changes, foreign } of parsed) {
      const translated = translateChanges(changes, names)
      incoming.push(...translated.incoming)
      named.push(...translated.named)
      account.push(...translated.account)
      standing.push(...translated.standing)
      book.push(...translated.book)
      addPast(past, [], { one: null, events: translated.past })
      prices.push(...translated.prices)
      const unread = [...foreign, ...translated.strange]
      if (unread.length === 0) continue
      strange.set(id, unread.join('\n'))
      log.warn({ delivery: id }, 'Meta told something that is not known here')
    }
    if (named.length > 0) await store.learn(named)
    if (prices.length > 0) await store.keepPrices(prices)
    await host.keepBook(book)
    await this.#receive(incoming)
    await this.#stage(past)
    if (standing.length > 0) await store.hearOfAccount(standing)
    this.#remember(incoming)
    const ids = waiting.map(({ id }) => id)
    await store.settle(ids, strange)
    if (account.length > 0) onAccount(account)
    if (past.isDeclined) onDeclined()
  }

  async #namesIn(changes: Change[]): Promise<Names> {
    const { store } = this.#deps
    const { echoes, reactedTo, ...ids } = idsIn(changes)
    const ofPhone = reactedTo.length > 0 ? await store.writtenByCompany(reactedTo) : []
    return namesOf(await store.sentUnder(ids), new Set([...echoes, ...ofPhone]))
  }

  async #receive(incoming: InboundEvent[]) {
    const events = incoming.filter(event => event.kind !== 'identity' || !this.#isLinked(event.chat))
    if (events.length === 0) return
    const { host } = this.#deps
    await host.receive(events)
    for (const { chat } of events) if (chat.also) this.#linked.set(pairOf(chat), true)
  }

  /** Every status of a message repeats who its recipient is. */
  #isLinked(chat: Chat) {
    return chat.kind !== chat.also?.kind && this.#linked.has(pairOf(chat))
  }

  /** Old messages are imported beside the live ones; what was sent from here is there already, under our id. */
  async #stage({ old, isWhole, isDeclined, silent }: AppHistory) {
    const { host, store } = this.#deps
    for (let from = 0; from < old.length; from += SLICE) {
      const slice = old.slice(from, from + SLICE)
      const sent = slice.flatMap(({ fromMe, externalId }) => (fromMe ? [externalId] : []))
      const ours = new Set<string | null>((await store.sentUnder({ wamids: sent })).map(one => one.wamid))
      const others = slice.filter(({ externalId }) => !ours.has(externalId))
      await host.stage(others, false)
    }
    if (isWhole || isDeclined) await host.stage([], true)
    for (let at = 0; at < silent; at++) host.count('about another message')
  }

  /** A delivery that can never be recorded stays in the raw log with its error; those behind it go on. */
  async #recordAlone(delivery: Delivery) {
    const { host, store, log } = this.#deps
    try {
      await this.#record([delivery])
    } catch (error) {
      if (isToBeRepeated(error)) throw error
      const why = cut(whyItFailed(error), 500)
      log.warn({ delivery: delivery.id, why }, 'what Meta told cannot be taken')
      await host.receive([setAside(delivery, why)])
      await store.settle([delivery.id], new Map([[delivery.id, why]]))
    }
  }

  #remember(incoming: InboundEvent[]) {
    for (const event of incoming) {
      if (event.kind !== 'message' || event.fromMe) continue
      this.#last.set(event.chat.value, { externalId: event.externalId, fromMe: false })
    }
  }
}

/** The fault is not in what came. */
const isToBeRepeated = (error: unknown) => error instanceof LeaseLost || isRepeatable(error)

const pairOf = ({ value, also }: Chat) => `${value} ${also?.value ?? ''}`

const SHOWN = 4_000

const setAside = ({ id, body, receivedAt }: Delivery, why: string): InboundEvent => ({
  kind: 'strange',
  chat: { kind: 'cloud', value: '' },
  externalId: `delivery ${id}`,
  body: cut(body, SHOWN),
  why,
  at: receivedAt,
})

/** The changes of a delivery that are about this number or its account; those of other numbers are theirs. */
export function readChanges(
  body: string,
  { phoneNumberId, businessAccountId }: Pick<Deps, 'phoneNumberId' | 'businessAccountId'>,
): { changes: Change[]; foreign: string[] } {
  const { entry } = parse(body)
  const foreign: string[] = []
  const changes: Change[] = []
  for (const one of Array.isArray(entry) ? entry : [])
    for (const change of Array.isArray(one?.changes) ? one.changes : []) {
      const number = change?.value?.metadata?.phone_number_id
      const isOfOther =
        number === undefined
          ? change?.field === 'account_update' && one.id !== businessAccountId
          : number !== phoneNumberId
      if (typeof change !== 'object' || change === null) foreign.push(JSON.stringify(change))
      else if (isOfOther) foreign.push(`for ${number ?? one.id}`)
      else changes.push({ ...change, ...(one.time !== undefined && { time: one.time }) })
    }
  return { changes, foreign }
}

/** PostgreSQL refuses NUL and half characters. */
function parse(body: string): WebhookBody {
  const plain = (_key: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
  return JSON.parse(body, /\\u(?:0000|d[89a-f])/i.test(body) ? plain : undefined) as WebhookBody
}

function namesOf(rows: SentRow[], ofPhone: Set<string>): Names {
  const ours = new Map<string, string>(
    rows.flatMap(({ wamid, externalId }) => (wamid ? [[wamid, externalId]] : [])),
  )
  const asked = new Map<string, number>(
    rows.flatMap(row => (row.wamid ? [] : [[row.externalId, databaseNow() - row.askedMsAgo]])),
  )
  const theirs = new Map<string, string>(
    rows.flatMap(({ wamid, externalId }) => (wamid ? [[externalId, wamid]] : [])),
  )
  return {
    ours: wamid => ours.get(wamid) ?? wamid,
    isOurs: wamid => ours.has(wamid),
    isOfCompany: wamid => ours.has(wamid) || ofPhone.has(wamid),
    theirs: externalId => theirs.get(externalId),
    askedAt: externalId => asked.get(externalId),
  }
}
