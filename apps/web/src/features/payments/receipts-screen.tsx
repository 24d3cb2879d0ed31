import { REFUND_PROBLEMS } from '@balcao/contract/ledger.rules.ts'
import type { Payment } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import {
  IconArrowBackUp,
  IconFileCheck,
  IconFileInvoice,
  IconPigMoney,
  IconReportMoney,
} from '@tabler/icons-react'
import { useState } from 'react'
import { shownTime } from '../../platform/time.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { useList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { AssignDialog } from './assign.dialog.tsx'
import { CreditDialog } from './credit.dialog.tsx'
import { reviewList } from './payments.api.ts'
import { usePaymentMenuText } from './payments.menu.text.ts'
import { usePaymentText } from './payments.text.ts'
import { RefundDialog } from './refund.dialog.tsx'

type What = 'assign' | 'credit' | 'refund'
const dialogs = { assign: AssignDialog, credit: CreditDialog, refund: RefundDialog }

/** Money that came in and belongs to no open invoice: a master assigns, keeps or refunds it, and sees which refunds are under way. */
export default function ReceiptsScreen() {
  const t = usePaymentText()
  const title = usePaymentMenuText()('receipts')
  const { typed: _typed, type: _type, ...list } = useList(reviewList)
  const [opened, open] = useState<{ what: What; payment: Payment } | null>(null)
  const Opened = opened && dialogs[opened.what]
  return (
    <ListScreen path="/receipts" title={title} list={list}>
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

const columnsOf = (
  t: typeof usePaymentText.read,
  openFor: (payment: Payment) => (what: What) => void,
): Column<Payment>[] => [
  {
    key: 'company',
    head: t('company'),
    kind: 'name',
    cell: one => (one.companyId === null ? t('unknownCompany') : one.companyName),
  },
  { key: 'value', head: t('value'), kind: 'number', cell: one => freeOf(one, t) },
  { key: 'day', head: t('day'), cell: one => shownTime(one.paidOn).format('L') },
  { key: 'source', head: t('source'), cell: one => <Source payment={one} /> },
  { key: 'why', head: t('why'), cell: one => <Why payment={one} /> },
  {
    key: 'actions',
    head: '',
    kind: 'actions',
    cell: one => <Actions payment={one} open={openFor(one)} />,
  },
]

/** What is free of it, or is being given back, and of how much where a part was used. */
function freeOf({ freeValue, askedRefund, value, valueBrl }: Payment, t: typeof usePaymentText.read): string {
  const shown = freeValue || (askedRefund?.value ?? 0)
  return shown === value ? valueBrl : t('freeOf', { free: brl(shown), value: valueBrl })
}

function Source({ payment: { source, provider, providerId, recordedBy, note } }: { payment: Payment }) {
  const t = usePaymentText()
  const remark = source === 'provider' ? providerId : source === 'manual' ? recordedBy : note
  return (
    <>
      {source === 'provider' ? provider : t(source)} {remark && <small>{remark}</small>}
    </>
  )
}

function Why({ payment: { review, refundProblem, askedRefund } }: { payment: Payment }) {
  const t = usePaymentText()
  const known = REFUND_PROBLEMS.find(problem => problem === refundProblem)
  // one element, since the parts of a cell stand side by side on a phone
  return (
    <span>
      {review && t(review)}
      {askedRefund && (
        <>
          {t('refundAsked', { day: shownTime(askedRefund.at).format('L') })} <small>{t('refundWaits')}</small>
        </>
      )}
      {refundProblem && (
        <>
          {' '}
          <small>{t('refundFailed', { problem: known ? t(known) : refundProblem })}</small>
        </>
      )}
    </span>
  )
}

function Actions({ payment, open }: { payment: Payment; open(what: What): void }) {
  const t = usePaymentText()
  const { receiptUrl, freeValue } = payment
  const value = brl(freeValue)
  return (
    <>
      {receiptUrl && (
        <IconButton label={t('openReceipt')} onClick={() => window.open(receiptUrl, '_blank', 'noopener')}>
          <IconFileCheck size={18} stroke={1.75} />
        </IconButton>
      )}
      {freeValue > 0 && (
        <>
          <IconButton label={t('assignNamed', { value })} onClick={() => open('assign')}>
            <IconFileInvoice size={18} stroke={1.75} />
          </IconButton>
          <IconButton label={t('creditNamed', { value })} onClick={() => open('credit')}>
            <IconPigMoney size={18} stroke={1.75} />
          </IconButton>
          <IconButton label={t('refundNamed', { value })} onClick={() => open('refund')}>
            <IconArrowBackUp size={18} stroke={1.75} />
          </IconButton>
        </>
      )}
    </>
  )
}
