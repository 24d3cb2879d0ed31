import type { Invoice } from '@balcao/contract/invoices.ts'
import { shownTime } from '../../platform/time.ts'

/** Calendar days are independent of the viewer's time zone. */
export const periodOf = ({
  startInvoicePeriod,
  endInvoicePeriod,
}: Pick<Invoice, 'startInvoicePeriod' | 'endInvoicePeriod'>) =>
  `${shownTime(startInvoicePeriod).format('L')} – ${shownTime(endInvoicePeriod).format('L')}`
