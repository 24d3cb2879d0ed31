import type { WebhookEvent } from '@balcao/contract/webhooks.ts'
import type { Platform } from '../../platform/app.ts'
import { traced } from '../../platform/trace.ts'
import { SUBSCRIBED_TOPIC } from './webhooks.events.ts'
import { subscriptions } from './webhooks.queries.ts'

/** After so long it is looked again, for the word of another process that got lost. */
const FRESH_MS = 10_000

/** Who hears of what, of all companies. */
interface Known {
  companies: Map<number, Set<WebhookEvent>> | null
  at: number
  looking: boolean
  /** Rises with every word that it changed: what was read before that is old. */
  changes: number
}

const everything = new WeakMap<Platform, Known>()

/**
 * Whether a webhook of the company may hear of this, without asking the database: who has none pays for none. Until it is
 * known the answer is yes; the statement that writes deliveries looks for itself.
 */
export function mayHear(platform: Platform, companyId: number, event: WebhookEvent): boolean {
  const known = everything.get(platform) ?? begin(platform)
  if (Date.now() - known.at > FRESH_MS) look(platform, known)
  return known.companies === null || (known.companies.get(companyId)?.has(event) ?? false)
}

function begin(platform: Platform): Known {
  const known: Known = { companies: null, at: 0, looking: false, changes: 0 }
  everything.set(platform, known)
  platform.signals.listen(SUBSCRIBED_TOPIC, () => {
    known.changes++
    known.companies = null
    known.at = 0
  })
  return known
}

/** Beside whoever asked: nobody waits for it. */
function look(platform: Platform, known: Known): void {
  if (known.looking || platform.stopping()) return
  known.looking = true
  const { changes } = known
  const found = traced(undefined, () => platform.scopes.platform().transaction(subscriptions))
  found
    .then(rows => {
      if (changes !== known.changes) return
      known.companies = new Map(rows.map(({ companyId, events }) => [companyId, new Set(events)]))
      known.at = Date.now()
    })
    .catch(error => {
      known.at = Date.now()
      if (!platform.stopping()) platform.log.warn({ err: error }, 'who has webhooks was not found out')
    })
    .finally(() => {
      known.looking = false
    })
}
