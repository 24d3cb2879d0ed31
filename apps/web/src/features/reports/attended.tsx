import type { ReportData } from '@balcao/contract/reports.ts'
import { whole } from '../../platform/numbers.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { Behind } from './behind.tsx'
import { Closings } from './closings.tsx'
import { figureColumns } from './figure-columns.tsx'
import { Charts, Section } from './report-section.tsx'
import { useReportText } from './reports.text.ts'

/** Tickets attended per user, with their shares. */
export function Users({ data: { dataUsers, figures } }: { data: ReportData }) {
  const t = useReportText()
  const rows = dataUsers.map(row => ({ ...row, name: row.name || t(row.id === 0 ? 'noUser' : 'gone') }))
  const slices = rows.map(row => ({ key: row.id, label: row.name, value: row.qtdAtendimentos }))
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'name', head: t('user'), cell: ({ name }) => name, by: ({ name }) => name, total: t('total') },
    {
      ...{ key: 'all', head: t('tickets'), kind: 'number', cell: row => whole(row.qtdAtendimentos) },
      by: row => row.qtdAtendimentos,
      total: whole(sumOf(rows, 'qtdAtendimentos')),
    },
    {
      key: 'share',
      head: t('share'),
      kind: 'number',
      cell: row => `${row.porcentagemAtendimentos}%`,
      by: row => row.porcentagemAtendimentos,
      total: '100%',
    },
    {
      ...{ key: 'open', head: t('open'), kind: 'number', total: whole(sumOf(rows, 'countOpen')) },
      by: row => row.countOpen,
      cell: ({ id, name, countOpen }) =>
        id === 0 ? (
          whole(countOpen)
        ) : (
          <Behind name={name} status="open" asked={{ user: { id, name } }} count={countOpen} />
        ),
    },
    {
      key: 'taken',
      head: t('taken'),
      kind: 'number',
      cell: row => whole(row.own.served),
      by: row => row.own.served,
    },
    ...figureColumns(
      t,
      figures,
      (row: (typeof rows)[number]) => ({ ...row.figures, ...row.own }),
      row => <Closings name={row.name} narrowed={{ userId: row.id }} count={row.countClosed} />,
    ),
  ]
  return (
    <Section title={t('byUser')} charts={<Charts label={t('byUser')} slices={slices} times={rows} />}>
      <Table label={t('byUser')} rows={rows} keyOf={({ id }) => id} columns={columns} empty={t('empty')} />
    </Section>
  )
}

export function Queues({ data: { dataQueuesWitchPercent, figures } }: { data: ReportData }) {
  const t = useReportText()
  const rows = dataQueuesWitchPercent.map(row => ({
    ...row,
    name: row.queue || t(row.id === 0 ? 'noQueue' : 'gone'),
  }))
  const slices = rows.map(row => ({ key: row.id, label: row.name, value: row.qtdAtendimentos }))
  const nowIn = (status: 'pending' | 'open', { id, name }: (typeof rows)[number], count: number) => (
    <Behind name={name} status={status} asked={{ queueIds: [id] }} count={count} />
  )
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'name', head: t('queue'), cell: ({ name }) => name, by: ({ name }) => name, total: t('total') },
    {
      ...{ key: 'all', head: t('tickets'), kind: 'number', cell: row => whole(row.qtdAtendimentos) },
      by: row => row.qtdAtendimentos,
      total: whole(sumOf(rows, 'qtdAtendimentos')),
    },
    {
      key: 'share',
      head: t('share'),
      kind: 'number',
      cell: row => `${row.percent}%`,
      by: row => row.percent,
      total: '100%',
    },
    {
      ...{ key: 'pending', head: t('pending'), kind: 'number' },
      by: row => row.countPending,
      cell: row => nowIn('pending', row, row.countPending),
      total: whole(sumOf(rows, 'countPending')),
    },
    {
      ...{ key: 'open', head: t('open'), kind: 'number' },
      by: row => row.countOpen,
      cell: row => nowIn('open', row, row.countOpen),
      total: whole(sumOf(rows, 'countOpen')),
    },
    ...figureColumns(
      t,
      figures,
      (row: (typeof rows)[number]) => row.figures,
      row => <Closings name={row.name} narrowed={{ queueId: row.id }} count={row.countClosed} />,
    ),
  ]
  return (
    <Section title={t('byQueue')} charts={<Charts label={t('byQueue')} slices={slices} times={rows} />}>
      <Table label={t('byQueue')} rows={rows} keyOf={({ id }) => id} empty={t('empty')} columns={columns} />
    </Section>
  )
}

const sumOf = <Name extends string>(rows: Record<Name, number>[], name: Name) =>
  rows.reduce((sum, row) => sum + row[name], 0)
