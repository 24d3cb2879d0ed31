import { CSV_BEGINS, csvLine } from '@balcao/contract/csv.rules.ts'
import { stateOfInvoice } from '@balcao/contract/ledger.rules.ts'
import { isFormer } from '@balcao/contract/revenue.rules.ts'
import type { Receipt, RevenueInvoiceFilter } from '@balcao/contract/revenue.ts'
import type { ExportLanguage } from '@balcao/contract/tickets.ts'
import type { Files } from '../../platform/files/files.ts'
import { keepForDay } from '../../platform/files/served.ts'
import type { PlatformScope, Scope } from '../../platform/scope.ts'
import { invoicesAfter } from './revenue.invoices.queries.ts'
import { type ReceiptsAsked, receiptsAfter } from './revenue.receipts.queries.ts'
import { revenueWords } from './revenue.text.ts'

interface SheetFormat {
  decimals: 'comma' | 'point'
  language?: ExportLanguage | undefined
}

interface ExportTools {
  /** Of the operator: the file belongs to his company. */
  scope: Scope
  platform: PlatformScope
  files: Files
}

type Cell = Parameters<typeof csvLine>[0][number]
type Words = ReturnType<typeof revenueWords>

/** The receipts of a month as a file that is kept for a day. Returns its address. */
export const exportReceipts = (tools: ExportTools, asked: ReceiptsAsked, sheet: SheetFormat) =>
  store(tools, 'receipts', asked.month, sheet, words =>
    paged<Receipt>(
      (after, limit) => tools.platform.transaction(sql => receiptsAfter(sql, asked, { after, limit })),
      row => receiptLine(row, words, sheet.decimals),
    ),
  )

type ListedInvoice = Awaited<ReturnType<typeof invoicesAfter>>[number]

/** The same with the invoices of a month. */
export const exportInvoices = (
  tools: ExportTools,
  { month, ...filter }: RevenueInvoiceFilter & { month: string },
  sheet: SheetFormat,
) =>
  store(tools, 'invoices', month, sheet, words =>
    paged<ListedInvoice>(
      (last, limit) => {
        const after = last && { dueDate: last.invoice.dueDate, id: last.invoice.id }
        return tools.platform.transaction(async sql =>
          invoicesAfter(sql, { ...filter, month }, { after, limit }),
        )
      },
      row => invoiceLine(row, words, sheet.decimals),
    ),
  )

const AT_ONCE = 1_000

function store(
  { scope, files }: ExportTools,
  what: 'receipts' | 'invoices',
  month: string,
  { language = 'ptBR' }: SheetFormat,
  linesIn: (words: Words) => AsyncIterable<string>,
): Promise<{ url: string }> {
  const words = revenueWords(language)
  const content = csvOf(words.head(what), linesIn(words))
  return keepForDay(scope, files, { name: `${words.name(what)}-${month}.csv`, content })
}

async function* csvOf(head: string[], lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(CSV_BEGINS + csvLine(head))
  for await (const line of lines) yield Buffer.from(line)
}

/** At most AT_ONCE rows are in memory; their lines are returned together. */
async function* paged<Row>(
  read: (after: Row | null, limit: number) => Promise<Row[]>,
  line: (row: Row) => Cell[],
): AsyncGenerator<string> {
  let reached: Row | null = null
  do {
    const some: Row[] = await read(reached, AT_ONCE)
    yield some.map(row => csvLine(line(row))).join('')
    reached = some.length === AT_ONCE ? some.at(-1)! : null
  } while (reached)
}

const receiptLine = (row: Receipt, words: Words, decimals: SheetFormat['decimals']): Cell[] => [
  row.day,
  words.kind(row.kind),
  isFormer(row.rowId) ? '' : { count: row.rowId },
  isFormer(row.rowId) ? words.former : row.companyName,
  row.documentNumber,
  amount(row.value, decimals),
  row.source === 'provider' ? row.provider : words.source(row.source),
  row.providerId,
  row.recordedBy,
  row.note,
]

function invoiceLine(
  { invoice, companyName, documentNumber, planName }: ListedInvoice,
  words: Words,
  decimals: SheetFormat['decimals'],
): Cell[] {
  const state = stateOfInvoice(invoice)
  return [
    { count: invoice.id },
    companyName,
    documentNumber,
    planName,
    invoice.startInvoicePeriod,
    invoice.endInvoicePeriod,
    invoice.dueDate,
    amount(invoice.value, decimals),
    amount(invoice.paidValue, decimals),
    words.state(state === 'open' && invoice.status === 'OVERDUE' ? 'overdue' : state),
    invoice.payDate,
    invoice.cancelReason,
    invoice.description,
    amount(invoice.discountValue, decimals),
    amount(invoice.lateValue, decimals),
  ]
}

/** Cents as reais. */
function amount(cents: number, decimals: SheetFormat['decimals']): Cell {
  const written = (cents / 100).toFixed(2)
  return { count: decimals === 'comma' ? written.replace('.', ',') : written }
}
