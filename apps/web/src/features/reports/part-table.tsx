import { answerTime, durationOf, serviceTime, waitTime } from '@balcao/contract/reports.rules.ts'
import type { ReportPart } from '@balcao/contract/reports.ts'
import { Table } from '../../ui/table.tsx'
import { Bars, Donut } from './charts.tsx'
import { Closings } from './closings.tsx'
import type { NarrowedReport } from './reports.api.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

interface Props {
  title: string
  head: string
  parts: ReportPart[]
  narrow(id: number): NarrowedReport
}

/** What was closed, by one more way to tell tickets apart, with its charts. Nothing stands there of nothing. */
export function PartTable({ title, head, parts, narrow }: Props) {
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
              {
                key: 'closed',
                head: t('closed'),
                kind: 'number',
                cell: row => (
                  <Closings name={row.name} narrowed={narrow(row.id)} count={row.figures.closed} />
                ),
              },
              {
                key: 'tma',
                head: t('tma'),
                kind: 'number',
                cell: row => durationOf(serviceTime(row.figures)),
              },
              { key: 'tme', head: t('tme'), kind: 'number', cell: row => durationOf(waitTime(row.figures)) },
              {
                key: 'answer',
                head: t('answer'),
                kind: 'number',
                cell: row => durationOf(answerTime(row.figures)),
              },
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
