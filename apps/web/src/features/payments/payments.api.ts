import { payments } from '@balcao/contract/payments.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'

const PAYMENTS = 'payments'
const NEWS = 'providerNews'

/** Money that waits for a master or is being given back, the oldest first. */
export const reviewList = pagedList(payments.toReview, 'payments')

/** So many payments wait for a master, of the first page; asked again each minute. */
export const reviewCount = queryOptions({
  queryKey: [PAYMENTS, 'count'],
  queryFn: async () => (await call(payments.toReview)).payments.filter(one => one.review !== null).length,
  refetchInterval: 60_000,
})

/** The credit of a company, the oldest first. */
export const creditList = (companyId: number) =>
  pagedList(payments.credits, 'payments', { companyId }, PAYMENTS)

/** What providers reported and no master has read, the newest first. */
export const newsList = pagedList(payments.news, 'news', undefined, NEWS)

const changed = () => askAgain({ queryKey: [PAYMENTS] })

/** Throws ApiError. */
export async function undoPayment(paymentId: number): Promise<void> {
  await call(payments.undo, { params: { paymentId } })
  await changed()
}

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

/** Whether what the provider gave back was a gift. Throws ApiError. */
export async function answerReturned(
  paymentId: number,
  body: { isGift: boolean; requestId: string },
): Promise<void> {
  await call(payments.answer, { params: { paymentId }, body })
  await changed()
}

/** Pays an invoice with all the free credit of a company. Throws ApiError. */
export async function applyCredit(
  companyId: number,
  body: { invoiceId: number; requestId: string },
): Promise<void> {
  await call(payments.applyCredit, { params: { companyId }, body })
  await changed()
}

/** Throws ApiError. */
export async function refundPayment(
  paymentId: number,
  body: { reason: string; requestId: string },
): Promise<void> {
  await call(payments.refund, { params: { paymentId }, body })
  await changed()
}

/** Throws ApiError. */
export async function readNews(newsId: number): Promise<void> {
  await call(payments.readNews, { params: { newsId } })
  await askAgain({ queryKey: [NEWS] })
}
