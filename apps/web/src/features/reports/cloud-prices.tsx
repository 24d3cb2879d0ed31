import type { CloudPriceSum } from '@balcao/contract/cloud.ts'
import { useQuery } from '@tanstack/react-query'
import { whyNot } from '../../platform/errors.text.ts'
import { whole } from '../../platform/numbers.ts'
import { clock, momentAt } from '../../platform/time.ts'
import { Table } from '../../ui/table.tsx'
import { ReportSheet } from './report-sheet.tsx'
import { pricesFor, type Wanted } from './reports.api.ts'
import classes from './reports.module.css'
import { useSourcesText } from './reports.sources.text.ts'
import { useReportText } from './reports.text.ts'

/** How many messages Meta delivered and charges for, by month, connection and category. */
export function CloudPrices({ wanted }: { wanted: Wanted }) {
  const t = useReportText()
  const s = useSourcesText()
  const { data, isError, error } = useQuery(pricesFor(wanted))
  if (isError && !data) return <p role="alert">{whyNot(error, t('failed'))}</p>
  if (!data) return null
  const from = wanted.from ? momentAt(wanted.from) : clock().startOf('month').toISOString()
  const until = wanted.until ? momentAt(wanted.until) : clock().toISOString()
  const charged = data.filter(({ billable }) => billable)
  return (
    <ReportSheet>
      <p className={classes.legendText}>
        <strong>
          {clock(from).format('L LT')} – {clock(until).format('L LT')}
        </strong>
        <br />
        {s('pricesMean')}
      </p>
      <Table
        label={s('prices')}
        rows={data}
        keyOf={one => [one.month, one.whatsappId, one.category, one.type, one.billable].join(' ')}
        empty={s('noPrices')}
        columns={[
          {
            key: 'month',
            head: s('month'),
            cell: ({ month }) => clock(`${month}-15T12:00:00Z`).format('MM/YYYY'),
            by: ({ month }) => month,
            total: t('total'),
          },
          {
            key: 'connection',
            head: t('connection'),
            cell: ({ connection }) => connection,
            by: ({ connection }) => connection,
          },
          {
            key: 'category',
            head: s('category'),
            cell: one => categoryText(s, one),
            by: one => one.category,
          },
          {
            key: 'type',
            head: s('charged'),
            cell: one => typeText(s, one),
            by: ({ billable }) => (billable ? 0 : 1),
            total: s('chargedOf', { count: whole(countOf(charged)) }),
          },
          {
            key: 'messages',
            head: s('messages'),
            kind: 'number',
            cell: ({ messages }) => whole(messages),
            by: ({ messages }) => messages,
            total: whole(countOf(data)),
          },
        ]}
      />
    </ReportSheet>
  )
}

const countOf = (sums: CloudPriceSum[]) => sums.reduce((all, { messages }) => all + messages, 0)

const CATEGORIES = [
  'marketing',
  'marketing_lite',
  'utility',
  'authentication',
  'authentication_international',
  'service',
  'referral_conversion',
] as const

const categoryText = (s: ReturnType<typeof useSourcesText>, { category }: CloudPriceSum) => {
  const known = CATEGORIES.find(one => one === category)
  return known ? s(known) : category
}

function typeText(s: ReturnType<typeof useSourcesText>, { billable, type }: CloudPriceSum) {
  if (billable) return s('isCharged')
  return type === 'free_customer_service' || type === 'free_entry_point' ? s(type) : s('isFree')
}
