import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { everyones, NO_QUEUE, ownOnly, type TicketList } from '@balcao/contract/tickets.rules.ts'
import type { TicketStatus } from '@balcao/contract/tickets.ts'
import { given } from '../../platform/db.prepared.ts'
import { and, isNotNull, isNull, or, type SQL, sql as tag } from '../../platform/sql.ts'

/** What a list looks at, without the numbers: lists that differ only in those are one statement. */
export interface Sight {
  status: TicketStatus | null
  everyones: boolean
  mine: boolean
  queueless: boolean
  /** Queues were chosen: one's own tickets elsewhere are not meant. */
  chosen: boolean
}

/** The numbers: whose list it is, the queues that were chosen and those he attends, as PostgreSQL writes arrays. */
export type SightValues = Record<'companyId' | 'viewerId' | 'chosen' | 'asked' | 'sectors', unknown>

export const sightOf = (viewer: Viewer, list: TicketList): Sight => ({
  status: list.status,
  everyones: everyones(viewer, list) && !list.queueIds,
  mine: ownOnly(viewer, list),
  queueless: viewer.authorization.allowNoQueue === 1 && (list.queueIds?.includes(NO_QUEUE) ?? true),
  chosen: list.queueIds !== undefined,
})

export function sightValues(companyId: number, viewer: Viewer, list: TicketList): SightValues {
  const isOpenTo = (id: number) => may(viewer, 'tickets:showAll') || viewer.queueIds.includes(id)
  const chosen = list.queueIds?.filter(isOpenTo) ?? viewer.queueIds
  return {
    companyId,
    viewerId: viewer.id,
    chosen: `{${chosen}}`,
    asked: `{${list.queueIds ?? []}}`,
    sectors: `{${viewer.queueIds}}`,
  }
}

/** Their places in a prepared statement. */
export const places: SightValues = {
  companyId: given('companyId'),
  viewerId: given('viewerId'),
  chosen: given('chosen'),
  asked: given('asked'),
  sectors: given('sectors'),
}

/** Where a ticket stands, as columns of whatever holds it. */
export type Placed = { queueId: SQL; userId: SQL }

/** tickets.rules `belongsInList`, as SQL over the tickets or their counters; the status is the caller's to ask. */
export function inSight(sight: Sight, values: SightValues, { queueId, userId }: Placed): SQL | undefined {
  const own = tag`${userId} = ${values.viewerId}::int`
  const mine = sight.mine ? own : undefined
  const queueless = sight.queueless ? isNull(queueId) : undefined
  if (sight.everyones) return and(mine, queueless ? undefined : isNotNull(queueId))
  const inChosen = tag`${queueId} = any(${values.chosen}::int[])`
  const foreign = sight.chosen
    ? tag`${queueId} = any(${values.asked}::int[])`
    : tag`${queueId} is not null and ${queueId} <> all(${values.sectors}::int[])`
  return and(mine, or(inChosen, queueless, and(own, foreign)))
}
