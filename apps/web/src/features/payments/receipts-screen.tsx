import type { Payment } from '@balcao/contract/payments.ts'
import { IconReportMoney } from '@tabler/icons-react'
import { useState } from 'react'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import { FailedSection } from '../fiscalNotes/failed-section.tsx'
import { NewsSection } from './news-section.tsx'
import { columnsOf, dialogs, type What } from './payment-columns.tsx'
import { reviewList } from './payments.api.ts'
import { usePaymentMenuText } from './payments.menu.text.ts'
import { usePaymentText } from './payments.text.ts'

/**
 * Money that came in and belongs to no open invoice: a master assigns, keeps or refunds it, sees which refunds are under way, and
 * reads what the providers say beside.
 */
export default function ReceiptsScreen() {
  const t = usePaymentText()
  const title = usePaymentMenuText()('receipts')
  const { typed: _typed, type: _type, ...list } = useList(reviewList)
  const [opened, open] = useState<{ what: What; payment: Payment } | null>(null)
  const Opened = opened && dialogs[opened.what]
  return (
    <ListScreen path="/receipts" title={title} list={list}>
      <NewsSection />
      <FailedSection />
      <ListTable
        label={title}
        columns={columnsOf(t, payment => what => open({ what, payment }))}
        list={list}
        icon={IconReportMoney}
        none={t('none')}
        hint={t('noneHint')}
      />
      {Opened && <Opened payment={opened.payment} onClose={() => open(null)} />}
    </ListScreen>
  )
}
