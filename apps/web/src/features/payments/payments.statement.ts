import { payments, type StatementLine } from '@balcao/contract/payments.ts'
import { saveBytes } from '../../platform/bytes.ts'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { csvOf, isUnbroken } from './payments.csv.ts'
import { usePaymentText } from './payments.text.ts'

/** First part of the cache keys of statements. */
export const STATEMENT = 'statement'

/** Lines of the statement of a company, the newest first. */
export const statementLines = (companyId: number) =>
  pagedList(payments.statement, 'lines', { companyId }, STATEMENT)

const MOST_PAGES = 250
const TRIES = 3

/**
 * The whole statement, as far as `MOST_PAGES` reach. A line that is added meanwhile moves the others to later pages, so that one
 * is read twice: the balances do not follow each other then, and all is read again. Throws ApiError.
 */
export async function readStatement(companyId: number) {
  let read = await allLines(companyId)
  for (let left = TRIES; !isUnbroken(read.lines) && left > 1; left--) read = await allLines(companyId)
  return read
}

/** Saves it as CSV. Throws ApiError. */
export async function saveStatement(companyId: number): Promise<{ count: number; isCut: boolean }> {
  const { lines, hasMore } = await readStatement(companyId)
  const file = new Blob([csvOf(lines)], { type: 'text/csv;charset=utf-8' })
  saveBytes(file, `${usePaymentText.read('fileName')}-${companyId}.csv`)
  return { count: lines.length, isCut: hasMore }
}

async function allLines(companyId: number): Promise<{ lines: StatementLine[]; hasMore: boolean }> {
  const lines: StatementLine[] = []
  for (let pageNumber = 1; pageNumber <= MOST_PAGES; pageNumber++) {
    const page = await call(payments.statement, { params: { companyId }, query: { pageNumber } })
    lines.push(...page.lines)
    if (!page.hasMore) return { lines, hasMore: false }
  }
  return { lines, hasMore: true }
}
