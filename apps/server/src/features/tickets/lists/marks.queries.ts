import type { TicketMarks } from '@balcao/contract/tickets.ts'
import { given, prepared } from '../../../platform/postgres/prepared.ts'
import { type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../../platform/scope.ts'
import { ticketMarks, tickets } from '../tickets.table.ts'

/** What the rows of a list show besides their tickets. */
export interface RowsBeside {
  /** One for the names of queues, users, connections and tags. */
  mark: string
  /** Those of the viewer. */
  marks: TicketMarks
  isMarking: boolean
}

/** The names that tickets show, as one mark, and the marks of the viewer, which are few. */
export async function shownBeside(tx: Tx): Promise<RowsBeside> {
  const [row] = await names(tx.sql, { companyId: tx.companyId, viewerId: viewerOf(tx).id })
  const { mark, marked } = row!
  return { mark, ...marksIn(marked) }
}

/** The marks of the viewer. */
export async function marksOfViewer(tx: Tx): Promise<TicketMarks> {
  const [row] = await marksOnly(tx.sql, { companyId: tx.companyId, viewerId: viewerOf(tx).id })
  return marksIn(row!.marked).marks
}

/** As `12p 15f 17b`: pinned, followed, both. */
function marksIn(marked: string | null): Omit<RowsBeside, 'mark'> {
  if (marked === null) return { marks: NONE, isMarking: false }
  const all = marked.split(' ')
  const idsOf = (...letters: string[]) =>
    all.filter(one => letters.includes(one.at(-1)!)).map(one => Number.parseInt(one, 10))
  return { marks: { pinned: idsOf('p', 'b'), following: idsOf('f', 'b') }, isMarking: true }
}

const NONE: TicketMarks = { pinned: [], following: [] }

/** Whether the viewer follows the ticket of a row, or something is new in it. */
export const isMarked = (tx: Tx, column: 'followed_at' | 'news_at'): SQL =>
  tag`${tickets.id} in (select m.ticket_id from ${ticketMarks} m where m.company_id = ${tx.companyId}
    and m.user_id = ${viewerOf(tx).id} and ${tag.raw(`m.${column}`)} is not null)`

const marked = tag<string | null>`(select string_agg(ticket_id || case when pinned_at is null then 'f'
    when followed_at is null then 'p' else 'b' end, ' ' order by ticket_id)
  from ${ticketMarks} where company_id = ${given('companyId')} and user_id = ${given('viewerId')})`.as(
  'marked',
)

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
      marked,
    })
    .from(tag`(select 1) as one`),
)

const marksOnly = prepared(sql => sql.select({ marked }).from(tag`(select 1) as one`))
