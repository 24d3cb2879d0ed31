import type { TermsAcceptance } from '@balcao/contract/terms.ts'
import { IconFileCheck } from '@tabler/icons-react'
import { clock } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { acceptanceList } from './terms.api.ts'
import { useTermsText } from './terms.text.ts'

/** Who accepted which version and when. */
export function AcceptanceTable({ companyId }: { companyId?: number }) {
  const t = useTermsText()
  const list = useSearchedList(acceptanceList(companyId), '')
  const columns: Column<TermsAcceptance>[] = [
    { key: 'company', head: t('company'), kind: 'name', cell: one => one.companyName },
    { key: 'version', head: t('version'), cell: one => one.version },
    { key: 'at', head: t('at'), cell: one => clock(one.acceptedAt).format('L LT') },
    { key: 'by', head: t('by'), cell: one => `${one.name} (${one.email})` },
  ]
  return (
    <Table
      label={t('accepted')}
      columns={companyId ? columns.slice(1) : columns}
      rows={list.rows}
      keyOf={one => `${one.companyId} ${one.version}`}
      paging={list}
      empty={<Empty icon={<IconFileCheck size={26} />} title={t('noneAccepted')} />}
    />
  )
}
