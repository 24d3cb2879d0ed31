import { durationOf, serviceTime, waitTime } from '@balcao/contract/reports.rules.ts'
import type { ReportDay, ReportPart } from '@balcao/contract/reports.ts'
import { whole } from '../../platform/numbers.ts'
import { shownTime } from '../../platform/time.ts'
import { Table } from '../../ui/table.tsx'
import { Bars, Donut } from './charts.tsx'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

/** What was closed, by one more way to tell tickets apart, with its charts. Nothing stands there of nothing. */
export function PartTable({ title, head, parts }: { title: string; head: string; parts: ReportPart[] }) {
  const t = useReportText()
  if (parts.length === 0) return null
  const rows = parts.map(part => ({ ...part, name: part.name || t(part.id === 0 ? 'none' : 'gone') }))
  const slices = rows.map(({ id, name, figures }) => ({ key: id, label: name, value: figures.closed }))
  return (
    <section className={classes.section} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <div className={classes.sides}>
        <div className={classes.tables}>
          <Table
            label={title}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { key: 'name', head, cell: ({ name }) => name },
              { key: 'closed', head: t('closed'), kind: 'number', cell: row => whole(row.figures.closed) },
              {
                key: 'tma',
                head: t('tma'),
                kind: 'number',
                cell: row => durationOf(serviceTime(row.figures)),
              },
              { key: 'tme', head: t('tme'), kind: 'number', cell: row => durationOf(waitTime(row.figures)) },
            ]}
          />
        </div>
        <div className={classes.charts}>
          <Donut label={`${title}: ${t('closed')}`} slices={slices} />
          <Bars label={t('closed')} slices={slices} />
        </div>
      </div>
    </section>
  )
}

/** The days of the chart as a table: long, so it is opened by who wants it. */
export function DayTable({ days }: { days: ReportDay[] }) {
  const t = useReportText()
  return (
    <details className={classes.days}>
      <summary>{t('asTable')}</summary>
      <Table
        label={t('byDay')}
        rows={days}
        keyOf={({ day }) => day}
        columns={[
          { key: 'day', head: t('day'), cell: ({ day }) => shownTime(day).format('DD/MM/YYYY') },
          { key: 'closed', head: t('closed'), kind: 'number', cell: ({ closed }) => whole(closed) },
          { key: 'tma', head: t('tma'), kind: 'number', cell: row => durationOf(serviceTime(row)) },
          { key: 'tme', head: t('tme'), kind: 'number', cell: row => durationOf(waitTime(row)) },
        ]}
      />
    </details>
  )
}
