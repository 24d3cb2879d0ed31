import { CSV_BEGINS, csvLine } from '@balcao/contract/csv.rules.ts'
import { answerTime, type Figures, serviceTime, waitTime } from '@balcao/contract/reports.rules.ts'
import type { ReportData, ReportService } from '@balcao/contract/reports.ts'
import type { ExportLanguage } from '@balcao/contract/tickets.ts'
import type { Files } from '../../platform/files/files.ts'
import { keepForDay } from '../../platform/files/served.ts'
import { type Cell, spreadsheet } from '../../platform/files/sheets.ts'
import type { Scope } from '../../platform/scope.ts'
import { servicesBefore } from './reports.closings.queries.ts'
import { report } from './reports.queries.ts'
import { type Asked, localTimes, type ReportRange, rangeOf } from './reports.range.queries.ts'
import { byReason } from './reports.reasons.queries.ts'
import { reportWords } from './reports.text.ts'

type Fields = { queueIds: string; userIds: string }
interface Wanted {
  what: 'figures' | 'services' | 'reasons'
  format: 'xlsx' | 'csv'
  language: ExportLanguage
}
/** Moments are texts here: a spreadsheet of another country reads them all the same. */
type Row = Exclude<Cell, number>[]

/** A report as a file that is there for a day. Answers where it is fetched. Refuses what `rangeOf` refuses. */
export async function exportReport(
  scope: Scope,
  files: Files,
  { what, format, language }: Wanted,
  asked: Asked,
  fields: Fields,
): Promise<{ url: string }> {
  const words = reportWords(language)
  const rows =
    what === 'figures'
      ? only(figureRows(await report(scope, asked, fields), words))
      : await behindRows(scope, what, await scope.read(tx => rangeOf(tx, asked, fields)), words)
  const head = words[what]
  const content = format === 'xlsx' ? spreadsheet(head, rows) : csvOf(head, rows)
  return keepForDay(scope, files, { name: `${words.name}.${format}`, content })
}

/** The figures of a report as the text of a CSV file. */
export const figuresCsv = (data: ReportData, language: ExportLanguage): string => {
  const words = reportWords(language)
  return CSV_BEGINS + [words.figures, ...figureRows(data, words)].map(csvLine).join('')
}

const AT_ONCE = 1_000

async function* csvOf(head: string[], rows: AsyncIterable<Row>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(CSV_BEGINS + csvLine(head))
  for await (const row of rows) yield Buffer.from(csvLine(row))
}

async function* only(rows: Row[]): AsyncGenerator<Row> {
  yield* rows
}

/** One line for each figure that a table of the report shows. */
function figureRows(data: ReportData, words: ReturnType<typeof reportWords>): Row[] {
  const line = (section: string, name: string, figures: Figures): Row => [
    section,
    name,
    { count: figures.closed },
    seconds(serviceTime(figures)),
    seconds(waitTime(figures)),
    seconds(answerTime(figures)),
    { count: figures.serveSeconds },
    { count: figures.waitSeconds },
  ]
  const parts = (section: string, rows: { id: number; name: string; figures: Figures }[]) =>
    rows
      .filter(({ figures }) => figures.closed > 0 || figures.served > 0)
      .map(({ id, name, figures }) => line(section, name || (id === 0 ? words.none : words.gone), figures))
  return [
    line(words.general, words.period, data.figures),
    line(words.general, words.before, data.before),
    ...parts(
      words.user,
      data.dataUsers.map(({ own, ...row }) => ({ ...row, figures: { ...row.figures, ...own } })),
    ),
    ...parts(
      words.queue,
      data.dataQueuesWitchPercent.map(({ queue, ...row }) => ({ ...row, name: queue })),
    ),
    ...parts(words.connection, data.dataConnections),
    ...parts(words.tag, data.dataTags),
    ...data.days.map(({ day, ...figures }) => line(words.day, day, figures)),
  ]
}

async function behindRows(
  scope: Scope,
  what: 'services' | 'reasons',
  range: ReportRange,
  words: ReturnType<typeof reportWords>,
) {
  if (what === 'services') return serviceRows(scope, range)
  const { reasons } = await scope.list(tx => byReason(tx, range))
  return only(
    reasons.map(({ name, closed, percent, seconds: took }) => [
      name || words.none,
      { count: closed },
      { count: percent },
      seconds(took),
    ]),
  )
}

const seconds = (many: number | null) => (many === null ? null : { count: many })

async function* serviceRows(scope: Scope, range: ReportRange): AsyncGenerator<Row> {
  let reached: ReportService | null = null
  do {
    const some: ReportService[] = await scope.list(tx => servicesBefore(tx, range, reached, AT_ONCE))
    const shown = await scope.read(tx =>
      localTimes(
        tx,
        range.zone,
        some.flatMap(one => [one.beganAt, one.closedAt]),
      ),
    )
    for (const [place, one] of some.entries())
      yield [
        one.protocol,
        one.contact,
        one.user,
        one.queue,
        one.connection,
        shown[2 * place]!,
        shown[2 * place + 1]!,
        seconds(one.waitSeconds),
        seconds(one.answerSeconds),
        seconds(one.serveSeconds),
      ]
    reached = some.length === AT_ONCE ? some.at(-1)! : null
  } while (reached)
}
