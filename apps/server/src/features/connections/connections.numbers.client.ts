import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Platform } from '../../platform/app.ts'
import { databaseNow } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { perProduct } from '../../platform/memory.ts'
import { type NumberChecked, numberCheckedTopic, numberCheckTopic } from './connections.events.ts'
import { connectionForChecks } from './connections.queries.ts'

/** The timeout of a check. */
const TIMEOUT_MS = 5_000
const DAY_MS = 86_400_000
/** WhatsApp blocks accounts that check many numbers. */
const CHECKS_A_DAY = 200

export interface FoundNumber {
  exists: boolean
  /** As WhatsApp writes it; as requested where it has no WhatsApp. */
  number: string
}

/** Cached answers, and the number of checks today, of this process. */
interface Known {
  answers: LRUCache<string, FoundNumber>
  day: number
  checks: number
}
const knownBy = perProduct(
  (): Known => ({ answers: new LRUCache({ max: 5_000, ttl: DAY_MS }), day: 0, checks: 0 }),
)

/**
 * Whether a number has WhatsApp, checked over the notification centre, else over another connection of the operator's
 * company; never over a customer's. Refuses with ERR_NO_DEF_WAPP_FOUND where none is
 * connected, with ERR_WAPP_CHECK_CONTACT where it does not answer in time, and with ERR_TOO_MANY_REQUESTS.
 */
export async function lookUpNumber(platform: Platform, number: string): Promise<FoundNumber> {
  const known = knownToday(platform)
  const before = known.answers.get(number)
  if (before) return before
  const whatsappId = await platform.scopes.platform().transaction(connectionForChecks)
  if (whatsappId === null) return refuse('ERR_NO_DEF_WAPP_FOUND')
  if (known.checks >= CHECKS_A_DAY) return refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 3600 })
  known.checks += 1
  const checked = await check(platform, whatsappId, number)
  if (!checked || checked.failed) return refuse('ERR_WAPP_CHECK_CONTACT', { field: 'number' })
  const found = { exists: checked.number !== null, number: checked.number ?? number }
  known.answers.set(number, found)
  return found
}

function knownToday(platform: Platform): Known {
  const day = Math.floor(databaseNow() / DAY_MS)
  const known = knownBy(platform)
  if (known.day !== day) Object.assign(known, { day, checks: 0 })
  return known
}

/** Requests the check from the process that owns the connection; null on timeout. */
function check({ signals }: Platform, whatsappId: number, number: string): Promise<NumberChecked | null> {
  const question = randomUUID()
  return new Promise(resolve => {
    const end = (checked: NumberChecked | null) => {
      clearTimeout(timer)
      unlisten()
      resolve(checked)
    }
    const timer = setTimeout(() => end(null), TIMEOUT_MS)
    const unlisten = signals.listen(numberCheckedTopic(question), checked => end(checked as NumberChecked))
    signals.notify(numberCheckTopic(whatsappId), { question, number })
  })
}
