import type { Invoice } from '@balcao/contract/invoices.ts'
import { shownTime } from '../../platform/time.ts'

/** What an invoice is for: its days, which are independent of the viewer's time zone, or a one-off charge. */
export const periodOf = ({
  description,
  startInvoicePeriod,
  endInvoicePeriod,
}: Pick<Invoice, 'description' | 'startInvoicePeriod' | 'endInvoicePeriod'>) =>
  description || `${shownTime(startInvoicePeriod).format('L')} – ${shownTime(endInvoicePeriod).format('L')}`
