import type { invoiceChannel } from '@balcao/contract/invoices.ts'
import type { Push } from '@balcao/contract/kit.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import { event } from '../../platform/events.ts'
import type { InvoiceRow } from './invoices.queries.ts'

/** An invoice of this plan was made, paid, became overdue or was deleted. */
export const invoiceChanged = event<{ planId: number; push: Push<typeof invoiceChannel> }>('invoice.changed')

/** An invoice that waits is deleted; within the commit that deletes it. */
export const invoiceLeaving = event<{ invoiceId: number }>('invoice.leaving')

/** An invoice that was paid is owed again, since its payment was given back; within the commit, before it is written. */
export const invoiceReopening = event<{ invoiceId: number; payee: PixPayee | null }>('invoice.reopening')

/** So many cents came for the invoice of an order that had ended; within the commit that records them. */
export const endedOrderPaid = event<{ invoiceId: number; value: number }>('invoice.endedOrderPaid')

/** An invoice was made (`before` is null) or changed; within the commit that writes it down. */
export const invoiceWritten = event<{
  invoice: InvoiceRow
  before: InvoiceRow | null
  now: Date
}>('invoice.written')
