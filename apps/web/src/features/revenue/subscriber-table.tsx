import { brl } from '@balcao/contract/plans.rules.ts'
import type { SubscriberState } from '@balcao/contract/revenue.rules.ts'
import { Link } from 'react-router'
import { shownTime } from '../../platform/time.ts'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { Table } from '../../ui/table.tsx'
import { subscribersWith } from './revenue.api.ts'
import { useRevenueText } from './revenue.text.ts'

interface Props {
  label: string
  asked: { planName?: string; state?: SubscriberState; ending?: 'soon' }
}

/** Companies with their state today. */
export function SubscriberTable({ label, asked }: Props) {
  const t = useRevenueText()
  const list = useSearchedList(subscribersWith(asked), '')
  return (
    <Table
      label={label}
      rows={list.rows}
      keyOf={({ id }) => id}
      paging={list}
      empty={<p>{t('none')}</p>}
      columns={[
        {
          key: 'company',
          head: t('company'),
          kind: 'name',
          cell: ({ id, companyName }) => <Link to={`/companiesManager/${id}`}>{companyName}</Link>,
        },
        { key: 'plan', head: t('plan'), kind: 'name', cell: ({ planName }) => planName || t('noPlan') },
        { key: 'state', head: t('subscriberState'), cell: ({ state }) => t(state) },
        { key: 'mrr', head: t('mrr'), kind: 'number', cell: ({ mrr }) => brl(mrr) },
        {
          key: 'trialEnds',
          head: t('trialEnds'),
          cell: ({ trialEndsOn }) => trialEndsOn && shownTime(trialEndsOn).format('L'),
        },
      ]}
    />
  )
}
