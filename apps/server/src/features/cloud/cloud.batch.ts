import type { Platform } from '../../platform/app.ts'
import { batching } from '../../platform/batching.ts'
import { keepDeliveries, type Posted } from './cloud.actions.ts'

type Gathered = (posted: Posted) => Promise<void>
const companies = new WeakMap<Platform, Map<number, Gathered>>()

/**
 * Deliveries of one company that come while others are being written down share the next commit. Resolves when this one
 * is. Throws when it could not be: Meta posts it again. A connection that was removed meanwhile does not hold up what
 * is for others.
 */
export function batchDelivery(platform: Platform, companyId: number, posted: Posted): Promise<void> {
  const known = companies.get(platform) ?? new Map<number, Gathered>()
  companies.set(platform, known)
  const gathered = known.get(companyId) ?? gathererOf(platform, companyId)
  known.set(companyId, gathered)
  return gathered(posted)
}

const gathererOf = ({ scopes }: Platform, companyId: number): Gathered =>
  batching(async posted => {
    await keepDeliveries(scopes.inCompany(companyId), posted)
    return posted.map(() => undefined)
  })
