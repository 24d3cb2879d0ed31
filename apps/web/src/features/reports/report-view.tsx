import { may } from '@balcao/contract/permissions.rules.ts'
import {
  answerTime,
  botTime,
  durationOf,
  type Figures,
  openTimes,
  serviceTime,
  waitTime,
} from '@balcao/contract/reports.rules.ts'
import type { ReportData } from '@balcao/contract/reports.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { whole } from '../../platform/numbers.ts'
import { useViewer } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { type Column, Table } from '../../ui/table.tsx'
import type { Asked } from '../tickets/asked.ts'
import { Bars, Donut, type Slice } from './charts.tsx'
import { Closings, ReportAsked } from './closings.tsx'
import { OverTime } from './over-time.tsx'
import { PartTable } from './part-table.tsx'
import { ReportSheet } from './report-sheet.tsx'
import type { Wanted } from './reports.api.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

/** What a range says: the whole, then by user and queue, then what else tells tickets apart. Each table has its charts. */
export function ReportView({ data, wanted }: { data: ReportData; wanted: Wanted }) {
  const t = useReportText()
  return (
    <ReportAsked value={wanted}>
      <ReportSheet>
        <p className={classes.legendText}>
          {clock(data.range.from).format('L LT')} – {clock(data.range.until).format('L LT')}
          <br />
          {t('tmaMeans')}
          <br />
          {t('tmeMeans')}
          <br />
          {t('answerMeans')}
          <br />
          {t('ownMeans')}
        </p>
        <General data={data} />
        <Users data={data} />
        <Queues data={data} />
        <PartTable
          title={t('byConnection')}
          head={t('connection')}
          parts={data.dataConnections}
          narrow={whatsappId => ({ whatsappId })}
        />
        <PartTable title={t('byTag')} head={t('tag')} parts={data.dataTags} narrow={tagId => ({ tagId })} />
        <OverTime days={data.days} />
      </ReportSheet>
    </ReportAsked>
  )
}

type Said =
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
  key: Said
  value: ReactNode
  past: string
  change: number | null
  within: string
}

function General({ data }: { data: ReportData }) {
  const t = useReportText()
  const { before, changes } = data
  const { figures } = data
  const open = openTimes(figures)
  const row = (key: Said, value: ReactNode, past = '', change: number | null = null, within = ''): Shown => ({
    ...{ key, value, past, change, within },
  })
  const rows = [
    row('pending', <Behind asked={{ status: 'pending' }} count={data.countPending} />),
    row('open', <Behind asked={{ status: 'open' }} count={data.countOpenGeneral} />),
    row(
      'closed',
      <Closings name={t('general')} narrowed={{}} count={data.countClosed} />,
      whole(before.closed),
      changes.closed,
    ),
    row('total', whole(data.totalTickets)),
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

/** With its sign: +12%. */
const changeShown = (percents: number) =>
  (percents / 100).toLocaleString(document.documentElement.lang, {
    style: 'percent',
    signDisplay: 'exceptZero',
  })

function Users({ data: { dataUsers } }: { data: ReportData }) {
  const t = useReportText()
  const rows = dataUsers.map(row => ({ ...row, name: row.name || t(row.id === 0 ? 'noUser' : 'gone') }))
  const slices = rows.map(row => ({ key: row.id, label: row.name, value: row.qtdAtendimentos }))
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'name', head: t('user'), cell: ({ name }) => name },
    { key: 'all', head: t('tickets'), kind: 'number', cell: row => whole(row.qtdAtendimentos) },
    { key: 'share', head: t('share'), kind: 'number', cell: row => `${row.porcentagemAtendimentos}%` },
    {
      key: 'open',
      head: t('open'),
      kind: 'number',
      cell: ({ id, name, countOpen }) =>
        id === 0 ? (
          whole(countOpen)
        ) : (
          <Behind asked={{ status: 'open', user: { id, name } }} count={countOpen} />
        ),
    },
    {
      key: 'closed',
      head: t('closed'),
      kind: 'number',
      cell: row => <Closings name={row.name} narrowed={{ userId: row.id }} count={row.countClosed} />,
    },
    { key: 'taken', head: t('taken'), kind: 'number', cell: row => whole(row.own.served) },
    { key: 'tma', head: t('tma'), kind: 'number', cell: ({ tma }) => tma },
    { key: 'tme', head: t('tme'), kind: 'number', cell: ({ tme }) => tme },
    { key: 'answer', head: t('answer'), kind: 'number', cell: row => durationOf(answerTime(row.figures)) },
  ]
  return (
    <Section title={t('byUser')} charts={<Charts label={t('byUser')} slices={slices} times={rows} />}>
      <Table label={t('byUser')} rows={rows} keyOf={({ id }) => id} columns={columns} empty={t('empty')} />
    </Section>
  )
}

function Queues({ data: { dataQueuesWitchPercent } }: { data: ReportData }) {
  const t = useReportText()
  const rows = dataQueuesWitchPercent.map(row => ({
    ...row,
    name: row.queue || t(row.id === 0 ? 'noQueue' : 'gone'),
  }))
  const slices = rows.map(row => ({ key: row.id, label: row.name, value: row.qtdAtendimentos }))
  const standing = (status: 'pending' | 'open', id: number, count: number) => (
    <Behind asked={{ status, queueIds: [id] }} count={count} />
  )
  return (
    <Section title={t('byQueue')} charts={<Charts label={t('byQueue')} slices={slices} times={rows} />}>
      <Table
        label={t('byQueue')}
        rows={rows}
        keyOf={({ id }) => id}
        empty={t('empty')}
        columns={[
          { key: 'name', head: t('queue'), cell: ({ name }) => name },
          { key: 'all', head: t('tickets'), kind: 'number', cell: row => whole(row.qtdAtendimentos) },
          { key: 'share', head: t('share'), kind: 'number', cell: row => `${row.percent}%` },
          {
            key: 'pending',
            head: t('pending'),
            kind: 'number',
            cell: r => standing('pending', r.id, r.countPending),
          },
          { key: 'open', head: t('open'), kind: 'number', cell: r => standing('open', r.id, r.countOpen) },
          {
            key: 'closed',
            head: t('closed'),
            kind: 'number',
            cell: row => <Closings name={row.name} narrowed={{ queueId: row.id }} count={row.countClosed} />,
          },
          { key: 'tma', head: t('tma'), kind: 'number', cell: row => durationOf(serviceTime(row.figures)) },
          { key: 'tme', head: t('tme'), kind: 'number', cell: row => durationOf(waitTime(row.figures)) },
          {
            key: 'answer',
            head: t('answer'),
            kind: 'number',
            cell: row => durationOf(answerTime(row.figures)),
          },
        ]}
      />
    </Section>
  )
}

interface Timed {
  id: number
  name: string
  figures: Figures
  own?: Pick<Figures, 'served' | 'serveSeconds'>
}

function Charts({ label, slices, times }: { label: string; slices: Slice[]; times?: Timed[] }) {
  const t = useReportText()
  const lasting = (times ?? []).map(({ id, name, figures, own }) => {
    const seconds = serviceTime({ ...figures, ...own })
    return { key: id, label: name, value: seconds ?? 0, written: durationOf(seconds) }
  })
  return (
    <>
      <Donut label={`${label}: ${t('tickets')}`} slices={slices} />
      <Bars label={t('tickets')} slices={slices} />
      <Bars label={t('tma')} slices={lasting} />
    </>
  )
}

function Section({ title, charts, children }: { title: string; charts?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <div className={classes.sides}>
        <div className={classes.tables}>{children}</div>
        {charts && <div className={classes.charts}>{charts}</div>}
      </div>
    </section>
  )
}

/** A count that leads to its tickets, for whom the search shows all of them. */
function Behind({ asked, count }: { asked: Partial<Asked>; count: number }) {
  const viewer = useViewer()
  if (count === 0 || !may(viewer, 'tickets:showAll')) return whole(count)
  const place = { tab: 'search', sub: 'assigned', asked: { searchParam: '', from: null, ...asked } }
  return (
    <Link to="/tickets" state={{ place }} className={classes.link}>
      {whole(count)}
    </Link>
  )
}
