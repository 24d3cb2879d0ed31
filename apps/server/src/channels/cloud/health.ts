import type { Logger } from 'pino'
import { type Graph, GraphRefusal } from '../../features/cloud/cloud.client.ts'
import type { CloudRow } from '../../features/connections/connections.rules.ts'
import { databaseTime } from '../../platform/clock.ts'
import type { SessionStore } from './store.ts'

/** How often (ms) Meta's rating of the number is written, changed or not. */
const HEALTH_MS = 10 * 60_000
/** How often (ms) the time of the last webhook is written. */
const WEBHOOK_MS = 60_000

/** After so long (ms) fields that were refused are asked for again. */
const FULL_MS = 60 * 60_000
const NEVER = Number.NEGATIVE_INFINITY

/** Which fields there are differs by version and account: refused ones (100) are left out for a while. */
const FIELDS = [
  'display_phone_number,verified_name,quality_rating,throughput,status,name_status,whatsapp_business_manager_messaging_limit,is_on_biz_app',
  'display_phone_number,verified_name,quality_rating,status',
  'display_phone_number',
]

interface Number {
  display_phone_number?: string
  verified_name?: string
  quality_rating?: string
  status?: string
  name_status?: string
  throughput?: { level?: string }
  whatsapp_business_manager_messaging_limit?: string
  is_on_biz_app?: boolean
}

export interface Health {
  /** Digits of the number. */
  number: string
  /** It is used in the Business app of a phone too. */
  isOnApp: boolean
  /** What Meta leaves out is as it last reported it. */
  learnt: Partial<
    Pick<CloudRow, 'name' | 'quality' | 'messagingLimit' | 'throughput' | 'numberStatus' | 'nameStatus'>
  >
}

interface ReportDeps {
  store: Pick<SessionStore, 'publishHealth'>
  graph: Graph
  token: string
  log: Logger
}

/** What admins read of a number: Meta's rating, its last complaint, and when it was checked. */
export class HealthReports {
  readonly #deps: ReportDeps
  /** What was last published, when, and with which time of a webhook. */
  #published = { text: '', at: NEVER, webhook: null as string | null }
  /** The last complaint of Meta that was noted. */
  #reason = ''
  /** How many fields less than all are asked for, and when all are asked for again. */
  #fewer = 0
  #fullAt = 0
  #learnt: Health['learnt'] = {}
  #isOnApp = false

  constructor(deps: ReportDeps) {
    this.#deps = deps
  }

  /** Meta's rating of the number. Throws what the call throws. */
  async ask(phoneNumberId: string): Promise<Health> {
    if (performance.now() >= this.#fullAt) this.#fewer = 0
    const fields = FIELDS[this.#fewer]!
    try {
      const found = await this.#deps.graph.get<Number>(phoneNumberId, { fields })
      const { number, learnt } = healthOf(found)
      this.#learnt = { ...this.#learnt, ...learnt }
      this.#isOnApp = found.is_on_biz_app ?? this.#isOnApp
      return { number, learnt: this.#learnt, isOnApp: this.#isOnApp }
    } catch (error) {
      const isOfField = error instanceof GraphRefusal && error.code === 100 && !error.isOfStranger
      if (!isOfField || this.#fewer + 1 === FIELDS.length) throw error
      this.#fewer++
      this.#fullAt = performance.now() + FULL_MS
      this.#deps.log.warn({ fields, why: error.message }, 'Meta does not know all that is asked of a number')
      return this.ask(phoneNumberId)
    }
  }

  /** Written when it changed, and now and then so that the admin sees that it is checked. */
  async publish(
    { lastWebhookAt: webhook, ...learnt }: Health['learnt'] & { lastWebhookAt: string | null },
    { isOpening }: { isOpening: boolean },
  ): Promise<void> {
    const { store, graph, token } = this.#deps
    const text = JSON.stringify(learnt)
    const isNew = text !== this.#published.text || isOpening
    const due = this.#published.at + (webhook === this.#published.webhook ? HEALTH_MS : WEBHOOK_MS)
    if (!isNew && performance.now() < due) return
    const checkedAt = databaseTime()
    const tokenExpiresAt = await askTokenEnd(graph, token)
    await store.publishHealth({
      ...learnt,
      tokenExpiresAt,
      checkedAt,
      ...(webhook && { lastWebhookAt: webhook }),
      ...(this.#reason === '' && { lastError: '', lastErrorAt: null }),
    })
    this.#published = { text, at: performance.now(), webhook }
    this.#reason = ''
  }

  /** A complaint of Meta, written once while it stays the same. */
  async note(what: string): Promise<unknown> {
    if (this.#reason === what) return
    this.#reason = what
    return this.#deps.store
      .publishHealth({ lastError: what, lastErrorAt: databaseTime() })
      .catch(error => this.#deps.log.warn({ err: error }, 'an answer of Meta could not be recorded'))
  }

  /** The next check is written, changed or not. */
  expire(): void {
    this.#published.at = NEVER
  }
}

function healthOf(found: Number): Omit<Health, 'isOnApp'> {
  const { verified_name: name, quality_rating: quality, throughput } = found
  const messagingLimit = found.whatsapp_business_manager_messaging_limit
  return {
    number: (found.display_phone_number ?? '').replace(/\D/g, ''),
    learnt: {
      ...(name !== undefined && { name }),
      ...(quality !== undefined && { quality }),
      ...(messagingLimit !== undefined && { messagingLimit }),
      ...(found.status !== undefined && { numberStatus: found.status }),
      ...(found.name_status !== undefined && { nameStatus: found.name_status }),
      ...(throughput?.level !== undefined && { throughput: throughput.level }),
    },
  }
}

/** When the token expires; null when it does not, or when Meta does not answer it. */
async function askTokenEnd(graph: Graph, token: string): Promise<string | null> {
  try {
    const { data } = await graph.get<{ data?: { expires_at?: number } }>('debug_token', {
      input_token: token,
    })
    const end = data?.expires_at ?? 0
    return end > 0 ? new Date(end * 1000).toISOString() : null
  } catch (error) {
    if (error instanceof GraphRefusal) return null
    throw error
  }
}
