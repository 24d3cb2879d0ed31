import { cut } from '@balcao/contract/cut.rules.ts'
import { CIPHERTEXT } from '@balcao/contract/messages.rules.ts'
import { type ExternalId, externalIdOf } from '../../../platform/external.ts'
import { whyItFailed } from '../../../platform/observe/log-errors.ts'
import { together } from '../../../platform/postgres/db.ts'
import { given, insertingAll, prepared, statement, written } from '../../../platform/postgres/prepared.ts'
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  max,
  ne,
  not,
  notInArray,
  sql as tag,
} from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { fromNow } from '../../../platform/work/leases.ts'
import { inboundEvents } from '../messages.log.table.ts'
import type { MessageRow } from '../messages.queries.ts'
import { messages } from '../messages.table.ts'
import { deletionKey, type InboundMessage } from './inbound.rules.ts'

/** Inserts events into the raw log; an unhandled row becomes handled, a handled one stays. Answers the rows that changed. */
export const writeInbound = (tx: Tx, rows: (typeof inboundEvents.$inferInsert)[]) => writeAll(tx.sql, rows)

const writeAll = insertingAll(
  inboundEvents,
  tag`on conflict (company_id, whatsapp_id, key) do update set handled_at = excluded.handled_at,
    ticket_id = excluded.ticket_id, spent_ms = excluded.spent_ms, failure = ''
    where inbound_events.handled_at is null and excluded.handled_at is not null returning *`,
)

/** The event of a log row with this key; null when there is none. */
export const loggedEvent = statement(
  sql =>
    sql
      .select({ handledAt: inboundEvents.handledAt })
      .from(inboundEvents)
      .where(
        and(
          eq(inboundEvents.companyId, given('companyId')),
          eq(inboundEvents.whatsappId, given('whatsappId')),
          eq(inboundEvents.key, given('key')),
        ),
      ),
  (whatsappId: number, key: ExternalId) => ({ whatsappId, key }),
  ([row]) => row ?? null,
)

/** Those of messages whose deletion was received before them. */
export const deletedBefore = statement(
  written<{ key: ExternalId }>(
    () => tag`select e.key from unnest(${given('keys')}::text[]) as k (key) join inbound_events e
    on e.company_id = ${given('companyId')} and e.whatsapp_id = ${given('whatsappId')} and e.key = k.key`,
  ),
  (whatsappId: number, events: InboundMessage[]) => ({ whatsappId, keys: events.map(deletionKey) }),
  (found, _whatsappId, events) => {
    const logged = new Set(found.map(({ key }) => key))
    return new Set(events.filter(event => logged.has(deletionKey(event))))
  },
)

/** The rows that WhatsApp knows by the ids of messages on a connection, locked; null where there is none. */
export const lockKnown = statement(
  sql =>
    sql
      .select(getTableColumns(messages))
      .from(
        tag`unnest(${given('externalIds')}::text[], ${given('fromMe')}::bool[]) as named (external_id, from_me)`,
      )
      .innerJoin(
        messages,
        and(
          eq(messages.companyId, given('companyId')),
          eq(messages.whatsappId, given('whatsappId')),
          tag`${messages.externalId} = named.external_id and ${messages.fromMe} = named.from_me`,
        ),
      )
      .orderBy(messages.id)
      .for('update', { of: messages }),
  (whatsappId: number, events: Pick<InboundMessage, 'externalId' | 'fromMe'>[]) => ({
    whatsappId,
    externalIds: events.map(({ externalId }) => externalIdOf(externalId)),
    fromMe: events.map(({ fromMe }) => fromMe),
  }),
  (rows, _whatsappId, events): (MessageRow | null)[] =>
    events.map(
      ({ externalId, fromMe }) =>
        rows.find(row => row.externalId === externalIdOf(externalId) && row.fromMe === fromMe) ?? null,
    ),
)

/** The row that WhatsApp knows by this id on a connection, locked. */
export const lockByExternalId = async (
  tx: Tx,
  whatsappId: number,
  externalId: string,
  { fromMe }: { fromMe: boolean },
) => (await lockKnown(tx, whatsappId, [{ externalId, fromMe }]))[0]!

/** Those of these ids under which the company wrote a message on a connection. */
export async function writtenByCompany(tx: Tx, whatsappId: number, externalIds: string[]): Promise<string[]> {
  const rows = await tx.sql
    .select({ externalId: messages.externalId })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        inArray(messages.externalId, externalIds.map(externalIdOf)),
        eq(messages.fromMe, true),
      ),
    )
  return rows.map(row => row.externalId)
}

/** The message that an inbound one quotes; null when it quotes none, or one that is not known. */
export async function quotedIdOf(
  tx: Tx,
  whatsappId: number,
  { quotedExternalId }: Pick<InboundMessage, 'quotedExternalId'>,
): Promise<string | null> {
  if (!quotedExternalId) return null
  const [row] = await tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        inArray(messages.externalId, [externalIdOf(quotedExternalId)]),
      ),
    )
  return row?.id ?? null
}

/**
 * Events that were logged, not handled, and are due, oldest first; none of a chat in which one waits for its time. Nothing
 * waits for pictures: so many of them are read besides, so that a thousand of them hide no other event.
 */
export async function unhandledInbound(tx: Tx, whatsappId: number, pictures: number) {
  const own = { companyId: tx.companyId, whatsappId }
  const [others, due] = await together(
    tx.sql,
    () => unhandled(tx.sql, own),
    () => unhandledPictures(tx.sql, { ...own, pictures }),
  )
  return [...others, ...due]
}

const isPicture = tag`${inboundEvents.key} like 'p %'`

const isWaiting = and(
  eq(inboundEvents.companyId, given('companyId')),
  eq(inboundEvents.whatsappId, given('whatsappId')),
  isNull(inboundEvents.handledAt),
)
const isDue = and(isWaiting, lte(inboundEvents.dueAt, tag`now()`))

const unhandled = prepared(sql => {
  const rests = sql
    .select({ chat: inboundEvents.chat })
    .from(inboundEvents)
    .where(and(isWaiting, gt(inboundEvents.dueAt, tag`now()`), not(isPicture)))
  return sql
    .select()
    .from(inboundEvents)
    .where(and(isDue, not(isPicture), notInArray(inboundEvents.chat, rests)))
    .orderBy(asc(inboundEvents.id))
    .limit(500)
})

const unhandledPictures = prepared(sql =>
  sql
    .select()
    .from(inboundEvents)
    .where(and(isDue, isPicture))
    .orderBy(asc(inboundEvents.dueAt), asc(inboundEvents.id))
    .limit(given('pictures')),
)

/** Counts a failed try with its error; `inMs` null: given up until it is handled again manually. */
export const noteFailure = (tx: Tx, id: number, error: unknown, inMs: number | null) =>
  tx.sql
    .update(inboundEvents)
    .set({
      attempts: tag`${inboundEvents.attempts} + 1`,
      failure: cut(whyItFailed(error), 500),
      dueAt: inMs === null ? null : fromNow(inMs),
    })
    .where(and(eq(inboundEvents.companyId, tx.companyId), eq(inboundEvents.id, id)))
    .returning()

/** Whether nothing of the ticket precedes a message; notes do not count, here and below. */
export async function isFirstOf(tx: Tx, { ticketId, position }: MessageRow): Promise<boolean> {
  const [row] = await tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        eq(messages.isPrivate, false),
        lt(messages.position, position),
      ),
    )
    .limit(1)
  return row === undefined
}

/** Whether a ticket has no other message. */
export async function isOnlyOne(tx: Tx, { ticketId, id }: MessageRow): Promise<boolean> {
  const [row] = await tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        eq(messages.isPrivate, false),
        ne(messages.id, id),
      ),
    )
    .limit(1)
  return row === undefined
}

/** Whether nothing of the ticket can be read yet. */
export async function hasPlaceholdersOnly(tx: Tx, ticketId: number): Promise<boolean> {
  const [row] = await tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        eq(messages.isPrivate, false),
        tag`${messages.mediaType} is distinct from ${CIPHERTEXT}`,
      ),
    )
    .limit(1)
  return row === undefined
}

/** When the customer of a ticket wrote last; null when never. */
export async function lastQuestionAt(tx: Tx, ticketId: number): Promise<string | null> {
  const [row] = await tx.sql
    .select({ createdAt: messages.createdAt })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        eq(messages.source, 'contact'),
      ),
    )
    .orderBy(desc(messages.position), desc(messages.id))
    .limit(1)
  return row?.createdAt ?? null
}

/** Whether the company wrote in a ticket since, besides automatic replies. */
export async function companyWroteSince(tx: Tx, ticketId: number, at: string): Promise<boolean> {
  const [row] = await tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        eq(messages.fromMe, true),
        eq(messages.isPrivate, false),
        notInArray(messages.source, ['greeting', 'bot', 'flow']),
        gte(messages.createdAt, at),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** The tickets of received messages, or of unread ones that contacts wrote until then, each with the last of them. */
export const lastOf = (
  tx: Tx,
  whatsappId: number,
  { externalIds, contactIds, until }: { externalIds: string[]; contactIds: number[]; until: string },
) =>
  tx.sql
    .select({ ticketId: messages.ticketId, position: max(messages.position).mapWith(Number) })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        externalIds.length > 0
          ? inArray(messages.externalId, externalIds.map(externalIdOf))
          : and(
              inArray(messages.contactId, contactIds),
              eq(messages.read, false),
              lte(messages.createdAt, until),
            ),
        eq(messages.fromMe, false),
      ),
    )
    .groupBy(messages.ticketId)
    .orderBy(messages.ticketId)
