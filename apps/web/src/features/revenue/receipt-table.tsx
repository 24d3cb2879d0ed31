import { brl } from '@balcao/contract/plans.rules.ts'
import { isFormer } from '@balcao/contract/revenue.rules.ts'
import type { Receipt, ReceiptFilter } from '@balcao/contract/revenue.ts'
import { shownTime } from '../../platform/time.ts'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { Table } from '../../ui/table.tsx'
import { receiptsWith } from './revenue.api.ts'
import { useRevenueText } from './revenue.text.ts'

/** Payments, credit and refunds of a month. */
export function ReceiptTable({ label, filter }: { label: string; filter: ReceiptFilter }) {
  const t = useRevenueText()
  const list = useSearchedList(receiptsWith(filter), '')
  return (
    <Table
      label={label}
      rows={list.rows}
      keyOf={({ kind, rowId }) => `${kind} ${rowId}`}
      paging={list}
      empty={<p>{t('none')}</p>}
      columns={[
        { key: 'day', head: t('day'), cell: ({ day }) => shownTime(day).format('L') },
        {
          key: 'company',
          head: t('company'),
          kind: 'name',
          cell: row => payerOf(row, t),
        },
        { key: 'kind', head: t('kind'), cell: ({ kind }) => t(kind) },
        { key: 'value', head: t('value'), kind: 'number', cell: ({ value }) => brl(value) },
        { key: 'source', head: t('source'), cell: row => sourceOf(row, t) },
        { key: 'note', head: t('note'), kind: 'long', cell: ({ note }) => note },
      ]}
    />
  )
}

function payerOf({ rowId, companyId, companyName }: Receipt, t: typeof useRevenueText.read) {
  if (isFormer(rowId)) return t('former')
  return companyId === null ? t('unknown') : companyName
}

function sourceOf({ source, provider, providerId, recordedBy }: Receipt, t: typeof useRevenueText.read) {
  if (source === 'provider') return `${provider} ${providerId}`.trim()
  return [t(source), recordedBy].filter(Boolean).join(' · ')
}
