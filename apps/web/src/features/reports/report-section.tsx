import { durationOf, type Figures, serviceTime } from '@balcao/contract/reports.rules.ts'
import type { ReactNode } from 'react'
import { Bars, ChartToCome, Donut, type Slice } from './charts.tsx'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

/** A part of a report: its charts, and the table of every number. */
export function Section({
  title,
  charts,
  children,
}: {
  title: string
  charts: ReactNode
  children: ReactNode
}) {
  return (
    <section className={classes.section} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <div className={classes.sides}>
        <div className={classes.charts}>{charts}</div>
        <div className={classes.tables}>{children}</div>
      </div>
    </section>
  )
}

interface Timed {
  id: number
  name: string
  figures: Figures
  own?: Pick<Figures, 'served' | 'serveSeconds'>
}

export function Charts({ label, slices, times }: { label: string; slices: Slice[]; times?: Timed[] }) {
  const t = useReportText()
  const lasting = (times ?? []).map(({ id, name, figures, own }) => {
    const seconds = serviceTime({ ...figures, ...own })
    return { key: id, label: name, value: seconds ?? 0, written: durationOf(seconds) }
  })
  if (slices.every(({ value }) => value === 0)) return <ChartToCome />
  return (
    <>
      <Donut label={`${label}: ${t('tickets')}`} slices={slices} />
      <Bars label={t('tickets')} slices={slices} />
      <Bars label={t('tma')} slices={lasting} />
    </>
  )
}
