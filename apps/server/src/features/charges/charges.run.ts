import { isPaid } from '@balcao/contract/invoices.rules.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { openAsaas } from '../../payments/asaas.ts'
import { type Charge, type PaymentProvider, ProviderRefused } from '../../payments/payments.ts'
import type { DueTools } from '../../platform/due.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { eq } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { markInvoice, payeeOf } from '../invoices/invoices.actions.ts'
import { type InvoiceRow, invoiceOrNull } from '../invoices/invoices.queries.ts'
import { type ChargeRow, chargesDue, giveUpLeaving, lockCharge, updateCharge } from './charges.queries.ts'
import { settleCharge } from './charges.settle.ts'

/** So many are looked at before it is looked again. */
const AT_ONCE = 20
/** Nobody else takes up what is under way; whoever died is followed after so long. */
const LEASE_MS = 120_000
/** What could not be done is tried again after a minute, then twice as long, and so on up to this. */
const FIRST_MS = 60_000
const LONGEST_MS = 6 * 3_600_000
/** So often an open charge is asked for: an event may have got lost. */
const ASKED_MS = 6 * 3_600_000

type RunTools = Pick<DueTools, 'scopes' | 'config' | 'outbound' | 'secrets' | 'log' | 'stopping'>

interface Running {
  scope: Scope
  provider: PaymentProvider
  payee: PixPayee | null
  installation: string
  now: Date
}

/** What is to be charged is, what nobody wants any more is cancelled, and what is open is asked for. True when more may wait. */
export async function runCharges(tools: RunTools, now = new Date()): Promise<boolean> {
  const { scopes, config, outbound, secrets, log, stopping } = tools
  const provider = openAsaas(config, outbound)
  if (!provider.isSetUp) return false
  const platform = scopes.platform()
  const due = await platform.transaction(async sql => {
    await giveUpLeaving(sql, now)
    return chargesDue(sql, now, AT_ONCE)
  })
  for (const { companyId, invoiceId } of due) {
    if (stopping()) return false
    const scope = platform.inCompany(companyId)
    const running = { scope, provider, payee: payeeOf(config), installation: secrets.installation, now }
    await runCharge(running, invoiceId).catch(error => {
      if (!(error instanceof ProviderRefused)) throw error
      log.warn({ companyId, invoiceId, reason: error.reason, said: error.message }, 'a charge has to wait')
      return putOff(running, invoiceId, error)
    })
  }
  return due.length === AT_ONCE
}

async function runCharge(running: Running, invoiceId: number): Promise<void> {
  const charge = await running.scope.transaction(tx => claim(tx, invoiceId, running.now))
  if (charge?.state === 'wanted') await make(running, charge)
  if (charge?.state === 'unwanted') await cancel(running, charge)
  if (charge?.state === 'open') await ask(running, charge)
}

/** Null when another worker was faster. */
async function claim(tx: Tx, invoiceId: number, now: Date): Promise<ChargeRow | null> {
  const charge = await lockCharge(tx, invoiceId)
  if (!charge || Date.parse(charge.dueAt) > now.getTime()) return null
  const dueAt = new Date(now.getTime() + LEASE_MS).toISOString()
  await updateCharge(tx, invoiceId, { dueAt, attempts: charge.attempts + 1 })
  return charge
}

/** The answer is kept before anybody can pay; who paid otherwise meanwhile is not asked for it any more. */
async function make(
  { scope, provider, payee, installation, now }: Running,
  charge: ChargeRow,
): Promise<void> {
  const { invoiceId } = charge
  const wanted = await scope.transaction(tx => chargeOf(tx, charge, installation))
  if (!wanted) return void (await scope.transaction(tx => updateCharge(tx, invoiceId, { state: 'over' })))
  const { chargeId, paymentLink } = await provider.createCharge(wanted)
  await scope.transaction(async tx => {
    const invoice = await invoiceOrNull(tx, invoiceId)
    const isOpen = (await lockCharge(tx, invoiceId))?.state === 'wanted' && invoice && !isPaid(invoice)
    const state = isOpen ? 'open' : 'unwanted'
    const dueAt = new Date(now.getTime() + (isOpen ? ASKED_MS : 0)).toISOString()
    await updateCharge(tx, invoiceId, { chargeId, state, dueAt, attempts: 0 })
    if (isOpen) await markInvoice(tx, payee, invoiceId, { paymentLink, paymentProblem: '' })
  })
}

/** What the provider is told; null where there is nothing to pay any more. */
async function chargeOf(
  tx: Tx,
  { invoiceId, reference }: ChargeRow,
  installation: string,
): Promise<Charge | null> {
  const invoice = await invoiceOrNull(tx, invoiceId)
  if (!invoice || isPaid(invoice)) return null
  const [company] = await tx.sql
    .select({ name: companies.name, document: companies.documentNumber, email: companies.email })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return {
    reference,
    customer: { reference: `${installation}:${tx.companyId}`, ...company! },
    cents: invoice.value,
    billingType: invoice.billingType,
    dueDate: payableDay(invoice),
    description: `${brl(invoice.value)}: ${invoice.startInvoicePeriod} a ${invoice.endInvoicePeriod}`,
  }
}

/** No provider takes a day that is over where it is (UTC−3). */
function payableDay({ dueDate }: InvoiceRow): string {
  const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10)
  return dueDate < today ? today : dueDate
}

async function cancel(
  { scope, provider, payee }: Running,
  { invoiceId, chargeId }: ChargeRow,
): Promise<void> {
  if (chargeId !== null) await provider.cancelCharge(chargeId)
  await scope.transaction(async tx => {
    const invoice = await invoiceOrNull(tx, invoiceId)
    // taken back meanwhile: it is made anew
    if ((await lockCharge(tx, invoiceId))?.state !== 'unwanted') return
    await updateCharge(tx, invoiceId, { state: 'over' })
    if (invoice) await markInvoice(tx, payee, invoiceId, { paymentLink: '' })
  })
}

async function ask(
  { scope, provider, payee, now }: Running,
  { invoiceId, chargeId }: ChargeRow,
): Promise<void> {
  const stands = await provider.find(chargeId!)
  await scope.transaction(async tx => {
    await settleCharge(tx, payee, invoiceId, stands)
    await updateCharge(tx, invoiceId, {
      dueAt: new Date(now.getTime() + ASKED_MS).toISOString(),
      attempts: 0,
    })
  })
}

/** What can never be charged so is said at the invoice, and tried again seldom: a document may be corrected. */
const putOff = ({ scope, payee, now }: Running, invoiceId: number, refused: ProviderRefused) =>
  scope.transaction(async tx => {
    const invoice = await invoiceOrNull(tx, invoiceId)
    const charge = await lockCharge(tx, invoiceId)
    if (!charge) return
    if (charge.state === 'unwanted' && refused.isForEver)
      return void (await updateCharge(tx, invoiceId, { state: 'over' }))
    const pause = refused.isForEver ? LONGEST_MS : Math.min(FIRST_MS * 2 ** (charge.attempts - 1), LONGEST_MS)
    await updateCharge(tx, invoiceId, { dueAt: new Date(now.getTime() + pause).toISOString() })
    if (invoice && charge.state === 'wanted' && refused.isForEver)
      await markInvoice(tx, payee, invoiceId, { paymentProblem: refused.message.slice(0, 300) })
  })
