import { invoiceChannelOf } from '@balcao/contract/invoices.ts'
import { followList } from '../../platform/lists.ts'

/** First part of the cache keys of invoices. */
export const INVOICES = 'invoices'

/** While the invoices of a plan are shown. */
export const followInvoices = (planId: number) => followList(invoiceChannelOf(planId), [INVOICES])
