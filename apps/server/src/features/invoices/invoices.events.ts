import type { invoiceChannel } from '@balcao/contract/invoices.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

/** An invoice of this plan was made, paid, became overdue or was deleted. */
export const invoiceChanged = event<{ planId: number; told: Push<typeof invoiceChannel> }>('invoice.changed')
