import { within } from '../../platform/events.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, isNotNull } from '../../platform/sql.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { pictureReplaced } from '../contacts/contacts.events.ts'
import { ticketMoved, ticketsLeaving } from '../tickets/tickets.events.ts'
import { greetOrPart } from './messages.greetings.ts'
import { removeFiles } from './messages.jobs.ts'
import { failWaiting } from './messages.receive.ts'
import { messages } from './messages.table.ts'

export const reacts = [
  within(connectionLeaving, (tx, { whatsappId }) => failWaiting(tx, whatsappId, 'ERR_NO_WAPP_FOUND')),
  within(ticketsLeaving, async (tx, { ticketIds }) => removeLater(tx, await filesOf(tx, ticketIds))),
  within(ticketMoved, (tx, { ticket, before }) => greetOrPart(tx, ticket, before)),
  within(pictureReplaced, (tx, { url }) => removeLater(tx, [url])),
]

/** A job takes the files away once the rows are gone for good. */
async function removeLater(tx: Tx, urls: string[]) {
  const keys = urls.filter(url => url.startsWith(MEDIA)).map(url => url.slice(MEDIA.length))
  for (let at = 0; at < keys.length; at += AT_ONCE)
    await tx.enqueue(removeFiles, { keys: keys.slice(at, at + AT_ONCE) })
}

const MEDIA = '/media/'
const AT_ONCE = 500

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
