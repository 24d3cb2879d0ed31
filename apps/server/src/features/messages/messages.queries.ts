import type { Message } from '@balcao/contract/messages.ts'
import { alias } from 'drizzle-orm/pg-core'
import { given, prepared } from '../../platform/db.prepared.ts'
import type { Sql } from '../../platform/db.ts'
import { versionOf } from '../../platform/pg/marks.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, getTableColumns, sql as tag } from '../../platform/sql.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'
import { type inboundEvents, messages } from './messages.table.ts'

export type MessageRow = typeof messages.$inferSelect
export type InboundEventRow = typeof inboundEvents.$inferSelect

const quoted = alias(messages, 'quoted')
const quotedUser = alias(users, 'quoted_user')

/** What the outbox and the fetching of files keep on the row is theirs alone. */
const {
  mediaSource: _source,
  mediaDue: _due,
  mediaAttempts: _fetched,
  outbox: _outbox,
  attempts: _sent,
  typing: _typing,
  typingFrom: _from,
  companyId: _company,
  ...shown
} = getTableColumns(messages)

/** How what a message shows hangs on its row. */
const its = {
  contact: and(eq(contacts.companyId, messages.companyId), eq(contacts.id, messages.contactId)),
  ticket: and(eq(tickets.companyId, messages.companyId), eq(tickets.id, messages.ticketId)),
  user: and(eq(users.companyId, messages.companyId), eq(users.id, messages.userId)),
  quoted: and(eq(quoted.companyId, messages.companyId), eq(quoted.id, messages.quotedId)),
  quotedUser: and(eq(quotedUser.companyId, quoted.companyId), eq(quotedUser.id, quoted.userId)),
}

/** Whole messages in one statement however many: the shape of answers, pushes and caches. */
export function selectMessages(sql: Sql) {
  return sql
    .select({
      message: shown,
      user: { id: users.id, name: users.name },
      contact: { id: contacts.id, name: contacts.name },
      ticket: { id: tickets.id, protocol: tickets.protocol, queueId: tickets.queueId },
      quoted: {
        id: quoted.id,
        body: quoted.body,
        fromMe: quoted.fromMe,
        mediaType: quoted.mediaType,
        isDeleted: quoted.isDeleted,
        author: quoted.author,
        source: quoted.source,
      },
      quotedUser: { id: quotedUser.id, name: quotedUser.name },
    })
    .from(messages)
    .innerJoin(contacts, its.contact)
    .innerJoin(tickets, its.ticket)
    .leftJoin(users, its.user)
    .leftJoin(quoted, its.quoted)
    .leftJoin(quotedUser, its.quotedUser)
    .$dynamic()
}

/** Changes with everything that a message shows: its own row, the one it answers to, its ticket's queue, the names. */
const mark = tag<string>`concat(${versionOf(messages)}, ' ', ${versionOf('quoted')}, ' ', ${tickets.queueId}, ' ',
  ${contacts.name}, chr(31), ${users.name}, chr(31), ${quotedUser.name})`

/** Where messages stand, and their marks: what they say is read where it changed (messages.written.ts). */
export function selectMarked(sql: Sql) {
  return sql
    .select({
      id: messages.id,
      position: messages.position,
      ticketId: messages.ticketId,
      isUnread: tag<boolean>`not ${messages.fromMe} and not ${messages.read}`,
      mark,
    })
    .from(messages)
    .innerJoin(contacts, its.contact)
    .innerJoin(tickets, its.ticket)
    .leftJoin(users, its.user)
    .leftJoin(quoted, its.quoted)
    .leftJoin(quotedUser, its.quotedUser)
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectMessages>>[number]

export function toMessage({
  message,
  user,
  contact,
  ticket,
  quoted: origin,
  quotedUser: by,
}: Selected): Message {
  const { reactions, author, ...rest } = message
  return {
    ...rest,
    reactions: reactions
      .filter(({ emoji }) => emoji)
      .map(({ by, emoji, name }) => ({ emoji, fromMe: by === 'me', name })),
    author: author && { name: author.name, number: author.number },
    user,
    contact,
    ticket,
    quotedMsg: origin && {
      ...origin,
      author: origin.fromMe ? '' : (origin.author?.name ?? contact.name),
      user: by,
    },
  }
}

/** Of one the planner knows how many come, and plans once; of a list it would plan anew every time. */
const byId = prepared(sql =>
  selectMessages(sql).where(and(eq(messages.companyId, given('companyId')), eq(messages.id, given('id')))),
)

const byIds = prepared(sql =>
  selectMessages(sql).where(
    and(eq(messages.companyId, given('companyId')), tag`${messages.id} = any(${given('ids')}::uuid[])`),
  ),
)

/** Messages of the company in the order of their ids; those that do not exist are left out. */
export async function loadMessages(tx: Tx, ids: string[]): Promise<Message[]> {
  if (ids.length === 0) return []
  const { companyId } = tx
  const [id] = ids
  const rows = await (ids.length === 1
    ? byId(tx.sql, { companyId, id })
    : byIds(tx.sql, { companyId, ids: `{${ids}}` }))
  const found = new Map(rows.map(row => [row.message.id, toMessage(row)]))
  return ids.flatMap(id => found.get(id) ?? [])
}

/** A message of the company; null when there is none. */
export const loadMessage = async (tx: Tx, messageId: string): Promise<Message | null> =>
  (await loadMessages(tx, [messageId]))[0] ?? null

/** The row that WhatsApp knows by this id on a connection, locked. */
export async function lockByExternalId(
  tx: Tx,
  whatsappId: number,
  externalId: string,
  fromMe: boolean,
): Promise<MessageRow | null> {
  const [row] = await externalForUpdate(tx.sql, { companyId: tx.companyId, whatsappId, externalId, fromMe })
  return row ?? null
}

const externalForUpdate = prepared(sql =>
  sql
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.companyId, given('companyId')),
        eq(messages.whatsappId, given('whatsappId')),
        eq(messages.externalId, given('externalId')),
        eq(messages.fromMe, given('fromMe')),
      ),
    )
    .for('update'),
)

/** Rows of ours that WhatsApp knows by these ids on a connection, locked. */
export const lockSent = (tx: Tx, whatsappId: number, externalIds: string[]): Promise<MessageRow[]> =>
  sentForUpdate(tx.sql, { companyId: tx.companyId, whatsappId, externalIds: JSON.stringify(externalIds) })

const sentForUpdate = prepared(sql =>
  sql
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.companyId, given('companyId')),
        eq(messages.whatsappId, given('whatsappId')),
        tag`${messages.externalId} = any(array(select json_array_elements_text(${given('externalIds')}::json)))`,
        eq(messages.fromMe, true),
      ),
    )
    .orderBy(messages.id)
    .for('update'),
)

/** The row of a message of the company, locked; null when there is none. */
export async function lockMessage(tx: Tx, messageId: string): Promise<MessageRow | null> {
  const [row] = await tx.sql
    .select()
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.id, messageId)))
    .for('update')
  return row ?? null
}

/** Makes everything that concerns one chat wait its turn, across processes, until the transaction ends. */
export const lockChat = (tx: Tx, chat: string) => turn(tx.sql, { companyId: tx.companyId, chat })

const turn = prepared(sql =>
  sql
    .select({ taken: tag`pg_advisory_xact_lock(${given('companyId')}::int, hashtext(${given('chat')}))` })
    .from(tag`(select 1) as one`),
)
