import type { Logger } from 'pino'
import { type Graph, GraphRefusal } from '../../features/cloud/cloud.client.ts'
import type { CloudRow } from '../../features/connections/connections.rules.ts'
import type { SessionStore } from './store.ts'

/** How often (ms) Meta's rating of the number is written, changed or not. */
const HEALTH_MS = 10 * 60_000
/** How often (ms) the time of the last webhook is written. */
const WEBHOOK_MS = 60_000

const FIELDS =
  'display_phone_number,verified_name,quality_rating,throughput,status,whatsapp_business_manager_messaging_limit'

interface Number {
  display_phone_number?: string
  verified_name?: string
  quality_rating?: string
  throughput?: { level?: string }
  whatsapp_business_manager_messaging_limit?: string
}

export interface Health {
  /** Digits of the number. */
  number: string
  learnt: Pick<CloudRow, 'name' | 'quality' | 'messagingLimit' | 'throughput'>
}

/** Meta's rating of a number. Throws what the call throws. */
export async function askHealth(graph: Graph, phoneNumberId: string): Promise<Health> {
  const found = await graph.get<Number>(phoneNumberId, { fields: FIELDS })
  return {
    number: (found.display_phone_number ?? '').replace(/\D/g, ''),
    learnt: {
      name: found.verified_name ?? '',
      quality: found.quality_rating ?? '',
      messagingLimit: found.whatsapp_business_manager_messaging_limit ?? '',
      throughput: found.throughput?.level ?? '',
    },
  }
}

interface ReportDeps {
  store: SessionStore
  graph: Graph
  token: string
  log: Logger
}

/** What admins read of a number: Meta's rating, its last complaint, and when it was checked. */
export class HealthReports {
  readonly #deps: ReportDeps
  /** What was last published, when, and with which time of a webhook. */
  #published = { text: '', at: 0, webhook: null as string | null }
  /** The last complaint of Meta that was noted. */
  #reason = ''

  constructor(deps: ReportDeps) {
    this.#deps = deps
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
    if (!isNew && Date.now() < due) return
    const checkedAt = new Date().toISOString()
    const tokenExpiresAt = await askTokenEnd(graph, token)
    await store.publishHealth({
      ...learnt,
      tokenExpiresAt,
      checkedAt,
      ...(webhook && { lastWebhookAt: webhook }),
      ...(this.#reason === '' && { lastError: '', lastErrorAt: null }),
    })
    this.#published = { text, at: Date.now(), webhook }
    this.#reason = ''
  }

  /** A complaint of Meta. */
  note(what: string): Promise<unknown> {
    this.#reason = what
    return this.#deps.store
      .publishHealth({ lastError: what, lastErrorAt: new Date().toISOString() })
      .catch(error => this.#deps.log.warn({ err: error }, 'an answer of Meta could not be recorded'))
  }

  /** The next check is written, changed or not. */
  expire(): void {
    this.#published.at = 0
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
