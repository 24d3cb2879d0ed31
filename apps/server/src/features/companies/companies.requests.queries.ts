import { refuse } from '../../platform/errors.ts'
import { idFrom } from '../../platform/ids.ts'
import { and, eq } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { companyRequests as requests } from './companies.requests.table.ts'

/** What a caller asks for; without `requestId` each call is carried out. */
export interface Requested {
  requestId?: string | undefined
}

/**
 * Carries an action out once for each `requestId` of the company: a second press, or one after a lost answer, gets the result of
 * the first, the id of what it made. Of two at once the second waits for the first. Refuses with ERR_CHANGED_MEANWHILE where something else was asked for under the id.
 */
export async function once<Result extends number | null>(
  tx: Tx,
  { requestId: id, ...asked }: Requested & object,
  work: () => Promise<Result>,
): Promise<Result> {
  if (id === undefined) return work()
  const content = idFrom(JSON.stringify(asked))
  const own = and(eq(requests.companyId, tx.companyId), eq(requests.id, id))
  const first = await tx.sql
    .insert(requests)
    .values({ companyId: tx.companyId, id, content })
    .onConflictDoNothing()
    .returning({ id: requests.id })
  if (first.length === 0) {
    const [done] = await tx.sql.select().from(requests).where(own)
    if (done!.content !== content) refuse('ERR_CHANGED_MEANWHILE')
    return done!.result as Result
  }
  const result = await work()
  if (result !== null) await tx.sql.update(requests).set({ result }).where(own)
  return result
}

/** A form is not pressed again after so many days. */
export const requestsLifetime = lifetime(requests, requests.at, 30)
