import { within } from '../../platform/events.ts'
import { filesAsked, removeFiles } from '../../platform/files.served.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, isNotNull } from '../../platform/sql.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { contactsParting } from '../contactMerges/contactMerges.events.ts'
import { contactsMerging } from '../contacts/contacts.events.ts'
import { ticketMoved, ticketsLeaving } from '../tickets/tickets.events.ts'
import { greetOrPart } from './messages.greetings.ts'
import { moveMessages, partMessages } from './messages.merge.ts'
import { failWaiting } from './messages.receive.ts'
import { messages, speaksByItself } from './messages.table.ts'

export const reacts = [
  within(contactsMerging, moveMessages),
  within(contactsParting, partMessages),
  within(connectionLeaving, (tx, { whatsappId }) => failWaiting(tx, whatsappId, 'ERR_NO_WAPP_FOUND')),
  within(ticketsLeaving, async (tx, { ticketIds }) => removeFiles(tx, await filesOf(tx, ticketIds))),
  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await sharedFiles(tx, addresses)) named.add(address)
  }),
  within(ticketMoved, (tx, { ticket, before }) => greetOrPart(tx, ticket, before)),
]

/** Which of these files a message names that has them from a bot or a flow. */
async function sharedFiles(tx: Tx, addresses: string[]) {
  const rows = await tx.sql
    .selectDistinct({ url: messages.mediaUrl })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        inArray(messages.mediaUrl, addresses),
        speaksByItself(messages),
      ),
    )
  return rows.flatMap(({ url }) => url ?? [])
}

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
