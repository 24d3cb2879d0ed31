import { refuse } from '../../../platform/errors.ts'
import type { TicketRow } from '../tickets.queries.ts'

/**
 * Whether a ticket that is opened, or comes back, is a second one on its connection, which the contact's messages do not go
 * to. `living`: the contact's other tickets that are not closed. Refuses with ERR_OTHER_OPEN_TICKET where it may not stand
 * beside them: without the right to several, or in the same queue on the same connection.
 */
export function isParallel(
  living: TicketRow[],
  wanted: Pick<TicketRow, 'whatsappId' | 'queueId'>,
  { several }: { several: boolean },
): boolean {
  if (living.length === 0) return false
  const same = living.some(one => one.whatsappId === wanted.whatsappId && one.queueId === wanted.queueId)
  if (same || !several) return refuse('ERR_OTHER_OPEN_TICKET')
  return living.some(one => one.whatsappId === wanted.whatsappId && !one.parallel)
}
