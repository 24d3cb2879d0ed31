import { brl } from '@balcao/contract/plans.rules.ts'
import { SUBSCRIBER_STATES } from '@balcao/contract/revenue.rules.ts'
import type { PlanShare } from '@balcao/contract/revenue.ts'
import { useQuery } from '@tanstack/react-query'
import { whyNot } from '../../platform/errors.text.ts'
import { whole } from '../../platform/numbers.ts'
import { FigureList } from '../../ui/figures.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { AutopayCompanies } from '../autopay/autopay-companies.tsx'
import { Donut } from '../reports/charts.tsx'
import { Figure } from './figure.tsx'
import { planShares } from './revenue.api.ts'
import classes from './revenue.module.css'
import { useRevenueText } from './revenue.text.ts'
import { SubscriberTable } from './subscriber-table.tsx'

/** Companies by their state today, and by their plan. */
export function PlanPart() {
  const t = useRevenueText()
  const { data, isError, error } = useQuery(planShares)
  if (isError && !data) return <p role="alert">{whyNot(error, t('failed'))}</p>
  if (!data) return null
  const { plans, states, endingTrials } = data
  const named = (planName: string) => planName || t('noPlan')
  return (
    <div className={classes.part}>
      <FigureList
        figures={[
          ...SUBSCRIBER_STATES.map(
            state =>
              [
                t(state),
                <Companies key={state} name={t(state)} count={states[state]} asked={{ state }} />,
              ] as const,
          ),
          [
            t('endingTrials'),
            <Companies key="soon" name={t('endingTrials')} count={endingTrials} asked={{ ending: 'soon' }} />,
          ],
        ]}
      />
      <Donut
        label={t('planShares')}
        slices={plans.map(({ planName, companies }) => ({
          ...{ key: planName, label: named(planName), value: companies },
        }))}
      />
      <Table
        label={t('planShares')}
        rows={plans}
        keyOf={({ planName }) => planName}
        columns={columnsOf(t, named)}
      />
      <AutopayCompanies />
    </div>
  )
}

type Asked = Parameters<typeof SubscriberTable>[0]['asked']

function Companies({ name, count, asked }: { name: string; count: number; asked: Asked }) {
  return (
    <Figure name={name} written={whole(count)} isEmpty={count === 0}>
      <SubscriberTable label={name} asked={asked} />
    </Figure>
  )
}

const columnsOf = (
  t: typeof useRevenueText.read,
  named: (planName: string) => string,
): Column<PlanShare>[] => [
  { key: 'plan', head: t('plan'), kind: 'name', cell: ({ planName }) => named(planName) },
  {
    key: 'companies',
    head: t('companies'),
    kind: 'number',
    cell: ({ planName, companies }) => (
      <Companies name={named(planName)} count={companies} asked={{ planName }} />
    ),
  },
  ...(['paying', 'risk', 'trial'] as const).map(
    (state): Column<PlanShare> => ({
      ...{ key: state, head: t(state), kind: 'number' },
      cell: ({ planName, paying, risk, trial }) => (
        <Companies
          name={`${named(planName)}: ${t(state)}`}
          count={{ paying: paying.count, risk: risk.count, trial }[state]}
          asked={{ planName, state }}
        />
      ),
    }),
  ),
  { key: 'mrr', head: t('mrr'), kind: 'number', cell: ({ paying, risk }) => brl(paying.value + risk.value) },
]
