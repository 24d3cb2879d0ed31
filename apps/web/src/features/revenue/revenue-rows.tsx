import { brl } from '@balcao/contract/plans.rules.ts'
import { isFormer, type RevenueMove } from '@balcao/contract/revenue.rules.ts'
import { Link } from 'react-router'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { Table } from '../../ui/table.tsx'
import { rowsBehind } from './revenue.api.ts'
import { useRevenueText } from './revenue.text.ts'

/** The companies behind a figure of a month. */
export function RevenueRows({
  label,
  asked,
}: {
  label: string
  asked: { month: string; move?: RevenueMove }
}) {
  const t = useRevenueText()
  const list = useSearchedList(rowsBehind(asked), '')
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
          cell: ({ id, companyName }) =>
            isFormer(id) ? t('former') : <Link to={`/invoices/${id}`}>{companyName}</Link>,
        },
        { key: 'move', head: t('move'), cell: ({ move }) => t(move) },
        { key: 'before', head: t('before'), kind: 'number', cell: ({ before }) => brl(before) },
        { key: 'after', head: t('after'), kind: 'number', cell: ({ after }) => brl(after) },
      ]}
    />
  )
}
