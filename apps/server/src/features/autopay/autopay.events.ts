import type { AutopayKind } from '@balcao/contract/autopay.ts'
import { event } from '../../platform/events.ts'

/** Invoices are paid in another way from now on; within the commit. */
export const autopayChanged = event<{
  /** Their pages take a card only, or do not any more. */
  isCard: boolean
  /** Debits were authorized, with the payment of this invoice. */
  authorizedBy?: number | null
}>('autopay.changed')

/** An invoice could not be paid by itself, or, without one, none will be any more; within the commit. */
export const autopayFailed = event<{
  kind: AutopayKind
  /** Unlike that of any other failure. */
  cause: string
  invoiceId: number | null
  problem: string
}>('autopay.failed')
