import { CSV_BEGINS, csvLine } from '@balcao/contract/csv.rules.ts'
import type { ExportLanguage } from '@balcao/contract/tickets.ts'
import type { Files } from '../../platform/files/files.ts'
import { keepForDay } from '../../platform/files/served.ts'
import { type Cell, spreadsheet } from '../../platform/files/sheets.ts'
import type { Scope } from '../../platform/scope.ts'
import { type Asked, rangeOf, selected } from '../reports/reports.range.queries.ts'
import { pausesIn } from './team.queries.ts'
import { pauseWords } from './team.text.ts'

type Row = Exclude<Cell, number>[]

/** The pauses of a range as a file that is there for a day. Answers where it is fetched. Refuses what `rangeOf` refuses. */
export async function exportPauses(
  scope: Scope,
  files: Files,
  { format, language }: { format: 'xlsx' | 'csv'; language: ExportLanguage },
  asked: Asked,
): Promise<{ url: string }> {
  const words = pauseWords(language)
  const { pauses } = await scope.read(async tx => pausesIn(tx, await rangeOf(tx, asked, selected)))
  const rows = pauses.map(
    ({ user, reasonId, reason, count, seconds, longestSeconds }): Row => [
      user,
      reasonId === null ? words.none : reason,
      { count },
      { count: seconds },
      { count: longestSeconds },
    ],
  )
  const content = format === 'xlsx' ? spreadsheet(words.head, only(rows)) : csvOf(words.head, rows)
  return keepForDay(scope, files, { name: `${words.name}.${format}`, content })
}

async function* csvOf(head: string[], rows: Row[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(CSV_BEGINS + [head, ...rows].map(csvLine).join(''))
}

async function* only(rows: Row[]): AsyncGenerator<Row> {
  yield* rows
}
