import type { Payment } from '@balcao/contract/payments.ts'
import { Button } from '@mantine/core'
import { IconPigMoney } from '@tabler/icons-react'
import { useState } from 'react'
import { Empty } from '../../ui/empty.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { Table } from '../../ui/table.tsx'
import { ApplyCreditDialog } from './apply-credit.dialog.tsx'
import { columnsOf, dialogs, type What } from './payment-columns.tsx'
import { creditList } from './payments.api.ts'
import { usePaymentText } from './payments.text.ts'

/** Payments of a company that are its credit: a master uses one for an invoice, gives it back, or takes it back. */
export function CreditSection({ companyId }: { companyId: number }) {
  const t = usePaymentText()
  const list = useSearchedList(creditList(companyId), '')
  const [opened, open] = useState<{ what: What; payment: Payment } | null>(null)
  const [applying, apply] = useState(false)
  const Opened = opened && dialogs[opened.what]
  const columns = columnsOf(t, payment => what => open({ what, payment }))
  if (list.rows.length === 0) return null
  return (
    <FieldSection legend={t('credits')}>
      <Table
        label={t('credits')}
        columns={columns.filter(({ key }) => key !== 'company' && key !== 'why')}
        rows={list.rows}
        keyOf={({ id }) => id}
        paging={list}
        empty={<Empty icon={<IconPigMoney size={26} />} title={t('noCredit')} />}
      />
      <Button variant="default" mt={12} onClick={() => apply(true)}>
        {t('applyCredit')}
      </Button>
      {applying && <ApplyCreditDialog companyId={companyId} onClose={() => apply(false)} />}
      {Opened && <Opened payment={opened.payment} onClose={() => open(null)} />}
    </FieldSection>
  )
}
