import { randomUUID } from 'node:crypto'
import { databaseTime } from '../../../platform/clock.ts'
import { given, insertingAll, statement, written } from '../../../platform/postgres/prepared.ts'
import { and, desc, eq, isNotNull, isNull, ne, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { nextProtocols } from '../../companies/companies.queries.ts'
import { type OwnedRow, ownedColumns, type TicketRow } from '../tickets.queries.ts'
import { ticketHistory, tickets } from '../tickets.table.ts'

export const livingOf = statement(
  sql => sql.select(ownedColumns).from(tickets).where(ofContact).orderBy(tickets.parallel, tickets.id),
  (contactId: number) => ({ contactId }),
  (rows): OwnedRow[] => rows,
)

/** Of several contacts: the one that the messages of each go to, by contact; locked in the order of their ids. */
export const lockLivingOf = statement(
  sql =>
    sql
      .select()
      .from(tickets)
      .where(
        and(
          eq(tickets.companyId, given('companyId')),
          tag`${tickets.contactId} = any(${given('contactIds')}::int[])`,
          ne(tickets.status, 'closed'),
          eq(tickets.whatsappId, given('whatsappId')),
        ),
      )
      .orderBy(tickets.id)
      .for('update'),
  (contactIds: number[], whatsappId: number) => ({ contactIds, whatsappId }),
  rows => {
    const first = new Map<number, TicketRow>()
    for (const row of rows) {
      const known = first.get(row.contactId)
      if (!known || (known.parallel && !row.parallel)) first.set(row.contactId, row)
    }
    return first
  },
)

const ofContact = and(
  eq(tickets.companyId, given('companyId')),
  eq(tickets.contactId, given('contactId')),
  ne(tickets.status, 'closed'),
)

/**
 * The ticket of a contact on a connection that was resolved last, so many minutes before `at` or later, locked; null while
 * another is not closed. A ticket that was closed from its beginning was never resolved.
 */
export async function lockJustClosed(
  tx: Tx,
  contactId: number,
  whatsappId: number,
  { at, minutes }: { at: string; minutes: number },
) {
  const [row] = await tx.sql
    .select({
      id: tickets.id,
      userId: tickets.userId,
      closedAt: tag<string>`${tickets.closedAt}`.mapWith(tickets.closedAt),
    })
    .from(tickets)
    .where(
      and(
        onConnection(tx, contactId, whatsappId),
        eq(tickets.status, 'closed'),
        tag`exists (select from ticket_history h where h.company_id = ${tx.companyId} and h.ticket_id = ${tickets.id}
          and h.what = 'resolved')`,
        tag`${tickets.closedAt} >= ${at}::timestamptz - make_interval(mins => ${minutes}::int)`,
        tag`not exists (select from tickets o where o.company_id = ${tx.companyId} and o.contact_id = ${contactId}
          and o.whatsapp_id = ${whatsappId} and o.status <> 'closed')`,
      ),
    )
    .orderBy(desc(tickets.closedAt), desc(tickets.id))
    .limit(1)
    .for('update')
  return row ?? null
}

/** The ticket of a contact that imported messages go to: one that is not closed, else one that an import made. */
export async function ticketForImport(tx: Tx, contactId: number, whatsappId: number) {
  const [row] = await tx.sql
    .select({ id: tickets.id })
    .from(tickets)
    .where(
      and(
        onConnection(tx, contactId, whatsappId),
        tag`(${tickets.status} <> 'closed' or ${tickets.importedAt} is not null)`,
      ),
    )
    .orderBy(desc(tickets.importedAt), tickets.parallel, tickets.id)
    .limit(1)
  return row ?? null
}

const onConnection = (tx: Tx, contactId: number, whatsappId: number) =>
  and(
    eq(tickets.companyId, tx.companyId),
    eq(tickets.contactId, contactId),
    eq(tickets.whatsappId, whatsappId),
  )

type NewTicket = Omit<typeof tickets.$inferInsert, 'companyId' | 'uuid' | 'protocol'>

/** Inserts tickets with the next protocols of the company. Returns their ids, in this order. */
export async function insertTickets(tx: Tx, opened: NewTicket[]): Promise<number[]> {
  if (opened.length === 0) return []
  const protocols = await nextProtocols(tx, opened.length)
  const closedAt = databaseTime()
  const rows = opened.map((fields, at) => ({
    ...fields,
    ...(fields.status === 'closed' && { closedAt }),
    companyId: tx.companyId,
    uuid: randomUUID(),
    protocol: protocols[at]!,
  }))
  const stored = new Map((await insertRows(tx.sql, rows)).map(({ uuid, id }) => [uuid, id]))
  return rows.map(({ uuid }) => stored.get(uuid)!)
}

const insertRows = insertingAll(tickets, tag`returning id, uuid`)

/** `isWaiting`: its customer waits for an answer. */
export interface KeptTicket {
  id: number
  isWaiting: boolean
}

/**
 * Where a message that opens no ticket goes: the ticket of each contact on a connection that is not closed, else the newest one of the
 * queue (null: of any); null where there is none. Locked in the order of their ids.
 */
export const lockKeptOf = statement(
  written<KeptTicket & { place: number }>(
    () => tag`select c.place::int as place, t.id, t.waiting_since is not null as "isWaiting"
    from unnest(${given('contactIds')}::int[], ${given('whatsappIds')}::int[], ${given('queueIds')}::int[])
      with ordinality as c (contact_id, whatsapp_id, queue_id, place)
    cross join lateral (
      (select n.id, 0 as rank from tickets n where n.company_id = ${given('companyId')} and n.contact_id = c.contact_id
        and n.whatsapp_id = c.whatsapp_id and n.status <> 'closed' order by n.parallel, n.id limit 1)
      union all
      (select n.id, 1 from tickets n where n.company_id = ${given('companyId')} and n.contact_id = c.contact_id
        and n.whatsapp_id = c.whatsapp_id and (c.queue_id is null or n.queue_id = c.queue_id) order by n.id desc limit 1)
      order by rank limit 1) kept
    join tickets t on t.company_id = ${given('companyId')} and t.id = kept.id order by t.id for update of t`,
  ),
  (places: { contactId: number; whatsappId: number; queueId: number | null }[]) => ({
    contactIds: places.map(({ contactId }) => contactId),
    whatsappIds: places.map(({ whatsappId }) => whatsappId),
    queueIds: places.map(({ queueId }) => queueId),
  }),
  (rows, places) => {
    const found = new Map(rows.map(({ place, id, isWaiting }) => [place, { id, isWaiting }]))
    return places.map((_, at) => found.get(at + 1) ?? null)
  },
)

/** Closes the pending tickets that an import made on a connection, with their history. */
export async function closeImportedRows(tx: Tx, whatsappId: number) {
  const closed = await tx.sql
    .update(tickets)
    .set({ status: 'closed', closedAt: databaseTime(), version: tag`${tickets.version} + 1` })
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.whatsappId, whatsappId),
        eq(tickets.status, 'pending'),
        isNotNull(tickets.importedAt),
        isNull(tickets.snoozedUntil),
        // its customer wrote during the import
        eq(tickets.unreadMessages, 0),
      ),
    )
    .returning({ id: tickets.id, queueId: tickets.queueId })
  if (closed.length === 0) return closed
  await tx.sql.execute(tag`
    insert into ${ticketHistory} (company_id, ticket_id, what, by_user_id, from_status, from_queue_id, to_status, to_queue_id)
    select company_id, id, 'resolved', ${tx.viewer?.id ?? null}::int, 'pending', queue_id, 'closed', queue_id
    from ${tickets} where company_id = ${tx.companyId} and id = any(${`{${closed.map(one => one.id)}}`}::int[])`)
  return closed
}
