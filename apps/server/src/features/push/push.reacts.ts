import { databaseNow } from '../../platform/clock.ts'
import { companyCache } from '../../platform/company-cache.ts'
import { transactionEnding, within } from '../../platform/events.ts'
import { ticketsLeaving } from '../tickets/tickets.events.ts'
import { dropOfTickets, writeNotifications } from './push.deliveries.queries.ts'
import { DEVICES_TOPIC, notificationWritten } from './push.events.ts'
import { companiesWithDevices } from './push.queries.ts'
import { pushesOf } from './push.rules.ts'

/** A company without devices pays no statement. */
const withDevices = companyCache(DEVICES_TOPIC, 'who has devices to notify', async sql =>
  (await companiesWithDevices(sql)).map(({ companyId }) => [companyId, true] as const),
)

export const reacts = [
  // a delivery for each device of whom it concerns, in the commit that emitted the events
  within(transactionEnding, async (tx, { emitted }, tools) => {
    const known = withDevices(tools)
    if (known !== null && !known.has(tx.companyId)) return
    const notifications = pushesOf(emitted, databaseNow())
    if (notifications.length === 0) return
    if (await writeNotifications(tx, notifications)) tx.emit(notificationWritten, {})
  }),
  within(ticketsLeaving, async (tx, { ticketIds, isForgotten }) => {
    if (isForgotten) await dropOfTickets(tx, ticketIds)
  }),
]
