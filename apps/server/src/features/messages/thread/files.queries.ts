import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { namesFiles } from '../../../platform/files/orphans.ts'
import { and, desc, eq, inArray, isNotNull, ne, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { isReadable, ownerOfTicket } from '../../tickets/lists/visibility.queries.ts'
import { tickets } from '../../tickets/tickets.table.ts'
import { selectMessages } from '../messages.queries.ts'
import { isAutomatic, messages, messageVersions } from '../messages.table.ts'
import { isPart, type Selection } from './thread.queries.ts'

/** Columns that name files. */
export const messageFiles = [
  namesFiles(messages, messages.mediaUrl),
  namesFiles(messageVersions, messageVersions.mediaUrl),
]

/** Messages of a conversation with a file that the viewer may read, newest first. */
export function messagesWithFiles(tx: Tx, viewer: Viewer, ticketId: number, selection: Selection) {
  return selectMessages(tx.sql)
    .where(
      and(
        isPart(selection, { companyId: tx.companyId, ticketId, viewerId: viewer.id, words: '', term: '' }),
        isNotNull(messages.mediaUrl),
        eq(messages.isDeleted, false),
        ne(messages.mediaType, 'sticker'),
        isReadable(tx.companyId, viewer),
      ),
    )
    .orderBy(desc(messages.position), desc(messages.id))
}

const state = {
  status: tickets.status,
  queueId: tickets.queueId,
  userId: tickets.userId,
  ownerId: ownerOfTicket,
}

/** Rows of one permission check. */
const TICKETS = 500

/** The tickets in which messages name a file. `isShared`: an automatic message, whose file is the company's. */
export const ticketsNaming = (tx: Tx, address: string) =>
  tx.sql
    .select({
      ticketId: messages.ticketId,
      contactId: messages.contactId,
      isShared: tag<boolean>`${isAutomatic(messages)} and ${messages.source} <> 'api'`,
      ...state,
    })
    .from(messages)
    .innerJoin(tickets, and(eq(tickets.companyId, messages.companyId), eq(tickets.id, messages.ticketId)))
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.mediaUrl, address)))
    .limit(TICKETS)

/** Whether a file belongs to a message that was deleted for everyone. */
export async function isOfVersion(tx: Tx, address: string): Promise<boolean> {
  const [kept] = await tx.sql
    .select({ id: messageVersions.id })
    .from(messageVersions)
    .where(and(eq(messageVersions.companyId, tx.companyId), eq(messageVersions.mediaUrl, address)))
    .limit(1)
  return kept !== undefined
}

/** The newest tickets of contacts. */
export const ticketsOfContacts = (tx: Tx, contactIds: number[]) =>
  tx.sql
    .select({ id: tickets.id, contactId: tickets.contactId, ...state })
    .from(tickets)
    .where(and(eq(tickets.companyId, tx.companyId), inArray(tickets.contactId, contactIds)))
    .orderBy(desc(tickets.id))
    .limit(TICKETS)

/** Which of these files messages or their previous versions still name: those of bots, flows and forwarded messages are shared. */
export async function sharedFiles(tx: Tx, addresses: string[]): Promise<string[]> {
  const shown = await tx.sql
    .selectDistinct({ url: messages.mediaUrl })
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), inArray(messages.mediaUrl, addresses)))
  const previous = await tx.sql
    .selectDistinct({ url: messageVersions.mediaUrl })
    .from(messageVersions)
    .where(and(eq(messageVersions.companyId, tx.companyId), inArray(messageVersions.mediaUrl, addresses)))
  return [...shown, ...previous].flatMap(({ url }) => url ?? [])
}

/** The files of tickets, of previous versions too. */
export async function filesOfTickets(tx: Tx, ticketIds: number[]): Promise<string[]> {
  const theirs = and(eq(messages.companyId, tx.companyId), inArray(messages.ticketId, ticketIds))
  const shown = await tx.sql
    .select({ url: messages.mediaUrl })
    .from(messages)
    .where(and(theirs, isNotNull(messages.mediaUrl)))
  const deleted = await tx.sql
    .select({ url: messageVersions.mediaUrl })
    .from(messageVersions)
    .innerJoin(
      messages,
      and(eq(messages.companyId, messageVersions.companyId), eq(messages.id, messageVersions.messageId)),
    )
    .where(and(theirs, isNotNull(messageVersions.mediaUrl)))
  return [...shown, ...deleted].flatMap(({ url }) => url ?? [])
}
