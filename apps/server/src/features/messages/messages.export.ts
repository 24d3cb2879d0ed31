import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import type { ExportLanguage } from '@balcao/contract/tickets.ts'
import { addressOf, removeFiles } from '../../platform/files.served.ts'
import type { Files } from '../../platform/files.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { type Cell, spreadsheet } from '../../platform/sheets.ts'
import { and, eq, gte, inArray, lte, ne, sql as tag } from '../../platform/sql.ts'
import { endOf, startOf, zoneOf } from '../companies/companies.queries.ts'
import { findContact } from '../contacts/contacts.queries.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { queues } from '../queues/queues.table.ts'
import { inSight, sightOf, sightValues } from '../tickets/tickets.sight.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'
import { exportWords } from './messages.headings.ts'
import { messages } from './messages.table.ts'

export interface Exported {
  from?: string | undefined
  until?: string | undefined
  contactId?: number | undefined
  language?: ExportLanguage | undefined
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** So long the link is good. */
const DAY_S = 24 * 3600

/**
 * What was said in a period, as a spreadsheet: of the tickets that the caller may read, or of one contact's. Answers the
 * address of the file, which is there for a day; null when nothing was said. Refuses with ERR_NO_CONTACT_FOUND, and with
 * ERR_FILE_TOO_LARGE what no document may weigh.
 */
export async function exportMessages(scope: Scope, asked: Exported, files: Files): Promise<string | null> {
  const ticketIds = await scope.list(tx => ticketsOf(tx, viewerOf(scope), asked))
  const words = exportWords(asked.language ?? 'ptBR')
  const source = rowsOf(scope, ticketIds, asked)
  const first = await source.next()
  if (first.done) return null
  const sheet = spreadsheet(words.head, inCells(first.value, source, words))
  const { key } = await files.put(scope.companyId, sheet, { name: `${words.name}.xlsx`, type: XLSX })
  const link = addressOf(key)
  await scope.transaction(async tx => {
    await removeFiles(tx, [link], DAY_S)
    tx.note('messages were exported', { userId: viewerOf(scope).id, ...asked })
  })
  return link
}

/** Tickets in which something may have been said in the period, of those that the viewer may read. */
async function ticketsOf(tx: Tx, viewer: Viewer, { from, contactId }: Exported): Promise<number[]> {
  if (contactId !== undefined) await findContact(tx, contactId)
  const all = { status: null, showAll: true }
  const found = await tx.sql
    .select({ id: tickets.id })
    .from(tickets)
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        inSight(sightOf(viewer, all), sightValues(tx.companyId, viewer, all), {
          queueId: tag`${tickets.queueId}`,
          userId: tag`${tickets.userId}`,
        }),
        may(viewer, 'tickets:viewPending') ? undefined : ne(tickets.status, 'pending'),
        contactId === undefined ? undefined : eq(tickets.contactId, contactId),
        from ? gte(tickets.updatedAt, startOf(tx, from)) : undefined,
      ),
    )
    .orderBy(tickets.updatedAt, tickets.id)
  return found.map(({ id }) => id).sort((a, b) => a - b)
}

type Row = Awaited<ReturnType<typeof page>>[number]

/** Where a page ended. */
type Place = Pick<typeof messages.$inferSelect, 'ticketId' | 'position' | 'id'>

/** So many tickets are looked at in one statement, and so many messages come of it at most. */
const TICKETS = 100
const MESSAGES = 1_000

/** In the order of tickets, and of what was said in each. Between two pages others have their turn. */
async function* rowsOf(scope: Scope, ticketIds: number[], asked: Exported): AsyncGenerator<Row, void> {
  for (let at = 0; at < ticketIds.length; at += TICKETS) {
    const among = ticketIds.slice(at, at + TICKETS)
    let last: Row | undefined
    do {
      const rows = await scope.list(tx => page(tx, among, asked, last))
      yield* rows
      last = rows.length === MESSAGES ? rows.at(-1) : undefined
    } while (last)
  }
}

const page = (tx: Tx, ticketIds: number[], { from, until }: Exported, last: Place | undefined) =>
  tx.sql
    .select({
      ticketId: messages.ticketId,
      position: messages.position,
      id: messages.id,
      /** As spreadsheets count, by the company's clock. */
      at: tag<number>`(extract(epoch from ${messages.createdAt} at time zone ${zoneOf(tx)}) / 86400 + 25569)::float8`,
      body: messages.body,
      fromMe: messages.fromMe,
      source: messages.source,
      isDeleted: messages.isDeleted,
      mediaType: messages.mediaType,
      media: messages.media,
      author: messages.author,
      user: users.name,
      contact: contacts.name,
      number: contacts.number,
      protocol: tickets.protocol,
      queue: queues.name,
    })
    .from(messages)
    .innerJoin(tickets, and(eq(tickets.companyId, messages.companyId), eq(tickets.id, messages.ticketId)))
    .innerJoin(contacts, and(eq(contacts.companyId, messages.companyId), eq(contacts.id, messages.contactId)))
    .leftJoin(users, and(eq(users.companyId, messages.companyId), eq(users.id, messages.userId)))
    .leftJoin(queues, and(eq(queues.companyId, tickets.companyId), eq(queues.id, tickets.queueId)))
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        inArray(messages.ticketId, ticketIds),
        from ? gte(messages.createdAt, startOf(tx, from)) : undefined,
        until ? lte(messages.createdAt, endOf(tx, until)) : undefined,
        last
          ? tag`(${messages.ticketId}, ${messages.position}, ${messages.id}) >
              (${last.ticketId}::int, ${last.position}::bigint, ${last.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(messages.ticketId, messages.position, messages.id)
    .limit(MESSAGES)

async function* inCells(
  first: Row,
  others: AsyncGenerator<Row, void>,
  words: ReturnType<typeof exportWords>,
): AsyncGenerator<Cell[], void> {
  const cells = (row: Row): Cell[] => [
    row.at,
    row.fromMe ? (row.user ?? words.bySource(row.source)) : row.author?.name || row.contact,
    row.isDeleted ? words.deleted : said(row, words),
    row.contact,
    row.number,
    row.protocol,
    row.queue,
  ]
  yield cells(first)
  for await (const row of others) yield cells(row)
}

/** Its words, and what it is besides. */
function said({ body, mediaType, media }: Row, words: ReturnType<typeof exportWords>): string {
  if (!mediaType) return body
  const kind = `[${[words.ofKind(mediaType), media?.name].filter(Boolean).join(': ')}]`
  return body ? `${kind} ${body}` : kind
}
