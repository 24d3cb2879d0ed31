import { chatEventIn, orderedIn, orderIn, outlineOf } from '@balcao/contract/kinds.rules.ts'
import { callIn } from '@balcao/contract/media.rules.ts'
import type { ExportLanguage } from '@balcao/contract/tickets.ts'
import type { Files } from '../../../platform/files/files.ts'
import { keepForDay } from '../../../platform/files/served.ts'
import { type Cell, spreadsheet } from '../../../platform/files/sheets.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { findCustomer } from '../../contacts/contacts.owners.queries.ts'
import {
  EXPORT_PAGE,
  type ExportedRow,
  type ExportFilter,
  exportedMessages,
  exportedTickets,
  messagesOfContact,
} from './history.queries.ts'
import { exportTexts } from './history.text.ts'

export interface ExportRequest extends ExportFilter {
  language?: ExportLanguage | undefined
}

/**
 * The messages of a period as a spreadsheet: of the tickets that the caller may read, or of one contact's. Answers the
 * address of the file, which lives for a day; null without messages. Refuses with ERR_NO_CONTACT_FOUND, ERR_FILE_TOO_LARGE.
 */
export async function exportMessages(
  scope: Scope,
  request: ExportRequest,
  files: Files,
): Promise<string | null> {
  const { contactId, language = 'ptBR' } = request
  const ticketIds = await scope.list(async tx => {
    if (contactId !== undefined) await findCustomer(tx, contactId)
    return exportedTickets(tx, viewerOf(scope), request)
  })
  const texts = exportTexts(language)
  const source = rowsOf(scope, ticketIds, request)
  const first = await source.next()
  if (first.done) return null
  const content = spreadsheet(texts.head, inCells(first.value, source, texts))
  const { url } = await keepForDay(scope, files, { name: `${texts.name}.xlsx`, content }, tx =>
    tx.note('messages were exported', { userId: viewerOf(scope).id, ...request }),
  )
  return url
}

/** Tickets of one statement. */
const TICKETS = 100

/** By ticket, and by position in each. Each page is a transaction of its own, so that others get their turn. */
async function* rowsOf(
  scope: Scope,
  ticketIds: number[],
  filter: ExportFilter,
): AsyncGenerator<ExportedRow, void> {
  for (let at = 0; at < ticketIds.length; at += TICKETS) {
    const among = ticketIds.slice(at, at + TICKETS)
    let last: ExportedRow | undefined
    do {
      const rows = await scope.list(tx => exportedMessages(tx, among, filter, last))
      yield* rows
      last = rows.length === EXPORT_PAGE ? rows.at(-1) : undefined
    } while (last)
  }
}

async function* inCells(
  first: ExportedRow,
  others: AsyncGenerator<ExportedRow, void>,
  texts: ReturnType<typeof exportTexts>,
): AsyncGenerator<Cell[], void> {
  const cells = (row: ExportedRow): Cell[] => [
    row.at,
    row.fromMe ? (row.user ?? texts.bySource(row.source)) : row.author?.name || row.contact,
    [
      row.isPrivate && `[${texts.note}]`,
      cameBy(row, texts),
      row.isDeleted ? texts.deleted : contentOf(row, texts),
    ]
      .filter(Boolean)
      .join(' '),
    row.contact,
    row.number,
    row.protocol,
    row.queue,
  ]
  yield cells(first)
  for await (const row of others) yield cells(row)
}

/** The ad, post or product through which the customer came. */
function cameBy({ referral }: ExportedRow, texts: ReturnType<typeof exportTexts>): string {
  if (!referral) return ''
  const { type, headline, body, sourceId, sourceUrl } = referral
  return `[${[texts.ofSource(type), headline || body, sourceId || sourceUrl].filter(Boolean).join(': ')}]`
}

/** The text, after the kind and the name of a file, or what was ordered. */
export function contentOf(row: ExportedRow, texts: ReturnType<typeof exportTexts>): string {
  const { mediaType, media } = row
  if (!mediaType) return row.body
  const event = mediaType === 'chat_event' ? chatEventIn(row) : null
  if (event) return `[${texts.ofEvent(event.what, { name: row.body, people: event.people.join(', ') })}]`
  const name = mediaType === 'order' ? orderedIn(row) : (media?.name ?? outlineOf(row))
  const body = mediaType === 'order' ? (orderIn(row)?.note ?? row.body) : row.body
  const isTaken = mediaType === 'call_log' && callIn(row).outcome === 'taken'
  const kind = `[${[texts.ofKind(isTaken ? 'taken_call' : mediaType), name].filter(Boolean).join(': ')}]`
  return body ? `${kind} ${body}` : kind
}

/** Adds the messages of a contact to the export of their data, oldest first, and the addresses of files. */
export async function addMessages(
  tx: Tx,
  { contactId, data, files }: { contactId: number; data: Record<string, unknown>; files: Set<string> },
): Promise<void> {
  const { newest, versions, count } = await messagesOfContact(tx, contactId)
  for (const { mediaUrl } of [...newest, ...versions]) if (mediaUrl) files.add(mediaUrl)
  data.messages = newest.reverse()
  data.messagesLeftOut = count - newest.length
  data.formerTexts = versions.reverse()
}
