import { CSV_BEGINS, csvLine } from '@balcao/contract/csv.rules.ts'
import { PLATFORM_REASONS } from '@balcao/contract/ledger.rules.ts'
import type { StatementLine } from '@balcao/contract/payments.ts'
import { shownTime } from '../../platform/time.ts'
import { usePaymentText } from './payments.text.ts'

/** The statement as a sheet; amounts have a decimal comma, as Brazilian spreadsheets read them. */
export function csvOf(lines: StatementLine[]): string {
  const t = usePaymentText.read
  const head = [t('on'), t('kind'), t('text'), t('value'), t('balance')]
  const rows = lines.map(line => [
    line.on,
    t(`kind${line.kind}`),
    describe(line),
    { count: amount(line.value) },
    { count: amount(line.balance) },
  ])
  return CSV_BEGINS + [head, ...rows].map(csvLine).join('')
}

const amount = (cents: number) => (cents / 100).toFixed(2).replace('.', ',')

const OF_PERIODS: StatementLine['kind'][] = ['invoice', 'reduced', 'gift', 'returned', 'late']

/** What a line is about: the days of an invoice, the reason of a cancellation, or what was written. */
export function describe({ kind, text }: StatementLine): string {
  if (OF_PERIODS.includes(kind)) return text.replace(/\d{4}-\d{2}-\d{2}/g, day => shownTime(day).format('L'))
  const reason = PLATFORM_REASONS.find(known => known === text)
  return kind === 'cancelled' && reason ? usePaymentText.read(reason) : text
}

/** Whether each balance follows from the one below it: nothing was read twice, and nothing left out. */
export const isUnbroken = (lines: StatementLine[]) =>
  lines.every(
    ({ value, balance }, at) => at === lines.length - 1 || balance - value === lines[at + 1]!.balance,
  )
