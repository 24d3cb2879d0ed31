import { LONG_PAGE } from '@balcao/contract/kit.ts'
import type { Sql } from '../../../platform/postgres/db.ts'
import { versionOf } from '../../../platform/postgres/pg/marks.ts'
import { given, preparedFor } from '../../../platform/postgres/prepared.ts'
import {
  and,
  desc,
  eq,
  gt,
  literalLimit,
  lte,
  or,
  type SQL,
  sql as tag,
} from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { contacts } from '../../contacts/contacts.table.ts'
import { tickets } from '../../tickets/tickets.table.ts'
import { users } from '../../users/users.table.ts'
import { messageJoins, quoted, quotedUser } from '../messages.queries.ts'
import { messages } from '../messages.table.ts'

/** Which messages a page of a conversation holds. */
export interface Selection {
  /** The group's viewMessagesByTicket: 0 all of the contact's tickets, 1 the viewer's own, 2 this ticket only. */
  mode: 0 | 1 | 2
  /** Also messages of other tickets that are pending. */
  pending: boolean
  searching: boolean
  /** Continues from a row to older or newer messages. */
  onward: 'older' | 'newer' | null
  /** Begins with that row. */
  itself?: boolean
}

export type SelectionValues = Record<'companyId' | 'ticketId' | 'viewerId' | 'words' | 'term', unknown> &
  Partial<Record<'position' | 'id', unknown>>

const placeholders: SelectionValues = {
  companyId: given('companyId'),
  ticketId: given('ticketId'),
  viewerId: given('viewerId'),
  words: given('words'),
  term: given('term'),
  position: given('position'),
  id: given('id'),
}

/** Changes with everything that a message shows: its own row, the quoted one, its ticket's queue, the names. */
const mark = tag<string>`concat(${versionOf(messages)}, ' ', ${versionOf('quoted')}, ' ', ${tickets.queueId}, ' ',
  ${contacts.name}, chr(31), ${users.name}, chr(31), ${quotedUser.name})`

/** A message without its content, with a mark of it: the JSON text of an unchanged mark is reused (decision 007). */
export type MarkedMessage = Awaited<ReturnType<typeof selectMarked>>[number]

function selectMarked(sql: Sql) {
  return sql
    .select({
      id: messages.id,
      position: messages.position,
      ticketId: messages.ticketId,
      isUnread: tag<boolean>`not ${messages.fromMe} and not ${messages.read}`,
      mark,
    })
    .from(messages)
    .innerJoin(contacts, messageJoins.contact)
    .innerJoin(tickets, messageJoins.ticket)
    .leftJoin(users, messageJoins.user)
    .leftJoin(quoted, messageJoins.quoted)
    .leftJoin(quotedUser, messageJoins.quotedUser)
    .$dynamic()
}

/** The rows of a page, one more than it holds: newest first, or oldest first towards newer messages. */
export const rowsOfPage = preparedFor((sql, selection: Selection) =>
  selectMarked(sql)
    .where(isPart(selection, placeholders))
    .orderBy(...(selection.onward === 'newer' ? oldest : newest))
    .limit(literalLimit(LONG_PAGE + 1)),
)

const newest = [desc(messages.position), desc(messages.id)]
const oldest = [messages.position, messages.id]

/** The last row before a page; undefined when the conversation ends earlier. An index-only scan. */
export async function rowBefore(tx: Tx, selection: Selection, values: SelectionValues, page: number) {
  const [row] = await tx.sql
    .select({ position: messages.position, id: messages.id })
    .from(messages)
    .where(isPart({ ...selection, onward: null }, values))
    .orderBy(...newest)
    .offset((page - 1) * LONG_PAGE - 1)
    .limit(1)
  return row
}

/** The key of one message of a conversation; undefined when the conversation does not hold it. */
export async function rowOf(tx: Tx, selection: Selection, values: SelectionValues, messageId: string) {
  const [row] = await tx.sql
    .select({ position: messages.position, id: messages.id })
    .from(messages)
    .where(and(isPart(selection, values), eq(messages.id, messageId)))
  return row
}

/** Which messages are part of a conversation: `isInConversation` of tickets.rules, as SQL. */
export function isPart(
  { mode, pending, searching, onward, itself = false }: Selection,
  values: SelectionValues,
): SQL {
  const inTicket = tag`${messages.ticketId} = ${values.ticketId}::int`
  const ofContact = tag`${messages.contactId} = (select contact_id from ${tickets}
    where company_id = ${values.companyId} and id = ${values.ticketId}::int)`
  const elsewhere = and(
    mode === 1 ? tag`t.user_id = ${values.viewerId}::int` : undefined,
    pending ? undefined : tag`t.status <> 'pending'`,
  )
  const shown = mode === 2 ? inTicket : and(ofContact, elsewhere && or(inTicket, inTicketsWhere(elsewhere)))
  return and(
    tag`${messages.companyId} = ${values.companyId}`,
    shown,
    searching
      ? tag`not ${messages.isDeleted} and ${messages.body} ~ (select folded_pattern(${values.words})) and folded(${messages.body}) like ${values.term}`
      : undefined,
    onward
      ? tag`(${messages.position}, ${messages.id}) ${tag.raw(BEYOND[onward] + (itself ? '=' : ''))} (${values.position}::bigint, ${values.id}::uuid)`
      : undefined,
  )!
}

const BEYOND = { older: '<', newer: '>' }

const inTicketsWhere = (condition: SQL) =>
  tag`exists (select from tickets t where t.company_id = ${messages.companyId} and t.id = ${messages.ticketId}
    and ${condition})`

/** The place of a message in its conversation; undefined when there is none. */
export async function positionOf(tx: Tx, messageId: string): Promise<number | undefined> {
  const [row] = await tx.sql
    .select({ position: messages.position })
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.id, messageId)))
  return row?.position
}

/** Marks the inbound messages of a ticket up to a position as read. Answers those that were not. */
export const markMessagesRead = (tx: Tx, ticketId: number, upTo: number) =>
  tx.sql
    .update(messages)
    .set({ read: true })
    .where(and(unreadOf(tx, ticketId), lte(messages.position, upTo)))
    .returning({ externalId: messages.externalId, author: messages.author })

export async function countUnreadAfter(tx: Tx, ticketId: number, position: number): Promise<number> {
  const [row] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(messages)
    .where(and(unreadOf(tx, ticketId), gt(messages.position, position)))
  return row!.count
}

const unreadOf = (tx: Tx, ticketId: number) =>
  and(
    eq(messages.companyId, tx.companyId),
    eq(messages.ticketId, ticketId),
    eq(messages.fromMe, false),
    eq(messages.read, false),
  )
