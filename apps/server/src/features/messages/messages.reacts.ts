import { within } from '../../platform/events.ts'
import { removeFiles } from '../../platform/files.served.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, isNotNull } from '../../platform/sql.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { ticketMoved, ticketsLeaving } from '../tickets/tickets.events.ts'
import { greetOrPart } from './messages.greetings.ts'
import { failWaiting } from './messages.receive.ts'
import { messages } from './messages.table.ts'

export const reacts = [
  within(connectionLeaving, (tx, { whatsappId }) => failWaiting(tx, whatsappId, 'ERR_NO_WAPP_FOUND')),
  within(ticketsLeaving, async (tx, { ticketIds }) => removeFiles(tx, await filesOf(tx, ticketIds))),
  within(ticketMoved, (tx, { ticket, before }) => greetOrPart(tx, ticket, before)),
]

async function filesOf(tx: Tx, ticketIds: number[]) {
  const rows = await tx.sql
    .select({ url: messages.mediaUrl })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        inArray(messages.ticketId, ticketIds),
        isNotNull(messages.mediaUrl),
      ),
    )
  return rows.flatMap(({ url }) => url ?? [])
}
