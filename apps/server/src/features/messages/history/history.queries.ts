import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { externalIdOf } from '../../../platform/external.ts'
import { and, desc, eq, gte, inArray, lte, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { endOf, startOf, zoneOf } from '../../companies/companies.queries.ts'
import { contacts } from '../../contacts/contacts.table.ts'
import { queues } from '../../queues/queues.table.ts'
import { isReadable } from '../../tickets/lists/visibility.queries.ts'
import { tickets } from '../../tickets/tickets.table.ts'
import { users } from '../../users/users.table.ts'
import { inboundEvents } from '../messages.log.table.ts'
import { messages, messageVersions } from '../messages.table.ts'

/** What tickets have of messages whose kind cannot be read yet. */
export const unreadKindsOf = (tx: Tx, ticketIds: number[]) =>
  tx.sql
    .select({ whatsappId: messages.whatsappId, externalId: messages.externalId })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        inArray(messages.ticketId, ticketIds),
        eq(messages.mediaType, 'unknown'),
      ),
    )

/** A period, and one contact. */
export interface ExportFilter {
  from?: string | undefined
  until?: string | undefined
  contactId?: number | undefined
  /** With the notes of the company. */
  notes?: boolean | undefined
}

/** Tickets that the viewer may read and that changed since the beginning of the period, by id. */
export async function exportedTickets(
  tx: Tx,
  viewer: Viewer,
  { from, contactId }: ExportFilter,
): Promise<number[]> {
  const found = await tx.sql
    .select({ id: tickets.id })
    .from(tickets)
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        isReadable(tx.companyId, viewer),
        contactId === undefined ? undefined : eq(tickets.contactId, contactId),
        from ? gte(tickets.updatedAt, startOf(tx, from)) : undefined,
      ),
    )
    .orderBy(tickets.updatedAt, tickets.id)
  return found.map(({ id }) => id).sort((a, b) => a - b)
}

/** Rows of one page of an export. */
export const EXPORT_PAGE = 1_000

export type ExportedRow = Awaited<ReturnType<typeof exportedMessages>>[number]

/** The messages of tickets in a period, by ticket and position, after the last row of the page before. */
export const exportedMessages = (
  tx: Tx,
  ticketIds: number[],
  { from, until, notes }: ExportFilter,
  last: Pick<typeof messages.$inferSelect, 'ticketId' | 'position' | 'id'> | undefined,
) =>
  tx.sql
    .select({
      ticketId: messages.ticketId,
      position: messages.position,
      id: messages.id,
      /** Days since 1900 in the company's time zone: the unit of spreadsheets. */
      at: tag<number>`(extract(epoch from ${messages.createdAt} at time zone ${zoneOf(tx)}) / 86400 + 25569)::float8`,
      body: messages.body,
      fromMe: messages.fromMe,
      source: messages.source,
      isDeleted: messages.isDeleted,
      isPrivate: messages.isPrivate,
      mediaType: messages.mediaType,
      media: messages.media,
      dataJson: messages.dataJson,
      referral: messages.referral,
      author: messages.author,
      user: users.name,
      contact: contacts.name,
      number: contacts.number,
      protocol: tickets.protocol,
      queue: queues.name,
    })
    .from(messages)
    .innerJoin(tickets, and(eq(tickets.companyId, messages.companyId), eq(tickets.id, messages.ticketId)))
    .innerJoin(contacts, and(eq(contacts.companyId, messages.companyId), eq(contacts.id, messages.contactId)))
    .leftJoin(users, and(eq(users.companyId, messages.companyId), eq(users.id, messages.userId)))
    .leftJoin(queues, and(eq(queues.companyId, tickets.companyId), eq(queues.id, tickets.queueId)))
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        inArray(messages.ticketId, ticketIds),
        notes ? undefined : eq(messages.isPrivate, false),
        from ? gte(messages.createdAt, startOf(tx, from)) : undefined,
        until ? lte(messages.createdAt, endOf(tx, until)) : undefined,
        last
          ? tag`(${messages.ticketId}, ${messages.position}, ${messages.id}) >
              (${last.ticketId}::int, ${last.position}::bigint, ${last.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(messages.ticketId, messages.position, messages.id)
    .limit(EXPORT_PAGE)

/** A person's data is written in memory: so many messages, the newest, and as many previous texts. */
const MOST_EXPORTED = 20_000

/** The messages of a contact with their previous texts, newest first, and how many messages there are. */
export async function messagesOfContact(tx: Tx, contactId: number) {
  const own = and(eq(messages.companyId, tx.companyId), eq(messages.contactId, contactId))
  const newest = await tx.sql
    .select({
      id: messages.id,
      ticketId: messages.ticketId,
      at: messages.createdAt,
      fromMe: messages.fromMe,
      source: messages.source,
      body: messages.body,
      mediaType: messages.mediaType,
      mediaUrl: messages.mediaUrl,
      media: messages.media,
      data: messages.dataJson,
      referral: messages.referral,
      reactions: messages.reactions,
      isDeleted: messages.isDeleted,
      isPrivate: messages.isPrivate,
      editedAt: messages.editedAt,
    })
    .from(messages)
    .where(own)
    .orderBy(desc(messages.position), desc(messages.id))
    .limit(MOST_EXPORTED)
  const versions = await tx.sql
    .select({
      messageId: messageVersions.messageId,
      what: messageVersions.what,
      body: messageVersions.body,
      mediaUrl: messageVersions.mediaUrl,
      at: messageVersions.at,
    })
    .from(messageVersions)
    .innerJoin(
      messages,
      and(eq(messages.companyId, messageVersions.companyId), eq(messages.id, messageVersions.messageId)),
    )
    .where(own)
    .orderBy(desc(messageVersions.id))
    .limit(MOST_EXPORTED)
  const [all] = await tx.sql.select({ count: tag<number>`count(*)::int` }).from(messages).where(own)
  return { newest, versions, count: all!.count }
}

/** Removes the events of chats from the raw message log. */
export const deleteInboundEvents = (tx: Tx, chats: string[]) =>
  tx.sql
    .delete(inboundEvents)
    .where(
      and(eq(inboundEvents.companyId, tx.companyId), inArray(inboundEvents.chat, chats.map(externalIdOf))),
    )
