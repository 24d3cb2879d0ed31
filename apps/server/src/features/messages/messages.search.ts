import { LONG_PAGE } from '@balcao/contract/kit.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { given, preparedFor } from '../../platform/db.prepared.ts'
import { together } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { pageKeys } from '../../platform/pages.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, desc, type SQL, sql as tag } from '../../platform/sql.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { selectMessages, toMessage } from './messages.queries.ts'
import { messages } from './messages.table.ts'

const keys = pageKeys<{ createdAt: string; id: string }>()

export interface Page {
  messages: Message[]
  hasMore: boolean
  ticket: Ticket
}

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
  scope.read(async tx => {
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
      mode: viewer.authorization.viewMessagesByTicket,
      searching: searchTerm !== '',
      onward: page > 1,
    }
    const from = way.onward && (keys.start(place, page) ?? (await skip(tx, way, values, page)))
    const [ticket, found] = await together(
      tx.sql,
      () => findTicket(tx, ticketId),
      () => rowsOfPage(tx.sql, way, { ...values, ...from }),
    )
    if (!canRead(viewer, ticket)) return refuse('ERR_NO_PERMISSION')
    const newestFirst = found.slice(0, LONG_PAGE).map(toMessage)
    const last = newestFirst.at(-1)
    if (from && last) keys.remember(place, page, from)
    if (last) keys.remember(place, page + 1, last)
    return { messages: newestFirst.reverse(), hasMore: found.length > LONG_PAGE, ticket }
  })

/** How a page is asked for. */
interface Way {
  mode: 0 | 1 | 2
  searching: boolean
  /** Goes on behind a row. */
  onward: boolean
}

type Values = Record<'companyId' | 'ticketId' | 'viewerId' | 'term' | 'createdAt' | 'id', unknown>

const places: Values = {
  companyId: given('companyId'),
  ticketId: given('ticketId'),
  viewerId: given('viewerId'),
  term: given('term'),
  createdAt: given('createdAt'),
  id: given('id'),
}

const rowsOfPage = preparedFor((sql, way: Way) =>
  selectMessages(sql)
    .where(filter(way, places))
    .orderBy(...newest)
    .limit(ONE_MORE),
)

const newest = [desc(messages.createdAt), desc(messages.id)]

/** Written into the text, as in tickets.search.ts. */
const ONE_MORE = tag.raw(String(LONG_PAGE + 1)) as unknown as number

/** Before everything: behind it there is nothing. */
const NOWHERE = { createdAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/** The last row before a page that nobody led to, NOWHERE when the conversation ends earlier. Only the index is read. */
async function skip(tx: Tx, way: Way, values: Values, page: number) {
  const [row] = await tx.sql
    .select({ createdAt: messages.createdAt, id: messages.id })
    .from(messages)
    .where(filter({ ...way, onward: false }, values))
    .orderBy(...newest)
    .offset((page - 1) * LONG_PAGE - 1)
    .limit(1)
  return row ?? NOWHERE
}

function filter({ mode, searching, onward }: Way, values: Values): SQL {
  const inTicket = tag`${messages.ticketId} = ${values.ticketId}::int`
  const ofContact = tag`${messages.contactId} = (select contact_id from ${tickets}
    where company_id = ${values.companyId} and id = ${values.ticketId}::int)`
  const shown = { 0: ofContact, 1: tag`${ofContact} and (${inTicket} or ${ofUser(values)})`, 2: inTicket }[
    mode
  ]
  return and(
    tag`${messages.companyId} = ${values.companyId}`,
    shown,
    searching ? tag`lower(${messages.body}) like ${values.term}` : undefined,
    onward
      ? tag`(${messages.createdAt}, ${messages.id}) < (${values.createdAt}::timestamptz, ${values.id}::uuid)`
      : undefined,
  )!
}

const ofUser = (values: Values) =>
  tag`exists (select from tickets t where t.company_id = ${messages.companyId} and t.id = ${messages.ticketId}
    and t.user_id = ${values.viewerId}::int)`

const like = (term: string) => `%${term.toLowerCase().replace(/[\\%_]/g, found => `\\${found}`)}%`
