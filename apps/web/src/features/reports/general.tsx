import {
  answerTime,
  botTime,
  durationOf,
  openTimes,
  serviceTime,
  waitTime,
} from '@balcao/contract/reports.rules.ts'
import type { ReportData } from '@balcao/contract/reports.ts'
import type { ReactNode } from 'react'
import { whole } from '../../platform/numbers.ts'
import { Table } from '../../ui/table.tsx'
import { Behind } from './behind.tsx'
import type { Slice } from './charts.tsx'
import { Closings } from './closings.tsx'
import { changeShown } from './figure-cards.tsx'
import { Charts, Section } from './report-section.tsx'
import { useReportText } from './reports.text.ts'

type FigureKey =
  | 'pending'
  | 'open'
  | 'closed'
  | 'total'
  | 'tma'
  | 'tme'
  | 'answer'
  | 'tmaSum'
  | 'tmeSum'
  | 'botTime'
  | 'outside'
interface Shown {
  key: FigureKey
  value: ReactNode
  past: string
  change: number | null
  within: string
}

/** Totals of the range against the previous one, and the tickets waiting and attended now. */
export function General({ data }: { data: ReportData }) {
  const t = useReportText()
  const { before, changes } = data
  const { figures } = data
  const open = openTimes(figures)
  const row = (
    key: FigureKey,
    value: ReactNode,
    past = '',
    change: number | null = null,
    within = '',
  ): Shown => ({
    ...{ key, value, past, change, within },
  })
  const rows = [
    row(
      'closed',
      <Closings name={t('general')} narrowed={{}} count={data.countClosed} />,
      whole(before.closed),
      changes.closed,
    ),
    row(
      'tma',
      data.tmaTotalMedioMoment,
      durationOf(serviceTime(before)),
      changes.tma,
      durationOf(open.serve),
    ),
    row('tme', data.tmeTotalMedioMoment, durationOf(waitTime(before)), changes.tme, durationOf(open.wait)),
    row(
      'answer',
      durationOf(answerTime(figures)),
      durationOf(answerTime(before)),
      changes.answer,
      durationOf(open.answer),
    ),
    row('tmaSum', data.tmaTotalMoment, durationOf(before.serveSeconds), changes.serveSeconds),
    row('tmeSum', data.tmeTotalMoment, durationOf(before.waitSeconds), changes.waitSeconds),
    ...(figures.botted > 0
      ? [row('botTime', durationOf(botTime(figures)), durationOf(botTime(before)))]
      : []),
    ...(figures.timed > 0 ? [row('outside', whole(figures.outside), whole(before.outside))] : []),
    row('pending', <Behind name={t('general')} status="pending" count={data.countPending} />),
    row('open', <Behind name={t('general')} status="open" count={data.countOpenGeneral} />),
    row('total', whole(data.totalTickets)),
  ]
  const slices: Slice[] = [
    { key: 'pending', label: t('pending'), value: data.countPending },
    { key: 'open', label: t('open'), value: data.countOpenGeneral },
    { key: 'closed', label: t('closed'), value: data.countClosed },
  ]
  return (
    <Section title={t('general')} charts={<Charts label={t('general')} slices={slices} />}>
      <Table
        label={t('general')}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { key: 'what', head: t('what'), cell: ({ key }) => t(key) },
          { key: 'value', head: t('value'), kind: 'number', cell: ({ value }) => value },
          {
            key: 'change',
            head: t('change'),
            kind: 'number',
            cell: ({ change }) => change !== null && <small>{changeShown(change)}</small>,
          },
          ...(figures.timed > 0
            ? [
                {
                  key: 'within',
                  head: t('within'),
                  kind: 'number' as const,
                  cell: (one: Shown) => one.within,
                },
              ]
            : []),
          { key: 'before', head: t('before'), kind: 'number', cell: ({ past }) => past },
        ]}
      />
    </Section>
  )
}
