import { may } from '@balcao/contract/permissions.rules.ts'
import { asReadBy } from '@balcao/contract/tickets.rules.ts'
import { Ticket } from '@balcao/contract/tickets.ts'
import { given, prepared } from '../../platform/db.prepared.ts'
import { keepTexts, type Marked } from '../../platform/kept.ts'
import { versionOf } from '../../platform/pg/marks.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { type SQL, sql as tag } from '../../platform/sql.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { loadTickets } from './tickets.queries.ts'
import { tickets } from './tickets.table.ts'

export const rowVersion = versionOf(tickets).as('version')

/**
 * Changes with every change of a ticket's row or of its contact, whoever made it. The tags of a ticket never change
 * without its row (tickets.tags.ts); the names around it have a mark of their own (`namesMark`).
 */
export const rowMark = (companyId: unknown, ticket: { contactId: SQL; version: SQL }) =>
  tag<string>`concat_ws(' ', ${ticket.version}, (select ${versionOf('c')} from ${contacts} c
    where c.company_id = ${companyId} and c.id = ${ticket.contactId}))`

/** Most of the tickets that busy screens show, at about a kilobyte each. */
const texts = keepTexts(64)

/**
 * The JSON texts of tickets, in the order given; those that are gone are left out. Lists show the same tickets again
 * and again: what was written for one answer is sent with the next while nothing about it has changed.
 */
export function writeTickets(tx: Tx, rows: Marked<number>[], names: string): Promise<string[]> {
  const viewer = viewerOf(tx)
  // the rows are in the viewer's sight: what he may read of them follows from this one right
  const sort = may(viewer, 'tickets:viewPending') ? '' : ' without the words of those that wait'
  return texts.of(
    rows.map(({ id, mark }) => ({ id, mark: `${mark} ${names}` })),
    id => `${tx.companyId} ${id}${sort}`,
    async missing =>
      (await loadTickets(tx, missing)).map(ticket => [
        ticket.id,
        JSON.stringify(Ticket.parse(asReadBy(viewer, ticket))),
      ]),
  )
}

/** One mark for every name that tickets show beside their own rows: queues, people, connections, tags. */
export async function namesMark(tx: Tx): Promise<string> {
  const [row] = await names(tx.sql, { companyId: tx.companyId })
  return row!.mark
}

const own = tag`where company_id = ${given('companyId')}`
const names = prepared(sql =>
  sql
    .select({
      mark: tag<string>`concat_ws(' ',
        (select sum(hashtextextended(concat_ws(' ', id, color, name), 0)) from queues ${own}),
        (select sum(hashtextextended(concat_ws(' ', id, name), 0)) from users ${own}),
        (select sum(hashtextextended(concat_ws(' ', id, name), 0)) from whatsapps ${own}),
        (select sum(hashtextextended(concat_ws(' ', id, color, name), 0)) from tags ${own}))`,
    })
    .from(tag`(select 1) as one`),
)
