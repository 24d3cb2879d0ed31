import type { LeadState, LeadStep } from '@balcao/contract/revenue.rules.ts'
import { Link } from 'react-router'
import { clock } from '../../platform/time.ts'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { Table } from '../../ui/table.tsx'
import { leadsWith } from './revenue.api.ts'
import { useRevenueText } from './revenue.text.ts'

interface Props {
  label: string
  asked: { month?: string; state?: LeadState; reached?: LeadStep }
  typed: string
}

/** Leads with their state, the newest first. */
export function LeadTable({ label, asked, typed }: Props) {
  const t = useRevenueText()
  const list = useSearchedList(leadsWith(asked), typed)
  return (
    <Table
      label={label}
      rows={list.rows}
      keyOf={({ id }) => id}
      paging={list}
      empty={<p>{t('none')}</p>}
      columns={[
        { key: 'name', head: t('name'), kind: 'name', cell: ({ name }) => name },
        { key: 'email', head: t('email'), cell: ({ email }) => email },
        { key: 'whatsapp', head: t('whatsapp'), cell: ({ whatsAppNumber }) => whatsAppNumber },
        { key: 'plan', head: t('plan'), kind: 'name', cell: ({ planName }) => planName },
        { key: 'state', head: t('state'), cell: ({ state }) => t(state) },
        {
          key: 'company',
          head: t('company'),
          kind: 'name',
          cell: ({ companyId, companyName }) =>
            companyId && <Link to={`/companiesManager/${companyId}`}>{companyName}</Link>,
        },
        { key: 'origin', head: t('origin'), cell: ({ origin }) => origin },
        { key: 'created', head: t('created'), cell: ({ createdAt }) => clock(createdAt).format('L') },
      ]}
    />
  )
}
