import type { TargetsPart } from '@balcao/contract/targets.ts'
import type { ExportLanguage } from '@balcao/contract/tickets.ts'
import type { Files } from '../../platform/files/files.ts'
import { keepForDay } from '../../platform/files/served.ts'
import { type Cell, spreadsheet } from '../../platform/files/sheets.ts'
import type { Scope } from '../../platform/scope.ts'
import { localTimes, type ReportRange } from '../reports/reports.range.queries.ts'
import { missedOf, targetParts } from './targets.report.queries.ts'
import { targetWords } from './targets.text.ts'

/** More rows of one sheet are not read. */
const MOST = 10_000

/** What was kept and missed as a spreadsheet that is there for a day. Answers where it is fetched. */
export async function exportTargets(
  scope: Scope,
  files: Files,
  { what, language }: { what: 'parts' | 'missed'; language: ExportLanguage },
  range: ReportRange,
): Promise<{ url: string }> {
  const words = targetWords(language)
  const rows = await scope.read(async (tx): Promise<Cell[][]> => {
    if (what === 'parts')
      return [
        ...(await targetParts(tx, range, 'queue')).map(part => partRow(words.queue, part, words.none)),
        ...(await targetParts(tx, range, 'user')).map(part => partRow(words.user, part, words.none)),
      ]
    const missed = await missedOf(tx, range, MOST)
    const times = await localTimes(
      tx,
      range.zone,
      missed.flatMap(one => [one.dueAt ?? one.at, one.at]),
    )
    return missed.map(({ contact, kind, queue, user }, at) => [
      ...[contact, words[kind], queue, user, times[2 * at]!, times[2 * at + 1]!],
    ])
  })
  const content = spreadsheet(words[what], each(rows))
  return keepForDay(scope, files, { name: `${words.name}.xlsx`, content })
}

const partRow = (by: string, { name, ...part }: TargetsPart, none: string): Cell[] => [
  by,
  name || none,
  ...([part.firstReply, part.reply, part.resolution] as const).flatMap(({ kept, missed }) => [
    { count: kept },
    { count: missed },
  ]),
]

async function* each(rows: Cell[][]): AsyncGenerator<Cell[]> {
  yield* rows
}
