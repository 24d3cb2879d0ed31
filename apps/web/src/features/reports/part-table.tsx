import type { Figures } from '@balcao/contract/reports.rules.ts'
import type { ReportPart } from '@balcao/contract/reports.ts'
import { Table } from '../../ui/table.tsx'
import { Bars, Donut } from './charts.tsx'
import { Closings } from './closings.tsx'
import { figureColumns } from './figure-columns.tsx'
import type { NarrowedReport } from './reports.api.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

interface Props {
  title: string
  head: string
  parts: ReportPart[]
  narrow(id: number): NarrowedReport
  /** Totals; null where one ticket may be in several parts. */
  all: Figures | null
}

/** Closed tickets grouped by one more attribute, with charts. Nothing is shown without data. */
export function PartTable({ title, head, parts, narrow, all }: Props) {
  const t = useReportText()
  if (parts.length === 0) return null
  const rows = parts.map(part => ({ ...part, name: part.name || t(part.id === 0 ? 'none' : 'gone') }))
  const slices = rows.map(({ id, name, figures }) => ({ key: id, label: name, value: figures.closed }))
  return (
    <section className={classes.section} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <div className={classes.sides}>
        <div className={classes.charts}>
          <Donut label={`${title}: ${t('closed')}`} slices={slices} />
          <Bars label={t('closed')} slices={slices} />
        </div>
        <div className={classes.tables}>
          <Table
            label={title}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                key: 'name',
                head,
                cell: ({ name }) => name,
                by: ({ name }) => name,
                ...(all && { total: t('total') }),
              },
              ...figureColumns(
                t,
                all,
                (row: ReportPart) => row.figures,
                row => <Closings name={row.name} narrowed={narrow(row.id)} count={row.figures.closed} />,
              ),
            ]}
          />
        </div>
      </div>
    </section>
  )
}
