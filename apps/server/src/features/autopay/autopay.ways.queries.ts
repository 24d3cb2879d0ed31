import type { CollectorName } from '@balcao/contract/collectors.ts'
import { and, eq, inArray } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { InvoiceRow } from '../invoices/invoices.queries.ts'
import { debitWindow } from './autopay.rules.ts'
import { autopayWays } from './autopay.table.ts'

/** How the charge of an invoice is paid by itself, at the provider that has the authorization or the card. */
export interface InvoiceWay {
  provider: CollectorName | ''
  billingType: 'PIX' | 'CREDIT_CARD'
  /** Empty for a card. */
  authorizationId: string
  /** Whether a card is kept already, which is charged on the due date. */
  hasCard: boolean
  /** The first day on which it can be charged so; null: today. */
  notBefore: string | null
}

/** Null where the invoice is paid by its page alone. */
export async function wayFor(
  tx: Tx,
  { dueDate, recurrence }: InvoiceRow,
  today: string,
): Promise<InvoiceWay | null> {
  const [way] = await tx.sql
    .select()
    .from(autopayWays)
    .where(and(eq(autopayWays.companyId, tx.companyId), inArray(autopayWays.state, ['waiting', 'active'])))
  if (!way) return null
  const { provider, authorizationId } = way
  if (way.kind === 'card') {
    const hasCard = way.state === 'active'
    return { provider, billingType: 'CREDIT_CARD', authorizationId: '', hasCard, notBefore: null }
  }
  const window = debitWindow(today, dueDate)
  if (way.state !== 'active' || way.months !== recurrence || window.is === 'late') return null
  const notBefore = window.is === 'early' ? window.from : null
  return { provider, billingType: 'PIX', authorizationId, hasCard: false, notBefore }
}

/** The token of the card that is kept, sealed; null where none is, or at another provider. */
export async function keptToken(tx: Tx, provider: CollectorName | ''): Promise<string | null> {
  const [way] = await tx.sql
    .select({ token: autopayWays.token })
    .from(autopayWays)
    .where(
      and(
        ...[eq(autopayWays.companyId, tx.companyId), eq(autopayWays.kind, 'card')],
        ...[eq(autopayWays.state, 'active'), eq(autopayWays.provider, provider)],
      ),
    )
  return way?.token || null
}
