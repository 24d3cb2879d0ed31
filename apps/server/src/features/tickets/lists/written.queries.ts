import { may } from '@balcao/contract/permissions.rules.ts'
import { asReadBy } from '@balcao/contract/tickets.rules.ts'
import { Ticket } from '@balcao/contract/tickets.ts'
import { keepTexts, type Marked } from '../../../platform/lists/row-cache.ts'
import { perProduct } from '../../../platform/memory.ts'
import { versionOf } from '../../../platform/postgres/pg/marks.ts'
import { type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../../platform/scope.ts'
import { contacts } from '../../contacts/contacts.table.ts'
import { loadTickets } from '../tickets.queries.ts'
import { tickets } from '../tickets.table.ts'
import type { RowsBeside } from './marks.queries.ts'

export const rowVersion = versionOf(tickets).as('version')

/**
 * Changes with the row of a ticket or of its contact. Tags of a ticket change with its row (tags.actions.ts); the names of
 * queues, users, connections and tags have their own mark (`shownBeside`).
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
export async function writeTickets(tx: Tx, rows: Marked<number>[], names: RowsBeside): Promise<string[]> {
  const viewer = viewerOf(tx)
  // the rows are visible to the viewer: what may be read of them follows from this one right
  const variant = may(viewer, 'tickets:viewPending') ? '' : ' pending without texts'
  const texts = await textsOf(tx).of(
    rows.map(({ id, mark }) => ({ id, mark: `${mark} ${names.mark}` })),
    id => `${tx.companyId} ${id}${variant}`,
    async missing =>
      (await loadTickets(tx, missing)).map(ticket => [
        ticket.id,
        `${JSON.stringify(Ticket.parse(asReadBy(viewer, ticket))).slice(0, -1)}${UNMARKED}`,
      ]),
  )
  return names.isMarking ? texts.map(text => withMarksIn(text, names)) : texts
}

/** The end of each text: the marks are those of one viewer, and the texts are for all. */
const UNMARKED = ',"following":false,"pinned":false}'
const ID_AT = '{"id":'.length

function withMarksIn(text: string, { marks: { pinned, following } }: RowsBeside): string {
  const id = Number.parseInt(text.slice(ID_AT, ID_AT + 12), 10)
  const [isPinned, isFollowed] = [pinned.includes(id), following.includes(id)]
  return isPinned || isFollowed
    ? `${text.slice(0, -UNMARKED.length)},"following":${isFollowed},"pinned":${isPinned}}`
    : text
}
