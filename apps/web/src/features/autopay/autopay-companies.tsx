import type { AutopayCompany } from '@balcao/contract/autopay.ts'
import { Box } from '@mantine/core'
import { IconRepeat, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { shownTime } from '../../platform/time.ts'
import { Empty } from '../../ui/empty.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { autopayCompanies } from './autopay.api.ts'
import { useAutopayText } from './autopay.text.ts'
import { wayOf } from './autopay-state.tsx'
import { EndAutopayDialog } from './end-autopay.dialog.tsx'
import { useUncharged } from './uncharged.ts'

/** The companies whose invoices are paid by themselves, for the operator; nothing where there are none. */
export function AutopayCompanies() {
  const t = useAutopayText()
  const uncharged = useUncharged()
  const list = useSearchedList(autopayCompanies, '')
  const [ending, setEnding] = useState<number | null>(null)
  if (list.rows.length === 0) return null
  return (
    <Box mt="lg">
      <FieldSection legend={t('companies')}>
        <Table
          label={t('companies')}
          columns={columnsOf(t, uncharged, setEnding)}
          rows={list.rows}
          keyOf={({ companyId }) => companyId}
          paging={list}
          empty={<Empty icon={<IconRepeat size={26} />} title={t('none')} />}
        />
      </FieldSection>
      {ending !== null && <EndAutopayDialog companyId={ending} onClose={() => setEnding(null)} />}
    </Box>
  )
}

const columnsOf = (
  t: typeof useAutopayText.read,
  uncharged: (problem: string) => string,
  end: (companyId: number) => void,
): Column<AutopayCompany>[] => [
  {
    key: 'company',
    head: t('company'),
    kind: 'name',
    cell: one => <Link to={`/invoices/${one.companyId}`}>{one.companyName}</Link>,
  },
  { key: 'way', head: t('way'), cell: one => wayOf(t, one) },
  { key: 'state', head: t('state'), cell: one => t(one.state) },
  { key: 'since', head: t('since'), cell: one => shownTime(one.since).format('L') },
  { key: 'problem', head: t('lastProblem'), cell: one => uncharged(one.problem) },
  {
    key: 'actions',
    head: '',
    kind: 'actions',
    cell: one => (
      <IconButton label={t('endNamed', { company: one.companyName })} onClick={() => end(one.companyId)}>
        <IconX size={18} stroke={1.75} />
      </IconButton>
    ),
  },
]
