import {
  answerTime,
  durationOf,
  inSpans,
  serviceTime,
  spanFor,
  waitTime,
} from '@balcao/contract/reports.rules.ts'
import type { ReportDay } from '@balcao/contract/reports.ts'
import { whole } from '../../platform/numbers.ts'
import { shownTime } from '../../platform/time.ts'
import { Table } from '../../ui/table.tsx'
import { Columns } from './charts.tsx'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

const TITLES = { day: 'byDay', week: 'byWeek', month: 'byMonth' } as const
const SHOWN = { day: 'L', week: 'L', month: 'MM/YYYY' } as const

/** How it went day by day; a long range is told in weeks or months, so that a chart of it can be read. */
export function OverTime({ days }: { days: ReportDay[] }) {
  const t = useReportText()
  const span = spanFor(days.length)
  const title = t(TITLES[span])
  const rows = inSpans(days, span).map(row => ({ ...row, name: shownTime(row.day).format(SHOWN[span]) }))
  return (
    <section className={classes.section} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <Columns
        label={`${title}: ${t('closed')}`}
        values={rows.map(({ name, closed }) => ({ key: name, value: closed }))}
      />
      <details className={classes.days}>
        <summary>{t('asTable')}</summary>
        <Table
          label={title}
          rows={rows}
          keyOf={({ day }) => day}
          columns={[
            { key: 'day', head: title, cell: ({ name }) => name },
            { key: 'closed', head: t('closed'), kind: 'number', cell: ({ closed }) => whole(closed) },
            { key: 'tma', head: t('tma'), kind: 'number', cell: row => durationOf(serviceTime(row)) },
            { key: 'tme', head: t('tme'), kind: 'number', cell: row => durationOf(waitTime(row)) },
            { key: 'answer', head: t('answer'), kind: 'number', cell: row => durationOf(answerTime(row)) },
          ]}
        />
      </details>
    </section>
  )
}
