import { NO_CLOCKS } from '@balcao/contract/targets.ts'
import { asReadBy, canRead, canSee } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, prepared, statement } from '../../platform/postgres/prepared.ts'
import { and, eq, getTableColumns, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'
import { tickets } from './tickets.table.ts'

export type TicketRow = typeof tickets.$inferSelect

export const isLiving = ({ status }: Pick<TicketRow, 'status'>) => status !== 'closed'

/** Tickets in the shape of answers, pushes and caches. */
export function selectTickets(sql: Sql) {
  return sql
    .select({
      ticket: tickets,
      user: { id: users.id, name: users.name },
      queue: { id: queues.id, name: queues.name, color: queues.color },
      whatsapp: { id: whatsapps.id, name: whatsapps.name },
      contact: {
        id: contacts.id,
        name: contacts.name,
        number: contacts.number,
        lid: contacts.lid,
        username: contacts.username,
        email: contacts.email,
        profilePicUrl: contacts.profilePicUrl,
        ownerId: contacts.ownerId,
      },
      tags: tag<Ticket['tags']>`(
  select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) order by folded(g.name)), '[]')
  from ticket_tags tt join tags g on g.company_id = tt.company_id and g.id = tt.tag_id
  where tt.company_id = ${tickets.companyId} and tt.ticket_id = ${tickets.id})`,
      lastMessageBy: senderOfLast,
    })
    .from(tickets)
    .innerJoin(contacts, and(eq(contacts.companyId, tickets.companyId), eq(contacts.id, tickets.contactId)))
    .leftJoin(users, and(eq(users.companyId, tickets.companyId), eq(users.id, tickets.userId)))
    .leftJoin(queues, and(eq(queues.companyId, tickets.companyId), eq(queues.id, tickets.queueId)))
    .leftJoin(
      whatsapps,
      and(eq(whatsapps.companyId, tickets.companyId), eq(whatsapps.id, tickets.whatsappId)),
    )
    .$dynamic()
}

const senderOfLast = tag<Ticket['lastMessageBy']>`(
  select json_build_object('source', m.source,
    'user', case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end)
  from messages m left join users u on u.company_id = m.company_id and u.id = m.user_id
  where m.company_id = ${tickets.companyId} and m.id = ${tickets.lastMessageId})`

type Selected = Awaited<ReturnType<typeof selectTickets>>[number]

export const toTicket = ({ ticket, ...joined }: Selected): Ticket => ({
  ...ticket,
  ...joined,
  targets: ticket.targets ?? NO_CLOCKS,
})

const byId = prepared(sql =>
  selectTickets(sql).where(and(eq(tickets.companyId, given('companyId')), eq(tickets.id, given('id')))),
)

const byIds = prepared(sql =>
  selectTickets(sql).where(
    and(eq(tickets.companyId, given('companyId')), tag`${tickets.id} = any(${given('ids')}::int[])`),
  ),
)

/** Tickets of the company in the order of `ids`; those that do not exist are left out. */
export async function loadTickets(tx: Tx, ids: number[]): Promise<Ticket[]> {
  if (ids.length === 0) return []
  const { companyId } = tx
  const [id] = ids
  const rows = await (ids.length === 1
    ? byId(tx.sql, { companyId, id })
    : byIds(tx.sql, { companyId, ids: `{${ids}}` }))
  const found = new Map(rows.map(row => [row.ticket.id, toTicket(row)]))
  return ids.flatMap(id => found.get(id) ?? [])
}

/** A ticket of the company, by id or uuid; null when there is none. */
export async function loadTicket(tx: Tx, key: number | string): Promise<Ticket | null> {
  if (typeof key === 'number') return (await loadTickets(tx, [key]))[0] ?? null
  const [row] = await selectTickets(tx.sql).where(
    and(eq(tickets.companyId, tx.companyId), eq(tickets.uuid, key)),
  )
  return row ? toTicket(row) : null
}

/** A ticket the viewer may see, without its texts where they may not be read. Refuses with ERR_NO_TICKET_FOUND. */
export async function findTicket(tx: Tx, key: number | string): Promise<Ticket> {
  const ticket = await loadTicket(tx, key)
  return ticket && visible(tx, ticket) ? ticketShownTo(tx, ticket) : refuse('ERR_NO_TICKET_FOUND')
}

/** The ticket of a message that the viewer may read. Refuses with ERR_FETCH_WAPP_MSG as where there is no message, and with ERR_NO_PERMISSION. */
export async function findReadableOf(tx: Tx, { ticketId }: { ticketId: number }): Promise<Ticket> {
  const ticket = await loadTicket(tx, ticketId)
  if (!ticket || !visible(tx, ticket)) return refuse('ERR_FETCH_WAPP_MSG')
  return tx.viewer === null || canRead(tx.viewer, ticket) ? ticket : refuse('ERR_NO_PERMISSION')
}

/** A ticket whose messages the viewer may read. Refuses with ERR_NO_TICKET_FOUND, and with ERR_NO_PERMISSION. */
export async function findReadable(tx: Tx, key: number | string): Promise<Ticket> {
  const ticket = await findTicket(tx, key)
  return tx.viewer === null || canRead(tx.viewer, ticket) ? ticket : refuse('ERR_NO_PERMISSION')
}

/** A ticket as the viewer may read it. */
export const ticketShownTo = (scope: Scope, ticket: Ticket): Ticket =>
  scope.viewer === null ? ticket : asReadBy(scope.viewer, ticket)

export const visible = (scope: Scope, ticket: Parameters<typeof canSee>[1]) =>
  scope.viewer === null || canSee(scope.viewer, ticket)

/** A row of a ticket with the owner of its contact, who decides with it who sees the ticket. */
export type OwnedRow = TicketRow & { ownerId: number | null }

export const lockTicket = async (tx: Tx, ticketId: number): Promise<OwnedRow | null> =>
  (await lockTickets(tx, [ticketId])).get(ticketId) ?? null

/** A row of a ticket with the owner of its contact. */
export const ownedColumns = {
  ...getTableColumns(tickets),
  ownerId: tag<number | null>`(select c.owner_id from contacts c
    where c.company_id = ${tickets.companyId} and c.id = ${tickets.contactId})`,
}

/** Rows of tickets of the company, locked in the order of their ids. */
export const lockTickets = statement(
  sql =>
    sql
      .select(ownedColumns)
      .from(tickets)
      .where(
        and(
          eq(tickets.companyId, given('companyId')),
          tag`${tickets.id} = any(${given('ticketIds')}::int[])`,
        ),
      )
      .orderBy(tickets.id)
      .for('update'),
  (ticketIds: number[]) => ({ ticketIds }),
  (rows): Map<number, OwnedRow> => new Map(rows.map(row => [row.id, row])),
)

/** The row of a ticket the viewer may see, locked. Refuses with ERR_NO_TICKET_FOUND. */
export async function lockVisible(tx: Tx, ticketId: number): Promise<OwnedRow> {
  const row = await lockTicket(tx, ticketId)
  return row && visible(tx, row) ? row : refuse('ERR_NO_TICKET_FOUND')
}

/** Columns of a ticket with their new values. */
export type TicketFields = { [Name in keyof TicketRow]?: TicketRow[Name] | SQL }

export const updateTicket = (tx: Tx, ticketId: number, fields: TicketFields) =>
  tx.sql
    .update(tickets)
    .set({ ...fields, version: tag`${tickets.version} + 1` })
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId)))
