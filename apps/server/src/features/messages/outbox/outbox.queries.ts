import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Outgoing } from '../../../driver.ts'
import type { Sql } from '../../../platform/postgres/db.ts'
import { given, statement, written } from '../../../platform/postgres/prepared.ts'
import { and, asc, eq, lte, rowsFrom, type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { fromNow } from '../../../platform/work/leases.ts'
import { contacts } from '../../contacts/contacts.table.ts'
import { isInOutbox, messages, wakesAt } from '../messages.table.ts'
import { heldMs, isNotHeld } from './held.queries.ts'

/** Rows of one look into the outbox. */
export const BATCH = 100

/**
 * What waits to be sent on a connection, in its order, without the chats that are busy. Includes messages that become due
 * (`dueIn` milliseconds, above 0) within `soonMs`, after those that are due. Empty for a suspended company.
 */
export const unsentMessages = statement(
  sql =>
    waitingRows(sql)
      .where(
        and(
          eq(messages.companyId, given('companyId')),
          eq(messages.whatsappId, given('whatsappId')),
          isInOutbox,
          tag`${messages.contactId} <> all(${given('without')}::int[])`,
          tag`${messages.contactId} <> all(array(select m.contact_id from messages m where m.company_id = ${given('companyId')}
          and m.whatsapp_id = ${given('whatsappId')} and m.retry_at > now() and m.fail_reason <> 'ERR_WAPP_RESTRICTED'
          and m.waits and m.outbox in ('queued', 'sending', 'unknown')))`,
          tag`${wakesAt(messages)} <= now() + ${given('soonMs')}::int * interval '1 millisecond'`,
          isExpected,
          isNotHeld,
          isNotSuspended,
        ),
      )
      .orderBy(tag`${dueIn} > 0`, asc(wakesAt(messages)), asc(messages.position))
      .limit(BATCH),
  (whatsappId: number, without: number[], soonMs: number) => ({ whatsappId, without, soonMs }),
)

export type WaitingMessage = Awaited<ReturnType<typeof unsentMessages>>[number]

export const millisecondsUntil = (at: AnyPgColumn) =>
  tag<number>`coalesce(ceil(extract(epoch from ${at} - now()) * 1000)::float8, 0)`
const dueIn = millisecondsUntil(messages.dueAt)

export const isNotSuspended = tag`(select c.suspended_at is null from companies c where c.id = ${given('companyId')})`

/** An automatic message is not sent after `leavesUntil`. */
const isExpected = tag`(${messages.leavesUntil} is null or ${messages.leavesUntil} > now())`

const waitingRows = (sql: Sql) =>
  sql
    .select({
      id: messages.id,
      externalId: messages.externalId,
      contactId: messages.contactId,
      ...contentColumns,
      attempts: messages.attempts,
      tries: messages.tries,
      dueIn,
      heldMs,
      typing: messages.typing,
      typingIn: millisecondsUntil(messages.typingFrom),
      contact: recipient,
      quoted: tag<Outgoing['quoted'] | null>`(
        select json_strip_nulls(json_build_object('externalId', q.external_id, 'fromMe', q.from_me, 'body', q.body,
          'author', case when q.author is not null
            then json_build_object('kind', q.author->>'kind', 'value', q.author->>'value') end)) from messages q
        where q.company_id = ${messages.companyId} and q.id = ${messages.quotedId} and not q.is_private)`,
    })
    .from(messages)
    .innerJoin(contacts, and(eq(contacts.companyId, messages.companyId), eq(contacts.id, messages.contactId)))

/** Messages as they wait, in the order of their ids. */
export const waitingMessages = statement(
  sql => waitingRows(sql).where(areThese).orderBy(messages.position),
  (ids: string[]) => ({ ids, whatsappId: null }),
)

/**
 * Of tickets on these connections those whose chats have nothing that waits, on numbers that are not restricted: their messages
 * may leave at once. None while 300 messages or more wait: their chats are not looked at one by one.
 */
export const idleTickets = statement(
  written<{ ticketId: number; whatsappId: number }>(
    () => tag`with asked as materialized (
      select t.id, t.whatsapp_id, t.contact_id from tickets t where t.company_id = ${given('companyId')}::int
        and t.id = any(${given('ticketIds')}::int[]) and t.whatsapp_id = any(${given('whatsappIds')}::int[])),
    waiting as materialized (
      select m.contact_id from messages m where m.company_id = ${given('companyId')}::int
        and m.whatsapp_id = any(array(select whatsapp_id from asked)) and m.waits limit 300)
    select t.id as "ticketId", t.whatsapp_id as "whatsappId" from asked t
      join whatsapps w on w.company_id = ${given('companyId')}::int and w.id = t.whatsapp_id
    where (w.restricted_until is null or w.restricted_until <= now())
      and t.contact_id <> all(array(select contact_id from waiting))
      and (select count(*) from waiting) < 300`,
  ),
  (ticketIds: number[], whatsappIds: number[]) => ({ ticketIds, whatsappIds }),
)

/** The external ids of automatic messages of a connection that are too late to be sent; of a suspended company, too. */
export const overdueMessages = statement(
  sql =>
    sql
      .select({ externalId: messages.externalId })
      .from(messages)
      .where(
        and(
          eq(messages.companyId, given('companyId')),
          eq(messages.whatsappId, given('whatsappId')),
          isInOutbox,
          lte(messages.leavesUntil, tag`now()`),
        ),
      )
      .orderBy(asc(messages.position))
      .limit(BATCH),
  (whatsappId: number) => ({ whatsappId }),
)

/** Columns that a message to send is composed of. */
export const contentColumns = {
  body: messages.body,
  mediaType: messages.mediaType,
  mediaUrl: messages.mediaUrl,
  media: messages.media,
  dataJson: messages.dataJson,
  isForwarded: messages.isForwarded,
}

/** Columns that a chat is found by. */
export const recipient = {
  number: contacts.number,
  lid: contacts.lid,
  cloudId: contacts.cloudId,
  isGroup: contacts.isGroup,
}

/**
 * Marks messages as leaving. Answers how often each was tried with this time, 0 when it does not wait any more. What
 * waited for its time gets its position in the conversation now.
 */
export const beginSending = statement(
  sql =>
    sql
      .update(messages)
      .set({
        outbox: 'sending',
        attempts: tag`${messages.attempts} + 1`,
        retryAt: null,
        position: whenDue(messages.position, tag`nextval('messages_position_seq')`),
        createdAt: whenDue(messages.createdAt, tag`now()`),
        dueAt: null,
        typing: null,
        typingFrom: null,
      })
      .where(and(areThese, isExpected, isInOutbox))
      .returning({ id: messages.id, attempts: messages.attempts }),
  (ids: string[]) => ({ ids }),
  (rows, ids) => {
    const tried = new Map(rows.map(({ id, attempts }) => [id, attempts]))
    return ids.map(id => tried.get(id) ?? 0)
  },
)

const areThese = and(
  eq(messages.companyId, given('companyId')),
  tag`${messages.id} = any(${given('ids')}::uuid[])`,
)

const whenDue = (column: AnyPgColumn, then: SQL) =>
  tag`case when ${messages.dueAt} is null then ${column} else ${then} end`
/**
 * What is late (the process or the network was down) becomes due now, and what follows on its ticket keeps its distance to
 * it. A message that began to leave before (its time is `created_at`) counts as the first of them. A bot and its flows count
 * as one source.
 */
export const keepGaps = (tx: Tx, whatsappId: number, contactIds: number[]) =>
  tx.sql.execute(tag`
    update ${messages} m set due_at = m.due_at + late.by, typing_from = m.typing_from + late.by
    from (
      select ticket_id, ${speaker} as speaker, now() - min(coalesce(due_at, created_at)) as by from ${messages}
      where company_id = ${tx.companyId} and whatsapp_id = ${whatsappId} and contact_id = any(${`{${contactIds}}`}::int[])
        and waits and outbox in ('queued', 'sending', 'unknown') and (due_at is not null or outbox <> 'queued')
      group by ticket_id, ${speaker}
    ) late
    where m.company_id = ${tx.companyId} and m.ticket_id = late.ticket_id and ${speaker} = late.speaker
      and m.whatsapp_id = ${whatsappId} and m.waits and m.outbox = 'queued' and m.due_at is not null and late.by > interval '0'`)

const speaker = tag.raw(`case source when 'flow' then 'bot' else source end`)

/** A message that could not be sent, or whose outcome is unknown: it is tried again, and shows why it waits. */
export interface Unsent {
  id: string
  inMs: number
  /** Tries that failed by the message's or its recipient's fault. */
  tries: number
  /** A code of the catalogue; empty for none. */
  reason: string
}

/** Schedules the next tries. Answers for each whether its reason changed. */
export function scheduleRetries(tx: Tx, unsent: Unsent[]) {
  const listed = tag`json_to_recordset(${JSON.stringify(unsent)}) as u(id uuid, "inMs" float8, tries int, reason text)`
  return rowsFrom<{ id: string; ticketId: number; isNews: boolean }>(
    tx.sql,
    tag`update messages m set outbox = 'unknown', tries = u.tries, retry_at = ${fromNow(tag`u."inMs"`)},
        fail_reason = u.reason, version = m.version + (m.fail_reason <> u.reason)::int
      from messages former, ${listed} where m.company_id = ${tx.companyId} and m.id = u.id
        and m.waits and m.outbox in ('sending', 'unknown') and former.company_id = m.company_id and former.id = m.id
      returning m.id, m.ticket_id as "ticketId", former.fail_reason <> m.fail_reason as "isNews"`,
  )
}
