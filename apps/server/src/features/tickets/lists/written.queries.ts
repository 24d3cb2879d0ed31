import { may } from '@balcao/contract/permissions.rules.ts'
import { asReadBy } from '@balcao/contract/tickets.rules.ts'
import { Ticket } from '@balcao/contract/tickets.ts'
import { keepTexts, type Marked } from '../../../platform/lists/row-cache.ts'
import { perProduct } from '../../../platform/memory.ts'
import { versionOf } from '../../../platform/postgres/pg/marks.ts'
import { given, prepared } from '../../../platform/postgres/prepared.ts'
import { type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../../platform/scope.ts'
import { contacts } from '../../contacts/contacts.table.ts'
import { loadTickets } from '../tickets.queries.ts'
import { tickets } from '../tickets.table.ts'

export const rowVersion = versionOf(tickets).as('version')

/**
 * Changes with the row of a ticket or of its contact. Tags of a ticket change with its row (tags.actions.ts); the names of
 * queues, users, connections and tags have their own mark (`namesMark`).
 */
export const rowMark = (companyId: unknown, ticket: { contactId: SQL; version: SQL }) =>
  tag<string>`concat_ws(' ', ${ticket.version}, (select ${versionOf('c')} from ${contacts} c
    where c.company_id = ${companyId} and c.id = ${ticket.contactId}))`

/** In megabytes, at about a kilobyte a ticket. */
const textsOf = perProduct(() => keepTexts(64))

/**
 * The JSON of tickets, in the order of `rows`, without those that were deleted. Cached while the mark is the same
 * (decision 007).
 */
export function writeTickets(tx: Tx, rows: Marked<number>[], names: string): Promise<string[]> {
  const viewer = viewerOf(tx)
  // the rows are visible to the viewer: what may be read of them follows from this one right
  const variant = may(viewer, 'tickets:viewPending') ? '' : ' pending without texts'
  return textsOf(tx).of(
    rows.map(({ id, mark }) => ({ id, mark: `${mark} ${names}` })),
    id => `${tx.companyId} ${id}${variant}`,
    async missing =>
      (await loadTickets(tx, missing)).map(ticket => [
        ticket.id,
        JSON.stringify(Ticket.parse(asReadBy(viewer, ticket))),
      ]),
  )
}

/** One mark for the names that tickets show: queues, users, connections, tags. */
export async function namesMark(tx: Tx): Promise<string> {
  const [row] = await names(tx.sql, { companyId: tx.companyId })
  return row!.mark
}

const own = tag`where company_id = ${given('companyId')}`
const names = prepared(sql =>
  sql
    .select({
      // one number, since it is a part of the mark of every ticket that is cached
      mark: tag<string>`hashtextextended(concat_ws(' ',
        (select sum(hashtextextended(concat_ws(' ', id, color, name), 0)) from queues ${own}),
        (select sum(hashtextextended(concat_ws(' ', id, name), 0)) from users ${own}),
        (select sum(hashtextextended(concat_ws(' ', id, name), 0)) from whatsapps ${own}),
        (select sum(hashtextextended(concat_ws(' ', id, color, name), 0)) from tags ${own})), 0)::text`,
    })
    .from(tag`(select 1) as one`),
)
