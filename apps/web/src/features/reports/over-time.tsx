import { addFigures, type Figures, inSpans, NO_FIGURES, spanFor } from '@balcao/contract/reports.rules.ts'
import type { ReportDay } from '@balcao/contract/reports.ts'
import { shownTime } from '../../platform/time.ts'
import { Table } from '../../ui/table.tsx'
import { ChartToCome } from './charts.tsx'
import { Columns } from './columns.tsx'
import { figureColumns } from './figure-columns.tsx'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

const TITLES = { day: 'byDay', week: 'byWeek', month: 'byMonth' } as const
const SHOWN = { day: 'L', week: 'L', month: 'MM/YYYY' } as const
const SHORT = { day: 'l', week: 'l', month: 'MM/YY' } as const

/** Figures per day; a long range is grouped into weeks or months, so that a chart of it can be read. */
export function OverTime({ days }: { days: ReportDay[] }) {
  const t = useReportText()
  const span = spanFor(days.length)
  const title = t(TITLES[span])
  const rows = inSpans(days, span).map(row => {
    const day = shownTime(row.day)
    return { ...row, name: day.format(SHOWN[span]), short: day.format(SHORT[span]) }
  })
  const all = days.reduce<Figures>(addFigures, NO_FIGURES)
  return (
    <section className={classes.panel} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      {rows.some(({ closed }) => closed > 0) ? (
        <Columns
          label={`${title}: ${t('closed')}`}
          columns={rows.map(({ day, name, short, closed }) => ({ key: day, name, short, value: closed }))}
        />
      ) : (
        <ChartToCome />
      )}
      <details className={classes.days}>
        <summary>{t('asTable')}</summary>
        <Table
          label={title}
          rows={rows}
          keyOf={({ day }) => day}
          columns={[
            { key: 'day', head: title, cell: ({ name }) => name, by: ({ day }) => day, total: t('total') },
            ...figureColumns(t, all, (row: (typeof rows)[number]) => row),
          ]}
        />
      </details>
    </section>
  )
}
