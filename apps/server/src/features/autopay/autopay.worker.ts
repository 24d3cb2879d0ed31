import { cut } from '@balcao/contract/cut.rules.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import {
  type AuthorizationState,
  type AutopayService,
  dayInBrazil,
  type PaymentProvider,
  ProviderRefused,
  type WantedAuthorization,
} from '../../payments/payments.ts'
import { databaseDate } from '../../platform/clock.ts'
import type { PlatformScope, Scope, Tx } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { fromNow, RowLeaseLost } from '../../platform/work/leases.ts'
import { patience, pauseAfter } from '../../platform/work/retries.ts'
import { type Collectors, type CollectorTools, openCollectors } from '../collectors/collectors.client.ts'
import { customerAtProvider } from '../companies/companies.payer.queries.ts'
import { isPayable, payeeOf } from '../invoices/invoices.actions.ts'
import { holdingSubscription } from '../invoices/invoices.hold.actions.ts'
import { invoiceOrNull } from '../invoices/invoices.queries.ts'
import { isAskedRight, replaceCode, settleWay } from './autopay.actions.ts'
import { autopayChanged, type Collecting } from './autopay.events.ts'
import {
  authorizingInvoice,
  beginAgain,
  type ClaimedWay,
  claimWay,
  endLeavingWays,
  keepWay,
  lockWay,
  putOffWay,
  updateWay,
  wayNamed,
  waysDue,
} from './autopay.queries.ts'
import { contractOf } from './autopay.rules.ts'

const AT_ONCE = 10
/** The lease (ms) of an authorization under way. */
const LEASE_MS = 120_000
/** Without an invoice that can be paid by a code it waits for one, which wakes it. */
const NO_INVOICE_MS = 24 * 3_600_000

type RunTools = Pick<DueTools, 'scopes' | 'memory' | 'config' | 'outbound' | 'secrets' | 'log' | 'stopping'>

/** Asks for authorizations that are wanted, asks after the others, and ends what is to end. True when more may wait. */
export async function runWays(tools: RunTools): Promise<boolean> {
  const collectors = await openCollectors(tools)
  if (collectors.all.length === 0) return false
  await tools.scopes.platform().transaction(endLeavingWays)
  const { installation } = tools.secrets
  const collecting = await collectingNow(tools, collectors)
  return workOff(tools, {
    name: 'autopay',
    atOnce: AT_ONCE,
    find: waysDue,
    run: (scope, { id }) => runWay({ scope, collectors, collecting, installation, log: tools.log }, id),
  })
}

const collectingNow = async (
  tools: Pick<RunTools, 'scopes' | 'config'>,
  { current }: Collectors,
): Promise<Collecting> => ({ collector: current?.name ?? null, payee: await payeeOf(tools) })

interface Running {
  scope: Scope
  collectors: Collectors
  collecting: Collecting
  installation: string
  log: DueTools['log']
}

async function runWay(running: Running, id: number): Promise<void> {
  const way = await running.scope.transaction(tx => claimWay(tx, id, LEASE_MS))
  if (!way) return // another worker was faster
  try {
    if (way.state === 'wanted') await request(running, way)
    else if (way.state === 'ending') await revoke(running, way)
    else await ask(running, way)
  } catch (error) {
    if (error instanceof RowLeaseLost) return
    if (!(error instanceof ProviderRefused)) throw error
    const { companyId } = running.scope
    running.log.warn(
      { companyId, wayId: id, reason: error.reason, problem: error.message },
      'an authorization has to wait',
    )
    await putOff(running, way, error)
  }
}

/** What is asked for is committed before the call, so that after a lost answer the same is asked for again. */
async function request(running: Running, way: ClaimedWay): Promise<void> {
  const provider = providerOf(running, way)
  const { autopay, name } = provider
  const wanted = await holdingSubscription(running.scope, async tx => {
    const asked = await wantedFor(tx, running, way, provider)
    if (asked)
      await updateWay(tx, way.id, {
        provider: name,
        invoiceId: asked.invoiceId,
        value: asked.cents,
        months: asked.months,
      })
    return asked
  })
  if (!wanted) return way.value === null ? waitForInvoice(running, way) : forget(running, way, autopay)
  const leave = async () => {
    way.until = await running.scope.transaction(tx => keepWay(tx, way.id, way.until, LEASE_MS))
  }
  const state = await autopay.authorize(wanted, leave)
  await holdingSubscription(running.scope, async tx => {
    const { authorizationId, pixCode, qrId } = state
    const current = await lockWay(tx, way.id)
    const isWanted = current?.state === 'wanted'
    await updateWay(tx, way.id, {
      ...{ authorizationId, qrId },
      ...(isWanted && { state: 'waiting', pixCode }),
    })
    await settleWay(tx, way.id, state, running.collecting)
    // it was ended meanwhile
    if (!isWanted && current) await updateWay(tx, way.id, { state: 'ending', dueAt: fromNow(0), attempts: 0 })
    else await replaceWrongCode(tx, way.id, wanted)
  })
}

/** The invoice of a code was paid, changed or deleted while the code was made. */
async function replaceWrongCode(tx: Tx, id: number, { invoiceId, cents }: Wanted): Promise<void> {
  const way = await lockWay(tx, id)
  if (way?.state === 'waiting' && !isAskedRight(await invoiceOrNull(tx, invoiceId), cents))
    await replaceCode(tx, way)
}

type Wanted = WantedAuthorization & { invoiceId: number }

/** Null where there is nothing to pay by a code, or something else than was asked for before. */
async function wantedFor(
  tx: Tx,
  { installation }: Running,
  { reference, value, invoiceId }: ClaimedWay,
  { leastCents }: PaymentProvider,
): Promise<Wanted | null> {
  const invoice =
    invoiceId === null ? await authorizingInvoice(tx, leastCents) : await invoiceOrNull(tx, invoiceId)
  if (!isPayable(invoice)) return null
  const cents = invoice.value - invoice.paidValue
  if (value !== null && value !== cents) return null
  const today = dayInBrazil(databaseDate())
  const isOver = invoice.dueDate < today
  return {
    ...{ reference: contractOf(reference), cents, months: invoice.recurrence, invoiceId: invoice.id },
    customer: await customerAtProvider(tx, installation),
    from: daysFrom(isOver ? today : invoice.dueDate, 1),
    description: `Fatura ${invoice.id}`,
  }
}

const waitForInvoice = async ({ scope }: Running, { id, until }: ClaimedWay) =>
  void (await scope.transaction(tx =>
    putOffWay(tx, id, until, { dueAt: fromNow(NO_INVOICE_MS), attempts: 0 }),
  ))

/** What was asked for is not owed any more: what may have been made of it is ended, and something else is asked for. */
async function forget(running: Running, way: ClaimedWay, autopay: AutopayService): Promise<void> {
  await revokeMade(running, way, autopay)
  await running.scope.transaction(tx => beginAgain(tx, way.id, way.until))
}

async function revokeMade(running: Running, way: ClaimedWay, autopay: AutopayService): Promise<void> {
  const made = way.authorizationId || (await madeFor(running, way, autopay))
  if (made) await autopay.revoke(made)
}

/** The answer that named it may be lost. */
async function madeFor({ scope, installation }: Running, { reference }: ClaimedWay, autopay: AutopayService) {
  const customer = await scope.transaction(tx => customerAtProvider(tx, installation))
  return autopay.authorizationOf({ reference: contractOf(reference), customer })
}

async function ask(running: Running, way: ClaimedWay): Promise<void> {
  const state = await providerOf(running, way).autopay.find(way.authorizationId)
  await running.scope.transaction(tx => settleWay(tx, way.id, state, running.collecting))
}

async function revoke(running: Running, way: ClaimedWay): Promise<void> {
  await revokeMade(running, way, providerOf(running, way).autopay)
  await running.scope.transaction(tx => updateWay(tx, way.id, { state: 'ended' }))
}

function providerOf({ collectors }: Running, way: ClaimedWay): PaymentProvider & { autopay: AutopayService } {
  const provider = way.provider === '' ? collectors.current : collectors.of(way.provider)
  if (!provider?.autopay)
    throw new ProviderRefused('key', 'no payment provider with automatic payment is set up')
  return { ...provider, autopay: provider.autopay }
}

/** A final refusal ends what was wanted; what is to end is asked for until the provider has ended it, or does not know it. */
const putOff = (running: Running, way: ClaimedWay, refused: ProviderRefused) =>
  holdingSubscription(running.scope, async tx => {
    const current = await lockWay(tx, way.id)
    if (current?.state === 'wanted' && refused.isForEver) {
      const problem = cut(refused.message, 300)
      await updateWay(tx, way.id, { state: 'ended', reason: 'refused', problem })
      return tx.involve(autopayChanged, { isCard: false })
    }
    const pause = pauseAfter(patience.charge, 'network', { attempts: way.attempts, counted: 0 })!
    await putOffWay(tx, way.id, way.until, { dueAt: fromNow(pause) })
  })

/**
 * The provider reported that an authorization changed: its state is queried, since events come in any order. One that cannot be read now
 * or later holds up no event of payments: what is asked for every hour or day says the same.
 */
export async function receiveAuthorization(
  platform: PlatformScope,
  tools: CollectorTools & Pick<DueTools, 'log'>,
  { provider, authorizationId }: { provider: string; authorizationId: string },
): Promise<void> {
  const known = await platform.transaction(sql => wayNamed(sql, provider, authorizationId))
  if (!known) return
  const collectors = await openCollectors(tools)
  const autopay = collectors.of(provider)?.autopay
  if (!autopay) return
  const state = await autopay.find(authorizationId).catch((error): AuthorizationState | null => {
    if (!(error instanceof ProviderRefused && error.isUnreadable)) throw error
    tools.log.warn(
      { authorizationId, problem: error.message },
      'the state of an authorization cannot be read',
    )
    return null
  })
  if (!state) return
  const collecting = await collectingNow(tools, collectors)
  await platform.inCompany(known.companyId).transaction(tx => settleWay(tx, known.id, state, collecting))
}
