import type { MessageSource } from '@balcao/contract/tickets.ts'
import { externalIdOf } from '../../../platform/external.ts'
import type { Sql } from '../../../platform/postgres/db.ts'
import { given, prepared } from '../../../platform/postgres/prepared.ts'
import {
  and,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  or,
  rowsFrom,
  type SQL,
  sql as tag,
} from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { isAtWork } from '../../companies/companies.status.queries.ts'
import { whatsappLeases } from '../../connections/connections.table.ts'
import { inboundEvents } from '../messages.log.table.ts'
import type { MessageRow } from '../messages.queries.ts'
import { isInOutbox, messageOperations, messages, wakesAt } from '../messages.table.ts'
import { contentColumns } from './outbox.queries.ts'

/**
 * Of the connections that a process runs, of all companies, those with something to send, to do, to handle or to fetch, and
 * which: one statement, cheap for connections without work.
 */
export const connectionsWithWork = (sql: Sql, owner: string, soonMs: number) =>
  withWork(sql, { owner, soonMs })

const withWork = prepared(sql => {
  // no `exists`: it may become one search of all rows, whatever the number of connections
  const some = (
    table: typeof messages | typeof messageOperations | typeof inboundEvents,
    ...which: (SQL | undefined)[]
  ) => {
    const one = sql
      .select({ one: tag`1` })
      .from(table)
      .where(
        and(
          eq(table.companyId, whatsappLeases.companyId),
          eq(table.whatsappId, whatsappLeases.whatsappId),
          ...which,
        ),
      )
      .limit(1)
    return tag<boolean>`((${one}) is not null)`
  }
  const soon = tag`now() + ${given('soonMs')}::int * interval '1 millisecond'`
  const atWork = isAtWork(whatsappLeases.companyId)
  const leaving = and(some(messages, isInOutbox, lte(wakesAt(messages), soon)), atWork)
  // of a suspended company, too
  const overdue = some(messages, isInOutbox, lte(messages.leavesUntil, tag`now()`))
  const found = sql
    .select({
      whatsappId: whatsappLeases.whatsappId,
      outbox: tag<boolean>`${or(leaving, overdue)}`.as('outbox'),
      operations: tag<boolean>`${and(some(messageOperations), atWork)}`.as('operations'),
      inbound: some(inboundEvents, isNull(inboundEvents.handledAt), lte(inboundEvents.dueAt, tag`now()`)).as(
        'inbound',
      ),
      files: some(messages, isNotNull(messages.mediaDue), lte(messages.mediaDue, tag`now()`)).as('files'),
    })
    .from(whatsappLeases)
    .where(eq(whatsappLeases.owner, given('owner')))
    .as('found')
  return sql
    .select()
    .from(found)
    .where(or(tag`${found.outbox}`, tag`${found.operations}`, tag`${found.inbound}`, tag`${found.files}`))
})

/** The external ids of everything that waits in the outbox of a connection. */
export const waitingOnConnection = (tx: Tx, whatsappId: number, most: number) =>
  tx.sql
    .select({ externalId: messages.externalId })
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.whatsappId, whatsappId), isInOutbox))
    .orderBy(messages.position)
    .limit(most)

/** The content columns of a sent message; null when the id is not ours. */
export async function sentContent(tx: Tx, whatsappId: number, id: string) {
  const [row] = await tx.sql
    .select(contentColumns)
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        eq(messages.externalId, externalIdOf(id)),
        eq(messages.fromMe, true),
      ),
    )
  return row ?? null
}

/** Messages of a source that wait for their time on a ticket, locked. */
export const lockScheduled = (tx: Tx, ticketId: number, source: MessageSource): Promise<MessageRow[]> =>
  tx.sql
    .select()
    .from(messages)
    .where(scheduledOn(tx, ticketId, source))
    .orderBy(messages.id)
    .for('update')

/** Postpones the messages of a source that wait for their time on a ticket, all by the same time, to `from` at the earliest. */
export const postpone = (tx: Tx, ticketId: number, source: MessageSource, from: string) =>
  tx.sql.execute(tag`
    update ${messages} m set due_at = m.due_at + late.by, typing_from = m.typing_from + late.by
    from (select ${from}::timestamptz - min(due_at) as by from ${messages} where ${scheduledOn(tx, ticketId, source)}) late
    where m.company_id = ${tx.companyId} and m.ticket_id = ${ticketId} and m.source = ${source}
      and m.waits and m.outbox = 'queued' and m.due_at is not null and late.by > interval '0'`)

/** When the last message of a ticket that waits for its time is due, of one source or any; null when none waits. */
export async function lastDue(tx: Tx, ticketId: number, source?: MessageSource): Promise<string | null> {
  const [row] = await tx.sql
    .select({ at: max(messages.dueAt) })
    .from(messages)
    .where(scheduledOn(tx, ticketId, source))
  return row?.at ?? null
}

const DELIVERED = 3

/**
 * Whether something was written before the last message of the bot left: one waits, or it arrived late. Seconds of other
 * clocks, which networks round, do not count; nor does a time at all where the phone had that message by then: a clock of the
 * database that is ahead would leave every quick answer unheard.
 */
export async function isBeforeBot(tx: Tx, ticketId: number, writtenAt: string): Promise<boolean> {
  const ofBot = and(
    eq(messages.companyId, tx.companyId),
    eq(messages.ticketId, ticketId),
    eq(messages.source, 'bot'),
  )
  const last = tx.sql
    .select({
      isLater: tag`${messages.createdAt} > ${writtenAt}::timestamptz + interval '3 seconds' and ${messages.ack} < ${DELIVERED}`,
    })
    .from(messages)
    .where(and(ofBot, hasLeft))
    .orderBy(desc(messages.position))
    .limit(1)
  const [row] = await rowsFrom<{ before: boolean }>(
    tx.sql,
    tag`select exists (select from ${messages} where ${scheduledOn(tx, ticketId, 'bot')})
      or coalesce((${last}), false) as before`,
  )
  return row!.before
}

/**
 * When the last automatic message of a ticket left, or is due: a time to come while it waits. Null when there is none, and the
 * present where it should have left.
 */
export async function lastAutomaticAt(tx: Tx, ticketId: number): Promise<string | null> {
  const [row] = await tx.sql
    .select({
      at: tag<string | null>`max(case when ${isInOutbox}
        then greatest(coalesce(${messages.dueAt}, now()), now()) else ${messages.createdAt} end)`,
    })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        inArray(messages.source, ['bot', 'flow', 'greeting']),
      ),
    )
  return row?.at ?? null
}

/** Its sending began, and did not fail. */
const hasLeft = tag`not (${messages.waits} and ${messages.outbox} = 'queued') and ${messages.ack} > 0`

const scheduledOn = (tx: Tx, ticketId: number, source?: MessageSource) =>
  and(
    eq(messages.companyId, tx.companyId),
    eq(messages.ticketId, ticketId),
    source && eq(messages.source, source),
    messages.waits,
    eq(messages.outbox, 'queued'),
    isNotNull(messages.dueAt),
  )

export const deleteMessage = (tx: Tx, id: string) =>
  tx.sql.delete(messages).where(and(eq(messages.companyId, tx.companyId), eq(messages.id, id)))
