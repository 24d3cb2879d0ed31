import { REFUND_PROBLEMS } from '@balcao/contract/ledger.rules.ts'
import type { Payment } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import {
  IconArrowBackUp,
  IconFileCheck,
  IconFileInvoice,
  IconGift,
  IconPigMoney,
  IconReceiptRefund,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { newId } from '../../platform/ids.ts'
import { notify } from '../../platform/notify.tsx'
import { shownTime } from '../../platform/time.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { Column } from '../../ui/table.tsx'
import { AssignDialog } from './assign.dialog.tsx'
import { CreditDialog } from './credit.dialog.tsx'
import { answerReturned, undoPayment } from './payments.api.ts'
import { usePaymentText } from './payments.text.ts'
import { RefundDialog } from './refund.dialog.tsx'

export type What = 'assign' | 'credit' | 'refund'
export const dialogs = { assign: AssignDialog, credit: CreditDialog, refund: RefundDialog }

/** What a table of payments shows, and what may be done with each. */
export const columnsOf = (
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
function freeOf(
  { freeValue, askedRefund, returnedValue, value, valueBrl }: Payment,
  t: typeof usePaymentText.read,
): string {
  const shown = freeValue || askedRefund?.value || returnedValue
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

function Why({ payment: { review, refundProblem, askedRefund, returnedValue } }: { payment: Payment }) {
  const t = usePaymentText()
  const known = REFUND_PROBLEMS.find(problem => problem === refundProblem)
  // one element, since the parts of a cell stand side by side on a phone
  return (
    <span>
      {review && review !== 'returned' && t(review)}
      {returnedValue > 0 && (
        <>
          {t('returned', { value: brl(returnedValue) })} <small>{t('returnedHint')}</small>
        </>
      )}
      {askedRefund && (
        <>
          {t(askedRefund.isAccepted ? 'refundAsked' : 'refundUnheard', {
            day: shownTime(askedRefund.at).format('L'),
          })}{' '}
          {askedRefund.isAccepted && <small>{t('refundWaits')}</small>}
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
  const { id, receiptUrl, freeValue, review, source, refundedValue, returnedValue } = payment
  const undo = () => undoPayment(id).then(() => notify.done(t('undone')), notify.failed)
  const value = brl(freeValue)
  return (
    <>
      {receiptUrl && (
        <IconButton label={t('openReceipt')} onClick={() => window.open(receiptUrl, '_blank', 'noopener')}>
          <IconFileCheck size={18} stroke={1.75} />
        </IconButton>
      )}
      {returnedValue > 0 && <ReturnedActions payment={payment} />}
      {freeValue > 0 && (
        <>
          <IconButton label={t('assignNamed', { value })} onClick={() => open('assign')}>
            <IconFileInvoice size={18} stroke={1.75} />
          </IconButton>
          {review !== null && (
            <IconButton label={t('creditNamed', { value })} onClick={() => open('credit')}>
              <IconPigMoney size={18} stroke={1.75} />
            </IconButton>
          )}
          {source === 'manual' && refundedValue === 0 && (
            <IconButton label={t('undoNamed', { value: payment.valueBrl })} onClick={() => void undo()}>
              <IconTrash size={18} stroke={1.75} />
            </IconButton>
          )}
          <IconButton label={t('refundNamed', { value })} onClick={() => open('refund')}>
            <IconArrowBackUp size={18} stroke={1.75} />
          </IconButton>
        </>
      )}
    </>
  )
}

/** A gift, or a reversal by which the invoice is owed again. */
function ReturnedActions({ payment: { id, returnedValue } }: { payment: Payment }) {
  const t = usePaymentText()
  const [requestId] = useState(newId)
  const value = brl(returnedValue)
  const answer = (isGift: boolean) =>
    answerReturned(id, { isGift, requestId }).then(() => notify.done(t('answered')), notify.failed)
  return (
    <>
      <IconButton label={t('giftNamed', { value })} onClick={() => void answer(true)}>
        <IconGift size={18} stroke={1.75} />
      </IconButton>
      <IconButton label={t('reversalNamed', { value })} onClick={() => void answer(false)}>
        <IconReceiptRefund size={18} stroke={1.75} />
      </IconButton>
    </>
  )
}
