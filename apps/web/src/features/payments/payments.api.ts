import { payments } from '@balcao/contract/payments.ts'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'

const PAYMENTS = 'payments'

/** Money that waits for a master or is being given back, the oldest first. */
export const reviewList = pagedList(payments.toReview, 'payments')

const changed = () => askAgain({ queryKey: [PAYMENTS] })

/** Throws ApiError. */
export async function assignPayment(paymentId: number, invoiceId: number): Promise<void> {
  await call(payments.assign, { params: { paymentId }, body: { invoiceId } })
  await changed()
}

/** `companyId`: of a payment that has none yet. Throws ApiError. */
export async function creditPayment(paymentId: number, companyId: number | undefined): Promise<void> {
  await call(payments.credit, { params: { paymentId }, body: companyId === undefined ? {} : { companyId } })
  await changed()
}

/** Throws ApiError. */
export async function refundPayment(paymentId: number, reason: string): Promise<void> {
  await call(payments.refund, { params: { paymentId }, body: { reason } })
  await changed()
}
