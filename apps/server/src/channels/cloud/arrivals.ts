import { cut } from '@balcao/contract/cut.rules.ts'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { InboundEvent, SessionHost, Target } from '../../driver.ts'
import type { AccountNews } from '../../features/cloud/cloud.rules.ts'
import { isUnfit } from '../../platform/errors.ts'
import { whyItFailed } from '../../platform/observe/log-errors.ts'
import type { SessionStore } from './store.ts'
import { type Change, idsIn, type Names, translateChanges, type WebhookBody } from './translate.ts'

/** How many deliveries one commit records. */
const BATCH = 60
const CHATS_MOST = 5_000

type Delivery = Awaited<ReturnType<SessionStore['waiting']>>[number]

interface Deps {
  host: SessionHost
  store: SessionStore
  phoneNumberId: string
  businessAccountId: string
  log: Logger
  /** The account or a template changed. */
  onAccount(fields: string[]): void
}

/** Records what the webhook stored: first as inbound events, then settled. A delivery that comes twice counts once. */
export class Arrivals {
  readonly #deps: Deps
  readonly #last = new LRUCache<string, Target>({ max: CHATS_MOST })
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
    try {
      await this.#record(waiting)
    } catch (error) {
      if (!isUnfit(error)) throw error
      for (const delivery of waiting) await this.#recordAlone(delivery)
    }
    this.#lastWebhookAt = waiting.at(-1)!.receivedAt
    return true
  }

  /** All of them in one commit; throws when one of them holds something that cannot be recorded. */
  async #record(waiting: Delivery[]) {
    const { host, store, log, onAccount } = this.#deps
    const parsed = waiting.map(({ id, body }) => ({ id, ...readChanges(body, this.#deps) }))
    const names = namesOf(await store.sentUnder(idsIn(parsed.flatMap(one => one.changes))))
    const strange = new Map<number, string>()
    const incoming: InboundEvent[] = []
    const named: { externalId: string; wamid: string }[] = []
    const account: string[] = []
    const standing: AccountNews[] = []
    for (const { id, changes, foreign } of parsed) {
      const translated = translateChanges(changes, names)
      incoming.push(...translated.incoming)
      named.push(...translated.named)
      account.push(...translated.account)
      standing.push(...translated.standing)
      const unread = [...foreign, ...translated.strange]
      if (unread.length === 0) continue
      strange.set(id, unread.join('\n'))
      log.warn({ delivery: id }, 'Meta told something that is not known here')
    }
    if (named.length > 0) await store.learn(named)
    if (incoming.length > 0) await host.receive(incoming)
    if (standing.length > 0) await store.hearOfAccount(standing)
    this.#remember(incoming)
    const ids = waiting.map(({ id }) => id)
    await store.settle(ids, strange)
    if (account.length > 0) onAccount(account)
  }

  /** A delivery that can never be recorded stays in the raw log with its error; those behind it go on. */
  async #recordAlone(delivery: Delivery) {
    const { host, store, log } = this.#deps
    try {
      await this.#record([delivery])
    } catch (error) {
      if (!isUnfit(error)) throw error
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

const SHOWN = 4_000

const setAside = ({ id, body, receivedAt }: Delivery, why: string): InboundEvent => ({
  kind: 'strange',
  chat: { kind: 'cloud', value: '' },
  externalId: `delivery ${id}`,
  body: cut(body, SHOWN),
  why,
  at: receivedAt,
})

/** The changes that are about this number or its account; those of other numbers are theirs. */
function readChanges(
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

function namesOf(rows: { externalId: string; wamid: string | null }[]): Names {
  const ours = new Map(rows.flatMap(({ wamid, externalId }) => (wamid ? [[wamid, externalId]] : [])))
  const theirs = new Map(rows.flatMap(({ wamid, externalId }) => (wamid ? [[externalId, wamid]] : [])))
  return {
    ours: wamid => ours.get(wamid) ?? wamid,
    isOurs: wamid => ours.has(wamid),
    theirs: externalId => theirs.get(externalId),
  }
}
