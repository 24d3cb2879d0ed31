import { invoiceChannelOf } from '@balcao/contract/invoices.ts'
import { followList } from '../../platform/lists.ts'

/** What the cached invoices begin with. */
export const INVOICES = 'invoices'

/** While somebody looks at the invoices of a plan. */
export const followInvoices = (planId: number) => followList(invoiceChannelOf(planId), [INVOICES])
