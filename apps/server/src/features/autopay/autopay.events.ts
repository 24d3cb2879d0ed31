import type { AutopayKind } from '@balcao/contract/autopay.ts'
import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import { event } from '../../platform/events.ts'

/** Who gets what is paid from now on. */
export interface Collecting {
  /** The provider that collects new charges; null for none. */
  collector: CollectorName | null
  /** Null where the operator has no account of his own, or a provider collects. */
  payee: PixPayee | null
}

/** Invoices are paid in another way from now on; within the commit. */
export const autopayChanged = event<{
  /** Their pages take a card only, or do not any more. */
  isCard: boolean
  /** Debits were authorized, with the payment of an invoice. */
  authorized?: Collecting & { authorizedByInvoice: number | null }
}>('autopay.changed')

/** An invoice could not be paid by itself, or, without one, none will be any more; within the commit. */
export const autopayFailed = event<{
  kind: AutopayKind
  /** Unlike that of any other failure. */
  cause: string
  invoiceId: number | null
  problem: string
}>('autopay.failed')
