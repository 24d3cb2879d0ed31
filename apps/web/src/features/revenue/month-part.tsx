import { brl } from '@balcao/contract/plans.rules.ts'
import { REVENUE_MOVES, type RevenueMove } from '@balcao/contract/revenue.rules.ts'
import type { RevenueMonth } from '@balcao/contract/revenue.ts'
import { useQuery } from '@tanstack/react-query'
import { whyNot } from '../../platform/errors.text.ts'
import { shownTime } from '../../platform/time.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { Columns } from '../reports/columns.tsx'
import { Figure } from './figure.tsx'
import { ReceiptTable } from './receipt-table.tsx'
import { revenueMonths } from './revenue.api.ts'
import classes from './revenue.module.css'
import { useRevenueText } from './revenue.text.ts'
import { RevenueRows } from './revenue-rows.tsx'

/** Recurring revenue by month with what moved it, and money that came in. */
export function MonthPart() {
  const t = useRevenueText()
  const { data, isError, error } = useQuery(revenueMonths)
  if (isError && !data) return <p role="alert">{whyNot(error, t('failed'))}</p>
  if (!data) return null
  return (
    <div className={classes.part}>
      <p className={classes.hint}>{t('mrrHint')}</p>
      {data.some(({ mrr }) => mrr.value > 0) && (
        <Columns
          label={`${t('mrr')} (R$)`}
          columns={data.toReversed().map(({ month, mrr }) => ({
            ...{ key: month, name: monthName(month), short: monthName(month, 'MM/YY') },
            value: Math.round(mrr.value / 100),
          }))}
        />
      )}
      <Table label={t('months')} rows={data} keyOf={({ month }) => month} columns={columnsOf(t)} />
    </div>
  )
}

export const monthName = (month: string, how = 'MM/YYYY') => shownTime(`${month}-01`).format(how)

const columnsOf = (t: typeof useRevenueText.read): Column<RevenueMonth>[] => [
  { key: 'month', head: t('month'), cell: ({ month }) => monthName(month) },
  {
    key: 'mrr',
    head: t('mrr'),
    kind: 'number',
    cell: one => <Moved of={one} />,
  },
  {
    key: 'companies',
    head: t('companies'),
    kind: 'number',
    cell: ({ mrr }) => mrr.count,
  },
  ...REVENUE_MOVES.map(
    (move): Column<RevenueMonth> => ({
      ...{ key: move, head: t(move), kind: 'number' },
      cell: one => <Moved of={one} move={move} />,
    }),
  ),
  { key: 'churn', head: t('churn'), cell: one => churnOf(one, t) },
  {
    key: 'received',
    head: t('received'),
    kind: 'number',
    cell: one => <Received of={one} kind="payment" />,
  },
  {
    key: 'refunded',
    head: t('refunded'),
    kind: 'number',
    cell: one => <Received of={one} kind="refund" />,
  },
]

function Moved({ of, move }: { of: RevenueMonth; move?: RevenueMove }) {
  const t = useRevenueText()
  const { count, value } = of[move ?? 'mrr']
  const name = t('behind', { name: t(move ?? 'mrr'), month: monthName(of.month) })
  return (
    <Figure name={name} written={brl(value)} isEmpty={count === 0}>
      <RevenueRows label={name} asked={{ month: of.month, ...(move && { move }) }} />
    </Figure>
  )
}

function Received({ of, kind }: { of: RevenueMonth; kind: 'payment' | 'refund' }) {
  const t = useRevenueText()
  const figure = kind === 'payment' ? ('received' as const) : ('refunded' as const)
  const { count, value } = of[figure]
  const name = t('behind', { name: t(figure), month: monthName(of.month) })
  return (
    <Figure name={name} written={brl(value)} isEmpty={count === 0}>
      <ReceiptTable label={name} filter={{ month: of.month, kind }} />
    </Figure>
  )
}

function churnOf({ churnRate, revenueChurnRate }: RevenueMonth, t: typeof useRevenueText.read) {
  if (churnRate === null) return ''
  return t('churnOf', { companies: percent(churnRate), revenue: percent(revenueChurnRate ?? 0) })
}

const percent = (rate: number) =>
  (rate / 100).toLocaleString(document.documentElement.lang, { style: 'percent', maximumFractionDigits: 1 })
