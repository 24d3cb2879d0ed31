import { LONG_PAGE } from '@balcao/contract/kit.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { given, preparedFor } from '../../platform/db.prepared.ts'
import { together } from '../../platform/db.ts'
import { pageKeys } from '../../platform/pages.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, desc, or, type SQL, sql as tag } from '../../platform/sql.ts'
import { findReadable } from '../tickets/tickets.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { selectMarked } from './messages.queries.ts'
import { messages } from './messages.table.ts'
import { type Page, textsOfMessages } from './messages.written.ts'

const keys = pageKeys<{ position: number; id: string }>()

/**
 * One page of a conversation, oldest first, 40 a page counted from the newest. Which messages are part of it
 * follows from the group's viewMessagesByTicket (OP-69). Refuses with ERR_NO_TICKET_FOUND, and with
 * ERR_NO_PERMISSION for a pending ticket that the caller may not look into.
 */
export const listMessages = (
  scope: Scope,
  ticketId: number,
  input: { pageNumber?: number; searchTerm?: string },
): Promise<Page> =>
  scope.page(async tx => {
    const viewer = viewerOf(scope)
    const { pageNumber: page = 1, searchTerm = '' } = input
    const place = `${viewer.id} ${ticketId} ${searchTerm}`
    const values = {
      companyId: tx.companyId,
      ticketId,
      viewerId: viewer.id,
      term: like(searchTerm),
      ...NOWHERE,
    }
    const way = {
      ...wayOf(viewer),
      searching: searchTerm !== '',
      onward: page > 1 ? ('older' as const) : null,
    }
    const from = way.onward && (keys.start(place, page) ?? (await skip(tx, way, values, page)))
    const [ticket, found] = await together(
      tx.sql,
      () => findReadable(tx, ticketId),
      () => rowsOfPage(tx.sql, way, { ...values, ...from }),
    )
    const rows = found.slice(0, LONG_PAGE).reverse()
    const [last] = rows
    if (from && last) keys.remember(place, page, from)
    if (last) keys.remember(place, page + 1, last)
    return {
      messages: await textsOfMessages(tx, rows),
      hasUnread: rows.some(({ isUnread, ticketId: its }) => isUnread && its === ticketId),
      hasMore: found.length > LONG_PAGE,
      hasNewer: page > 1,
      ticket,
    }
  })

/** What of the contact's other conversations is part of it for a viewer. */
export const wayOf = (viewer: Viewer) => ({
  mode: viewer.authorization.viewMessagesByTicket,
  pending: may(viewer, 'tickets:viewPending'),
})

/** How a page is asked for. */
interface Way {
  mode: 0 | 1 | 2
  /** Also what stands in other tickets that wait. */
  pending: boolean
  searching: boolean
  /** Goes on from a row: to what was said before it, or behind it. */
  onward: 'older' | 'newer' | null
  /** Begins with that row. */
  itself?: boolean
}

type Values = Record<'companyId' | 'ticketId' | 'viewerId' | 'term', unknown> &
  Partial<Record<'position' | 'id', unknown>>

const places: Values = {
  companyId: given('companyId'),
  ticketId: given('ticketId'),
  viewerId: given('viewerId'),
  term: given('term'),
  position: given('position'),
  id: given('id'),
}

/** The rows of a page, one more than it holds: newest first, or oldest first on the way to what is newer. */
export const rowsOfPage = preparedFor((sql, way: Way) =>
  selectMarked(sql)
    .where(partOf(way, places))
    .orderBy(...(way.onward === 'newer' ? oldest : newest))
    .limit(ONE_MORE),
)

const newest = [desc(messages.position), desc(messages.id)]
const oldest = [messages.position, messages.id]

/** Written into the text, as in tickets.search.ts. */
const ONE_MORE = tag.raw(String(LONG_PAGE + 1)) as unknown as number

/** Before everything: behind it there is nothing. */
const NOWHERE = { position: -1, id: '00000000-0000-0000-0000-000000000000' }

/** The last row before a page that nobody led to, NOWHERE when the conversation ends earlier. Only the index is read. */
async function skip(tx: Tx, way: Way, values: Values, page: number) {
  const [row] = await tx.sql
    .select({ position: messages.position, id: messages.id })
    .from(messages)
    .where(partOf({ ...way, onward: null }, values))
    .orderBy(...newest)
    .offset((page - 1) * LONG_PAGE - 1)
    .limit(1)
  return row ?? NOWHERE
}

/** Which messages are part of the conversation: tickets.rules `standsIn`, as SQL over the messages. */
export function partOf({ mode, pending, searching, onward, itself = false }: Way, values: Values): SQL {
  const inTicket = tag`${messages.ticketId} = ${values.ticketId}::int`
  const ofContact = tag`${messages.contactId} = (select contact_id from ${tickets}
    where company_id = ${values.companyId} and id = ${values.ticketId}::int)`
  const elsewhere = and(
    mode === 1 ? tag`t.user_id = ${values.viewerId}::int` : undefined,
    pending ? undefined : tag`t.status <> 'pending'`,
  )
  const shown = mode === 2 ? inTicket : and(ofContact, elsewhere && or(inTicket, fromTicketsWhere(elsewhere)))
  return and(
    tag`${messages.companyId} = ${values.companyId}`,
    shown,
    searching ? tag`lower(${messages.body}) like ${values.term}` : undefined,
    onward
      ? tag`(${messages.position}, ${messages.id}) ${tag.raw(BEYOND[onward] + (itself ? '=' : ''))} (${values.position}::bigint, ${values.id}::uuid)`
      : undefined,
  )!
}

const BEYOND = { older: '<', newer: '>' }

const fromTicketsWhere = (place: SQL) =>
  tag`exists (select from tickets t where t.company_id = ${messages.companyId} and t.id = ${messages.ticketId}
    and ${place})`

const like = (term: string) => `%${term.toLowerCase().replace(/[\\%_]/g, found => `\\${found}`)}%`
