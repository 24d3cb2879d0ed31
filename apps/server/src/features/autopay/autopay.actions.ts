import type { AutopayKind, AutopayReason } from '@balcao/contract/autopay.ts'
import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { AuthorizationState, KeptCard } from '../../payments/payments.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import type { Config } from '../../platform/config.ts'
import type { Scopes, Tx } from '../../platform/scope.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import { fromNow } from '../../platform/work/leases.ts'
import { isPayable } from '../invoices/invoices.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import type { InvoiceRow } from '../invoices/invoices.queries.ts'
import { autopayChanged, autopayFailed, type Collecting } from './autopay.events.ts'
import {
  insertWay,
  lapsedPayers,
  lockCurrentWay,
  lockWay,
  updateWay,
  type WayRow,
} from './autopay.queries.ts'

const HOUR_MS = 3_600_000
/** An authorization that is active is asked after once a day: an event may be lost. */
const DAY_MS = 24 * HOUR_MS

/** Invoices are to be paid so from now on; what was chosen before ends. The same once more changes nothing. */
export async function chooseWay(tx: Tx, kind: AutopayKind, provider: CollectorName): Promise<void> {
  await holdSubscription(tx)
  const current = await lockCurrentWay(tx)
  if (current?.kind === kind) return
  if (current) await endWay(tx, current, 'replaced')
  await beginWay(tx, kind, provider)
}

async function beginWay(tx: Tx, kind: AutopayKind, provider: CollectorName | ''): Promise<void> {
  const isCard = kind === 'card'
  // which provider is asked for an authorization is decided then
  await insertWay(tx, { kind, state: isCard ? 'waiting' : 'wanted', provider: isCard ? provider : '' })
  if (isCard) await tx.involve(autopayChanged, { isCard })
}

/** Invoices are paid by their links again. */
export async function endCurrentWay(tx: Tx, reason: AutopayReason): Promise<void> {
  await holdSubscription(tx)
  const current = await lockCurrentWay(tx)
  if (current) await endWay(tx, current, reason)
}

/** The invoice of a code is deleted: another code is asked for, with another invoice. */
export async function dropCode(tx: Tx, invoiceId: number): Promise<void> {
  const way = await lockCurrentWay(tx)
  if (way?.kind !== 'pix' || way.state !== 'waiting' || way.invoiceId !== invoiceId || way.isPaid) return
  await replaceCode(tx, way)
}

/** What the code of a way asks for was paid, changed or deleted: another code is asked for, with what is owed then. */
export async function replaceCode(tx: Tx, way: WayRow): Promise<void> {
  await endWay(tx, way, 'replaced')
  await beginWay(tx, 'pix', '')
}

async function endWay(tx: Tx, way: WayRow, reason: AutopayReason): Promise<void> {
  const isThere = way.kind === 'pix' && way.provider !== ''
  await updateWay(tx, way.id, {
    ...{ state: isThere ? 'ending' : 'ended', reason, token: '', pixCode: '' },
    ...{ dueAt: fromNow(0), attempts: 0 },
  })
  await tx.involve(autopayChanged, { isCard: way.kind === 'card' })
  tx.note('automatic payment ended', { kind: way.kind, reason })
}

/** Ends the ways of companies that are not billed any more. */
export async function endLapsedWays(scopes: Scopes, { tzDefault }: Pick<Config, 'tzDefault'>): Promise<void> {
  const platform = scopes.platform()
  const lapsed = await platform.transaction(sql => lapsedPayers(sql, tzDefault))
  const end = (companyId: number) =>
    platform.inCompany(companyId).transaction(tx => endCurrentWay(tx, 'stopped'))
  await eachByItself(lapsed, end, 'to end automatic payment')
}

/**
 * An invoice was made or changed: a code that asks for another sum than it owes is replaced, one that is wanted is asked for, and an
 * authorization for other periods ends.
 */
export async function adjustWay(tx: Tx, invoice: InvoiceRow, { isNew }: { isNew: boolean }): Promise<void> {
  const way = await lockCurrentWay(tx)
  if (way?.kind !== 'pix') return
  const payable = isPayable(invoice)
  if (way.state === 'wanted' && way.provider === '' && payable)
    await updateWay(tx, way.id, { dueAt: fromNow(0), attempts: 0 })
  const asks = way.state === 'waiting' && way.invoiceId === invoice.id && !way.isPaid
  if (asks && !isAskedRight(invoice, way.value)) await replaceCode(tx, way)
  if (way.state === 'active' && isNew && invoice.isAutomatic && invoice.recurrence !== way.months) {
    await endWay(tx, way, 'frequency')
    await announceEnd(tx, way)
  }
}

/** Whether a code of so many cents pays what is owed of an invoice. */
export const isAskedRight = (invoice: InvoiceRow | null, cents: number | null): boolean =>
  isPayable(invoice) && invoice.value - invoice.paidValue === cents

const announceEnd = (tx: Tx, { kind, id }: WayRow) =>
  tx.involve(autopayFailed, { kind, cause: `ended:${id}`, invoiceId: null, problem: '' })

/** Applies the provider's current state of an authorization; twice or late it changes nothing. */
export async function settleWay(
  tx: Tx,
  id: number,
  state: AuthorizationState,
  collecting: Collecting,
): Promise<void> {
  await holdSubscription(tx)
  const way = await lockWay(tx, id)
  if (!way || way.state === 'ended') return
  const { status } = state
  const isAlive = status === 'waiting' || status === 'active'
  if (way.state === 'ending') return isAlive ? undefined : void (await updateWay(tx, id, { state: 'ended' }))
  if (!isAlive) return endAsReported(tx, way, state)
  if (status === 'waiting' || way.state === 'active')
    return void (await updateWay(tx, id, {
      dueAt: fromNow(status === 'waiting' ? HOUR_MS : DAY_MS),
      attempts: 0,
    }))
  await updateWay(tx, id, { state: 'active', pixCode: '', problem: '', dueAt: fromNow(DAY_MS), attempts: 0 })
  const authorized = { ...collecting, authorizedByInvoice: way.invoiceId }
  await tx.involve(autopayChanged, { isCard: false, authorized })
  tx.note('automatic payment was authorized', { wayId: id })
}

async function endAsReported(tx: Tx, way: WayRow, { status, isByPayer }: AuthorizationState): Promise<void> {
  const cancelled = isByPayer ? 'byPayer' : 'byProvider'
  const reason: AutopayReason = status === 'refused' || status === 'expired' ? status : cancelled
  await updateWay(tx, way.id, { state: 'ended', reason, pixCode: '' })
  await tx.involve(autopayChanged, { isCard: false })
  if (way.state === 'active') await announceEnd(tx, way)
  tx.note('automatic payment ended', { kind: way.kind, reason })
}

/** A card whose token is sealed for its company. */
export type SealedCard = KeptCard & { isSealed: true }

export const sealCard = (
  secrets: Pick<Secrets, 'seal'>,
  companyId: number,
  card: KeptCard | null | undefined,
): SealedCard | null =>
  card ? { ...card, token: secrets.seal(companyId, card.token), isSealed: true } : null

/**
 * A payment by card came in: where the company chose so, the card is kept for its next invoices, in place of an earlier one. True where
 * it is. Without a token the provider keeps none for this account.
 */
export async function keepCard(
  tx: Tx,
  provider: CollectorName | '',
  card: SealedCard | null,
): Promise<boolean> {
  const way = await lockCurrentWay(tx)
  if (way?.kind !== 'card' || way.provider !== provider) return false
  if (!card) {
    if (way.state === 'waiting') await endWay(tx, way, 'notKept')
    return false
  }
  const { token, brand, lastDigits } = card
  await updateWay(tx, way.id, {
    ...{ state: 'active', token, brand, lastDigits },
    ...{ problem: '', problemInvoiceId: null },
  })
  return true
}

/** The payment of a code came in: it is not asked for again. */
export const markCodePaid = (tx: Tx, id: number) => updateWay(tx, id, { isPaid: true })

/**
 * An invoice could not be paid by itself; who pays is written to, once for each cause. False where nothing is paid by itself, so
 * that nothing failed. Locks as `holdSubscription`.
 */
export async function recordFailure(
  tx: Tx,
  { cause, invoiceId, problem }: { cause: string; invoiceId: number; problem: string },
): Promise<boolean> {
  const way = await lockCurrentWay(tx)
  if (way?.state !== 'active') return false
  await updateWay(tx, way.id, { problem, problemInvoiceId: invoiceId })
  await tx.involve(autopayFailed, { kind: way.kind, cause, invoiceId, problem })
  return true
}
