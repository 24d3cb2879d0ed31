import { durationOf, hoursOfDay, waitTime, weekdays } from '@balcao/contract/reports.rules.ts'
import { useQuery } from '@tanstack/react-query'
import { whyNot } from '../../platform/errors.text.ts'
import { whole } from '../../platform/numbers.ts'
import { shownTime } from '../../platform/time.ts'
import { Table } from '../../ui/table.tsx'
import { ChartToCome } from './charts.tsx'
import { Columns } from './columns.tsx'
import { hoursFor, type Wanted } from './reports.api.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

/** When services began, by the hour of the company's clock and by the day of the week. */
export function ByHour({ wanted }: { wanted: Wanted }) {
  const t = useReportText()
  const { data, isError, error } = useQuery(hoursFor(wanted))
  if (!data) return isError ? <p role="alert">{whyNot(error, t('failed'))}</p> : null
  return (
    <div className={classes.pair}>
      <Spread
        title={t('byHour')}
        head={t('hour')}
        rows={hoursOfDay(data.hours).map(({ hour, ...sums }) => ({
          ...{ ...sums, key: hour, short: `${hour}h` },
          name: shownTime(`2024-01-01T${String(hour).padStart(2, '0')}:00`).format('LT'),
        }))}
      />
      <Spread
        title={t('byWeekday')}
        head={t('weekday')}
        rows={weekdays(data.hours).map(({ weekday, ...sums }) => {
          // the first of January 2024 was a Monday
          const day = shownTime(`2024-01-0${weekday}`)
          return { ...sums, key: weekday, name: day.format('dddd'), short: day.format('ddd') }
        })}
      />
    </div>
  )
}

interface Row {
  key: number
  name: string
  short: string
  closed: number
  waited: number
  waitSeconds: number
}

function Spread({ title, head, rows }: { title: string; head: string; rows: Row[] }) {
  const t = useReportText()
  return (
    <section className={classes.panel} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      {rows.some(({ closed }) => closed > 0) ? (
        <Columns
          label={`${title}: ${t('begun')}`}
          columns={rows.map(({ closed, ...row }) => ({ ...row, value: closed }))}
        />
      ) : (
        <ChartToCome />
      )}
      <details className={classes.days}>
        <summary>{t('asTable')}</summary>
        <Table
          label={title}
          rows={rows}
          keyOf={({ key }) => key}
          columns={[
            { key: 'name', head, cell: ({ name }) => name, by: ({ key }) => key, total: t('total') },
            {
              key: 'begun',
              head: t('begun'),
              kind: 'number',
              cell: ({ closed }) => whole(closed),
              by: ({ closed }) => closed,
              total: whole(rows.reduce((sum, { closed }) => sum + closed, 0)),
            },
            {
              key: 'tme',
              head: t('tme'),
              kind: 'number',
              cell: row => durationOf(waitTime(row)),
              by: row => waitTime(row),
            },
          ]}
        />
      </details>
    </section>
  )
}
