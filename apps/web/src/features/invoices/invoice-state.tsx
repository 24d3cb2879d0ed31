import type { Invoice } from '@balcao/contract/invoices.ts'
import { PLATFORM_REASONS } from '@balcao/contract/ledger.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleHalf2,
  IconReceiptRefund,
} from '@tabler/icons-react'
import { Status, type Tone } from '../../ui/status.tsx'
import { useUncharged } from '../autopay/uncharged.ts'
import classes from './invoices.module.css'
import { useInvoiceText } from './invoices.text.ts'

const icons = {
  open: IconAlertTriangle,
  partlyPaid: IconCircleHalf2,
  paid: IconCircleCheck,
  cancelled: IconBan,
  refunded: IconReceiptRefund,
}

/** The state of an invoice in words, and what explains it: the rest, the reason, the provider's refusal. */
export function InvoiceStateBadge({ invoice }: { invoice: Invoice }) {
  const t = useInvoiceText()
  const uncharged = useUncharged()
  const { state, status, paymentProblem } = invoice
  const Icon = icons[state]
  const remark = remarkOn(invoice, t)
  return (
    <div className={classes.state}>
      <Status tone={toneOf(invoice)} icon={<Icon size={13} aria-hidden />}>
        {t(state === 'open' || state === 'paid' ? status : state)}
      </Status>
      {remark && <small>{remark}</small>}
      {sumsOf(invoice, t).map(words => (
        <small key={words}>{words}</small>
      ))}
      {isOpen(invoice) && paymentProblem && <small>{uncharged(paymentProblem)}</small>}
    </div>
  )
}

/** Why an invoice asks for another sum than the price of its period. */
function sumsOf(
  { value, creditedValue, carriedValue, discountValue, lateValue, lateToday }: Invoice,
  t: typeof useInvoiceText.read,
): string[] {
  return [
    ...(creditedValue > 0
      ? [t('reduced', { issued: brl(value + creditedValue), credited: brl(creditedValue) })]
      : []),
    ...(discountValue > 0 ? [t('discounted', { value: brl(discountValue) })] : []),
    ...(lateValue > 0 ? [t('latePaid', { value: brl(lateValue) })] : []),
    ...(lateToday > 0 ? [t('lateToday', { value: brl(lateToday) })] : []),
    ...(carriedValue > 0 ? [t('carriedIn', { carried: brl(carriedValue) })] : []),
  ]
}

/** Something of it is still to be paid. */
export const isOpen = ({ state }: Invoice) => state === 'open' || state === 'partlyPaid'

function toneOf({ state, status }: Invoice): Tone {
  if (state === 'paid') return 'success'
  if (state === 'cancelled' || state === 'refunded') return 'neutral'
  return status === 'OVERDUE' ? 'error' : 'warning'
}

function remarkOn({ state, status, value, paidValue, cancelReason }: Invoice, t: typeof useInvoiceText.read) {
  if (state === 'partlyPaid')
    return t(status === 'OVERDUE' ? 'restOverdue' : 'rest', { rest: brl(value - paidValue) })
  const known = PLATFORM_REASONS.find(reason => reason === cancelReason)
  return known ? t(known) : cancelReason
}
