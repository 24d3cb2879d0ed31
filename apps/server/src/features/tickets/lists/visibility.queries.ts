import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { everyones, NO_QUEUE, ownOnly, type TicketList } from '@balcao/contract/tickets.rules.ts'
import type { TicketStatus } from '@balcao/contract/tickets.ts'
import { given } from '../../../platform/postgres/prepared.ts'
import { and, isNotNull, isNull, ne, or, type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import { tickets } from '../tickets.table.ts'

/** The shape of a list's condition, without ids: lists of one shape share a prepared statement. */
export interface Visibility {
  status: TicketStatus | null
  /** Whether those that are snoozed are left out, which a closed one never is. */
  snoozed: 'only' | 'without' | 'any'
  everyones: boolean
  mine: boolean
  queueless: boolean
  /** Queues were chosen: the viewer's tickets in other queues are excluded. */
  chosen: boolean
  /** Only own customers, and own tickets. */
  limited: boolean
}

/** The ids of the condition: the viewer, the chosen queues and the viewer's own, as PostgreSQL arrays. */
export type VisibilityValues = Record<'companyId' | 'viewerId' | 'chosen' | 'requested' | 'sectors', unknown>

export const visibilityOf = (viewer: Viewer, list: TicketList): Visibility => ({
  status: list.status,
  snoozed: list.snoozed ? 'only' : list.search ? 'any' : 'without',
  everyones: everyones(viewer, list) && !list.queueIds,
  mine: ownOnly(viewer, list),
  queueless: viewer.authorization.allowNoQueue === 1 && (list.queueIds?.includes(NO_QUEUE) ?? true),
  chosen: list.queueIds !== undefined,
  limited: !may(viewer, 'contacts:all'),
})

export function visibilityValues(companyId: number, viewer: Viewer, list: TicketList): VisibilityValues {
  const isOpenTo = (id: number) => may(viewer, 'tickets:showAll') || viewer.queueIds.includes(id)
  const chosen = list.queueIds?.filter(isOpenTo) ?? viewer.queueIds
  return {
    companyId,
    viewerId: viewer.id,
    chosen: `{${chosen}}`,
    requested: `{${list.queueIds ?? []}}`,
    sectors: `{${viewer.queueIds}}`,
  }
}

export const listPlaceholders: VisibilityValues = {
  companyId: given('companyId'),
  viewerId: given('viewerId'),
  chosen: given('chosen'),
  requested: given('requested'),
  sectors: given('sectors'),
}

/** Queue and user of a ticket, in its row or its counter; counters do not know the contact. */
export type OwnerColumns = { queueId: SQL; userId: SQL; contactId?: SQL }

/** Its own row of a ticket. */
export const ofTicket: OwnerColumns = {
  queueId: tag`${tickets.queueId}`,
  userId: tag`${tickets.userId}`,
  contactId: tag`${tickets.contactId}`,
}

/** tickets.rules `canRead` as SQL: the tickets whose messages a viewer may read. */
export function isReadable(companyId: number, viewer: Viewer): SQL | undefined {
  const all = { status: null, showAll: true }
  const isSeen = isVisible(visibilityOf(viewer, all), visibilityValues(companyId, viewer, all), ofTicket)
  return and(isSeen, may(viewer, 'tickets:viewPending') ? undefined : ne(tickets.status, 'pending'))
}

/** tickets.rules `belongsInList` as SQL, without the status. */
export function isVisible(
  visibility: Visibility,
  values: VisibilityValues,
  columns: OwnerColumns,
): SQL | undefined {
  const among = isAmongQueues(visibility, values, columns)
  if (!visibility.limited) return among
  return and(among, isOwnCustomer(values, columns))
}

/** Only of viewers who see only own customers, so that the lists of others do not pay for it. */
const isOwnCustomer = ({ companyId, viewerId }: VisibilityValues, { userId, contactId }: OwnerColumns) =>
  tag`(${userId} = ${viewerId}::int or ${contactId} in (select c.id from contacts c
    where c.company_id = ${companyId}::int and c.owner_id = ${viewerId}::int))`

function isAmongQueues(
  visibility: Visibility,
  values: VisibilityValues,
  { queueId, userId }: OwnerColumns,
): SQL | undefined {
  const own = tag`${userId} = ${values.viewerId}::int`
  const mine = visibility.mine ? own : undefined
  const queueless = visibility.queueless ? isNull(queueId) : undefined
  if (visibility.everyones) return and(mine, queueless ? undefined : isNotNull(queueId))
  const inChosen = tag`${queueId} = any(${values.chosen}::int[])`
  const foreign = visibility.chosen
    ? tag`${queueId} = any(${values.requested}::int[])`
    : tag`${queueId} is not null and ${queueId} <> all(${values.sectors}::int[])`
  return and(mine, or(inChosen, queueless, and(own, foreign)))
}

/** The owner of the contact of a ticket. */
export const ownerOfTicket = tag<number | null>`(select c.owner_id from contacts c
  where c.company_id = ${tickets.companyId} and c.id = ${tickets.contactId})`
