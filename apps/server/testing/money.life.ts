import { randomUUID } from 'node:crypto'
import { clients } from '@balcao/contract/clients.ts'
import { UNPAID_PERIODS } from '@balcao/contract/companies.ts'
import { daysFrom, type RecurrenceMonths } from '@balcao/contract/invoices.rules.ts'
import { defaultFlags, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { plans } from '@balcao/contract/plans.ts'
import { changeCompanyPlan, keepPlan, quotePlan } from '../src/features/billing/billing.change.actions.ts'
import { prolongTrial } from '../src/features/billing/billing.trial.actions.ts'
import { settleCharge } from '../src/features/charges/charges.actions.ts'
import { cancelInvoice, payInvoice, removeInvoice } from '../src/features/invoices/invoices.actions.ts'
import { billCompany, takeUpUnpaid } from '../src/features/invoices/invoices.billing.actions.ts'
import { holdSubscription } from '../src/features/invoices/invoices.hold.actions.ts'
import { billedCompanies } from '../src/features/invoices/invoices.queries.ts'
import {
  assignPayment,
  creditPayment,
  refundInvoice,
  refundPayment,
} from '../src/features/payments/payments.actions.ts'
import { applyChange } from '../src/features/plans/plans.actions.ts'
import { chargeOnce, giveDiscount } from '../src/features/pricing/pricing.actions.ts'
import { endPause, insertPause, listPauses } from '../src/features/subscriptions/subscriptions.queries.ts'
import type { ChargeState } from '../src/payments/payments.ts'
import { Refusal } from '../src/platform/errors.ts'
import { rowsFrom, sql as tag } from '../src/platform/postgres/sql.ts'
import type { PlatformScope } from '../src/platform/scope.ts'
import { Died, platformDyingAt } from './ledger.ts'
import type { Deed, MoneyStep } from './money.steps.ts'
import { unique } from './rows.ts'
import type { Person, TestApp } from './test-app.ts'

/** The prices of the plans that a company chooses among: cents a period, and its months. */
const OFFERED = [
  { cents: 9_990, months: 1, recurrence: 'month1' },
  { cents: 29_970, months: 1, recurrence: 'month1' },
  { cents: 300_000, months: 12, recurrence: 'months12' },
  { cents: 45_000, months: 3, recurrence: 'months3' },
] as const

export interface Price {
  from: string
  cents: number
  months: RecurrenceMonths
}

interface Collected {
  value: number
  back: number
}

/** What a company did, in the words of who stands outside: the ledger of the product is compared with it. */
export interface Life {
  companyId: number
  planId: number
  today: string
  /** Cents that came in by hand, by the payment. */
  /** What came of each charge, and was given back. */
  collected: Map<string, Collected>
  /** Cents that people handed over, and that were given back of them. */
  handed: number
  handedBack: number
  /** Cents of invoices that were given back as a gift. */
  given: Map<number, number>
  prices: Price[]
  waiting: Price | null
  /** Days on which nothing is billed. */
  unbilled: Set<string>
  isOff: boolean
  /** Periods that may pass unpaid beyond those that the operator lets pass. */
  leave: number
  steps: number
  refused: number
}

export interface MoneyScene {
  app: TestApp
  master: Person
  viewer: Viewer
  offered: number[]
}

export const GRACE_DAYS = 5
const FROM = '2031-01-31'

export async function setMoneyScene(app: TestApp): Promise<MoneyScene> {
  const master = await app.as('master@balcao.test')
  await app.database.script(
    `insert into settings (key, value) values ('graceDays', '${GRACE_DAYS}') on conflict (key) do update set value = excluded.value`,
  )
  const { id, name, queues } = master.user
  const viewer: Viewer = {
    ...{ id, name, companyId: master.user.companyId, profile: 'admin', master: 1, payPanelAccess: true },
    ...{ queueIds: queues.map(queue => queue.id), signMessage: false, authorization: defaultFlags },
  }
  const plan = async (values: object) =>
    (await master.get(plans.create, { body: { name: `Plano ${unique()}`, ...values } })).id
  const offered = [
    await plan({ value1Month: 9_990 }),
    await plan({ value1Month: 29_970 }),
    await plan({ value1Month: 30_000, value12Months: 25_000 }),
    await plan({ value1Month: 16_000, value3Months: 15_000 }),
  ]
  return { app, master, viewer, offered }
}

export async function beginLife({ master, offered }: MoneyScene): Promise<Life> {
  const email = `${unique()}@cliente.test`
  const body = { name: 'Cliente', email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  const own = await master.get(plans.assign, { params: { companyId, planId: offered[0]! } })
  return {
    ...{
      companyId,
      planId: own.id,
      today: FROM,
      collected: new Map(),
      given: new Map(),
      handed: 0,
      handedBack: 0,
    },
    prices: [{ from: '2000-01-01', cents: 9_990, months: 1 }],
    ...{ waiting: null, unbilled: new Set(), isOff: false, leave: 0, steps: 0, refused: 0 },
  }
}

/** Does what is due by the day, as the hourly jobs, and as the worker that charges nothing below the least. */
export async function runChores({ app }: MoneyScene, { companyId, today }: Life): Promise<void> {
  const platform = app.platform.scopes.platform()
  await app.database.script(`update invoices set payment_problem = 'belowLeast' where company_id = ${companyId}
    and status in ('PENDING', 'OVERDUE') and value - paid_value between 1 and ${LEAST_CENTS - 1}`)
  const now = momentOf(today)
  await billCompany(platform.inCompany(companyId), { payee: null, now })
  await applyChange(platform, companyId, now)
  const due = await platform.transaction(sql => billedCompanies(sql, now, 'America/Sao_Paulo'))
  if (due.includes(companyId)) await billCompany(platform.inCompany(companyId), { payee: null, now })
}

/** Less is charged by no provider. */
const LEAST_CENTS = 500

const momentOf = (day: string) => new Date(`${day}T15:00:00Z`)

/** One step of a life. What is refused changes nothing. */
export async function live(
  scene: MoneyScene,
  life: Life,
  { dies, twice, ...step }: MoneyStep,
): Promise<void> {
  life.steps++
  const platform = scene.app.platform.scopes.platform()
  const act = DEEDS[step.do] as (of: Doing) => Promise<void>
  const doing = (scope: PlatformScope): Doing => ({ scene, life, step, platform: scope, id: '' })
  const id = randomUUID()
  const attempt = (scope: PlatformScope) =>
    act({ ...doing(scope), id }).catch(error => {
      if (!(error instanceof Refusal)) throw error
      life.refused++
    })
  const isRepeated = twice && ['hand', 'collect', 'return', 'cancel', 'giveBack'].includes(step.do)
  if (dies !== undefined && step.do !== 'change' && step.do !== 'pass')
    await attempt(platformDyingAt(platform, dies)).catch(error => {
      if (!isDeath(error)) throw error
    })
  if (isRepeated && twice === 'tabs') await Promise.all([attempt(platform), attempt(platform)])
  else await attempt(platform)
  if (isRepeated && twice === 'after') await attempt(platform)
}

const isDeath = (error: unknown) =>
  error instanceof Died || (error instanceof Error && error.cause instanceof Died)

interface Doing {
  scene: MoneyScene
  life: Life
  step: Deed
  platform: PlatformScope
  /** The same for one action that is done twice. */
  id: string
}

type Of<Name extends Deed['do']> = Doing & { step: Extract<Deed, { do: Name }> }

const DEEDS: { [Name in Deed['do']]: (of: Of<Name>) => Promise<void> } = {
  async chargeOnce({ life, step, platform }) {
    const charge = { description: 'Horas', valueBrl: brl(step.cents), dueDate: life.today }
    await inCompany(platform, life, tx => chargeOnce(tx, writing(life), charge))
  },
  async reduce({ life, step: { percent, periods }, platform }) {
    const discount = { percent, periods, valueBrl: null, reason: 'Fidelidade' }
    await inCompany(platform, life, tx => giveDiscount(tx, discount, 'Operador'))
  },
  async pass({ scene, life, step }) {
    const until = daysFrom(life.today, step.days)
    // a plan changes on its day; else hours without a run are caught up with
    while (life.today < until) {
      const stop =
        life.waiting && life.waiting.from > life.today && life.waiting.from < until
          ? life.waiting.from
          : until
      await rest(scene, life, stop)
      await runChores(scene, life)
      if (life.waiting && life.waiting.from <= life.today) {
        life.prices.push(life.waiting)
        life.waiting = null
      }
    }
  },
  async change({ scene, life, step, platform }) {
    const { cents, months, recurrence } = OFFERED[step.to]!
    const asked = { companyId: life.companyId, planId: scene.offered[step.to]!, recurrence, when: step.when }
    const now = momentOf(life.today)
    const quote = await quotePlan(platform, scene.viewer, asked, now)
    await changeCompanyPlan(
      platform,
      { viewer: scene.viewer, writing: { payee: null, now } },
      { ...asked, due: quote.due },
    )
    const [waits] = await read<{ from: string }>(
      platform,
      tag`select to_char(from_day, 'YYYY-MM-DD') as from from plan_changes where company_id = ${life.companyId}`,
    )
    life.leave++
    const price = { from: waits?.from ?? life.today, cents, months }
    if (price.from <= life.today) life.prices.push(price)
    life.waiting = price.from > life.today ? price : null
  },
  async keep({ life, platform }) {
    await inCompany(platform, life, tx => keepPlan(tx, writing(life)))
    await billCompany(platform.inCompany(life.companyId), writing(life))
    life.waiting = null
  },
  async hand({ life, step, platform, id }) {
    const invoice = await invoiceAt(platform, life, step.at)
    if (!invoice) return
    const { paid, value } = invoice
    const known = MADE.get(life) ?? new Set<string>()
    MADE.set(life, known)
    const seen = SEEN.get(id) ?? paid
    SEEN.set(id, seen)
    await payInvoice(platform, writing(life), {
      ...{
        invoiceId: invoice.id,
        payDate: life.today,
        status: 'RECEIVED',
        transactionReceiptUrl: '',
        by: 'Operador',
      },
      ...(step.part !== null && { valueBrl: brl(step.part) }),
      paidValue: seen,
    })
    // one that is entered once more is not handed over once more
    const same = `${invoice.id} ${step.part ?? value - paid} ${life.today}`
    if (known.has(id) || (value === paid && known.has(same))) return
    known.add(id).add(same)
    if (step.part !== null) life.handed += step.part
    else if (!invoice.isCancelled) life.handed += value - paid
  },
  async undo({ life, step, platform }) {
    const invoice = await invoiceAt(platform, life, step.at)
    if (!invoice) return
    for (const same of MADE.get(life) ?? [])
      if (same.startsWith(`${invoice.id} `)) MADE.get(life)!.delete(same)
    await payInvoice(platform, writing(life), {
      ...{
        invoiceId: invoice.id,
        payDate: null,
        status: 'RECEIVED',
        transactionReceiptUrl: '',
        by: 'Operador',
      },
    })
    const [left] = await read<{ handed: number }>(
      platform,
      tag`select coalesce(sum(value), 0)::int as handed from payments
        where company_id = ${life.companyId} and source = 'manual' and voided_at is null`,
    )
    life.handed = left!.handed
  },
  async cancel({ life, step, platform }) {
    const invoice = await invoiceAt(platform, life, step.at)
    if (!invoice) return
    const { id: invoiceId } = invoice
    await cancelInvoice(platform, writing(life), { invoiceId, reason: 'Cortesia', by: 'Operador' })
  },
  async remove({ life, step, platform }) {
    const invoice = await invoiceAt(platform, life, step.at)
    if (!invoice) return
    await removeInvoice(platform, writing(life), invoice.id)
    // by a master: its period stays billed
    for (let day = invoice.first; day <= invoice.last; day = daysFrom(day, 1)) life.unbilled.add(day)
  },
  async collect({ life, step, platform }) {
    const invoice = await invoiceAt(platform, life, step.at)
    const charge = invoice && (await openCharge(platform, life, invoice.id))
    if (!charge) return
    const status = step.isPromised ? ('CONFIRMED' as const) : ('RECEIVED' as const)
    if (!life.collected.has(charge.chargeId))
      life.collected.set(charge.chargeId, { value: charge.value, back: 0 })
    await report(platform, life, charge, { status, refundedValue: life.collected.get(charge.chargeId)!.back })
  },
  async again({ life, step, platform }) {
    const charge = await collectedAt(platform, life, step.at)
    if (charge) await report(platform, life, charge, { status: 'CONFIRMED', refundedValue: 0 })
  },
  async return({ life, step, platform }) {
    const charge = await collectedAt(platform, life, step.at)
    if (!charge) return
    const known = life.collected.get(charge.chargeId)!
    const back = Math.min(step.cents ?? charge.value, charge.value)
    known.back = Math.max(known.back, back)
    const status = back === charge.value ? ('REFUNDED' as const) : ('RECEIVED' as const)
    await report(platform, life, charge, { status, refundedValue: back })
  },
  async gone({ life, step, platform }) {
    const invoice = await invoiceAt(platform, life, step.at)
    const charge = invoice && (await openCharge(platform, life, invoice.id))
    if (charge && !life.collected.has(charge.chargeId))
      await report(platform, life, charge, { status: 'GONE', refundedValue: null })
  },
  async free({ life, step, platform }) {
    const [payment] = await read<{ id: number; providerId: string; free: number }>(
      platform,
      tag`select p.id, p.provider_id as "providerId", ${FREE} as free from payments p
        where p.company_id = ${life.companyId} and p.voided_at is null and ${FREE} > 0
        order by p.id desc offset ${step.at} limit 1`,
    )
    if (!payment) return
    const paymentId = payment.id
    if (step.how === 'credit') return creditPayment(platform, writing(life), { paymentId })
    if (step.how === 'refund') {
      await refundPayment(platform, { paymentId, value: null, reason: 'Pedido', by: 'Operador' })
      const known = life.collected.get(payment.providerId)
      if (known) known.back += payment.free
      else life.handedBack += payment.free
      return
    }
    const invoice = await invoiceAt(platform, life, 0)
    if (invoice) await assignPayment(platform, writing(life), { paymentId, invoiceId: invoice.id })
  },
  async giveBack({ life, step, platform, id: requestId }) {
    const invoice = await invoiceAt(platform, life, step.at)
    if (!invoice) return
    const { id: invoiceId, paid } = invoice
    const before = await givenBack(platform, life)
    const value = step.part
    const by = { reason: 'Cortesia', by: 'Operador' }
    await refundInvoice(platform, writing(life), { ...by, requestId, invoiceId, isGift: step.isGift, value })
    // of which payments is for the product to choose
    for (const [providerId, cents] of await givenBack(platform, life)) {
      const more = cents - (before.get(providerId) ?? 0)
      const known = life.collected.get(providerId)
      if (known) known.back += more
      else life.handedBack += more
    }
    if (step.isGift) life.given.set(invoiceId, (life.given.get(invoiceId) ?? 0) + (value ?? paid))
  },
  async pause({ life, step, platform }) {
    const { today: fromDay } = life
    const untilDay = step.days === null ? null : daysFrom(fromDay, step.days)
    await inCompany(platform, life, tx =>
      insertPause(tx, { kind: 'pause', fromDay, untilDay, reason: 'Reforma', recordedBy: 'Operador' }),
    )
    await billCompany(platform.inCompany(life.companyId), writing(life))
  },
  async resume({ life, platform }) {
    await inCompany(platform, life, async tx => {
      for (const { id, until } of await listPauses(tx))
        if (until === null || until > life.today) await endPause(tx, id, life.today)
    })
    await billCompany(platform.inCompany(life.companyId), writing(life))
  },
  async switch({ scene, life }) {
    const { companyId, today } = life
    life.isOff = !life.isOff
    await scene.app.database.script(
      life.isOff
        ? `insert into subscription_pauses (company_id, kind, from_day) values (${companyId}, 'off', '${today}');
           update companies set status = 0 where id = ${companyId}`
        : `update subscription_pauses set until_day = greatest('${today}'::date, from_day)
             where company_id = ${companyId} and until_day is null and kind = 'off';
           update companies set status = 1 where id = ${companyId}`,
    )
  },
  async takeUp({ life, platform }) {
    await inCompany(platform, life, tx => takeUpUnpaid(tx, momentOf(life.today)))
    await billCompany(platform.inCompany(life.companyId), writing(life))
    life.leave += UNPAID_PERIODS
  },
  async prolong({ life, step, platform }) {
    await inCompany(platform, life, tx => prolongTrial(tx, writing(life), daysFrom(life.today, step.days)))
  },
}

const MADE = new WeakMap<Life, Set<string>>()
const SEEN = new Map<string, number>()

const FREE = tag`(p.value
  - coalesce((select sum(r.value) from payment_refunds r where r.payment_id = p.id and r.state <> 'failed'), 0)
  - coalesce((select sum(a.value) from payment_allocations a where a.payment_id = p.id), 0))::int`

const writing = ({ today }: Life) => ({ payee: null, now: momentOf(today) })

const inCompany = (
  platform: PlatformScope,
  { companyId }: Life,
  work: (tx: Parameters<typeof holdSubscription>[0]) => Promise<unknown>,
) =>
  platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    await work(tx)
  })

/** Day after day: on which nothing is billed. */
async function rest({ app }: MoneyScene, life: Life, until: string): Promise<void> {
  const pauses = await app.platform.scopes.inCompany(life.companyId).transaction(listPauses)
  const [trial] = await read<{ day: string | null; unpaid: string | null }>(
    app.platform.scopes.platform(),
    tag`select to_char(trial_ends_on, 'YYYY-MM-DD') as day, to_char(unpaid_since, 'YYYY-MM-DD') as unpaid
      from subscriptions where company_id = ${life.companyId}`,
  )
  const unpaid = trial?.unpaid ?? until
  for (; life.today < until; life.today = daysFrom(life.today, 1)) {
    const isPaused = pauses.some(
      ({ from, until }) => from <= life.today && (until === null || until > life.today),
    )
    if (isPaused || life.isOff || life.today < (trial?.day ?? '') || life.today >= unpaid)
      life.unbilled.add(life.today)
  }
}

export const read = <Row>(platform: PlatformScope, query: ReturnType<typeof tag>): Promise<Row[]> =>
  platform.transaction(sql => rowsFrom<Row & Record<string, unknown>>(sql, query)) as Promise<Row[]>

/** Cents that are given back, or are to be, by the provider’s name of the payment; of those by hand together. */
async function givenBack(platform: PlatformScope, { companyId }: Life): Promise<Map<string, number>> {
  const rows = await read<{ name: string; cents: number }>(
    platform,
    tag`select p.provider_id as name, sum(r.value)::int as cents
      from payment_refunds r join payments p on p.id = r.payment_id
      where p.company_id = ${companyId} and p.voided_at is null and r.state <> 'failed' group by 1`,
  )
  return new Map(rows.map(({ name, cents }) => [name, cents]))
}

interface FoundInvoice {
  id: number
  value: number
  paid: number
  isCancelled: boolean
  first: string
  last: string
}

async function invoiceAt(
  platform: PlatformScope,
  { companyId }: Life,
  place: number,
): Promise<FoundInvoice | null> {
  const [row] = await read<FoundInvoice>(
    platform,
    tag`select id, value, paid_value as paid, cancelled_at is not null as "isCancelled",
        to_char(start_invoice_period, 'YYYY-MM-DD') as first, to_char(end_invoice_period, 'YYYY-MM-DD') as last
      from invoices where company_id = ${companyId} order by id desc offset ${place} limit 1`,
  )
  return row ?? null
}

interface FoundCharge {
  reference: string
  chargeId: string
  value: number
}

/** The charge of an invoice at the provider, which makes the one that is wanted. */
async function openCharge(platform: PlatformScope, { companyId }: Life, invoiceId: number) {
  const [row] = await read<FoundCharge>(
    platform,
    tag`with made as (
        update charges c set state = 'open', charge_id = 'pay_' || c.reference, value = i.value - i.paid_value,
          provider = case when i.id % 2 = 0 then 'asaas' else 'mercadopago' end
        from invoices i where c.company_id = ${companyId} and c.invoice_id = ${invoiceId} and c.state = 'wanted'
          and i.company_id = c.company_id and i.id = c.invoice_id and i.value > i.paid_value
        returning c.reference, c.charge_id as "chargeId", c.value)
      select reference, "chargeId", value from made
      union all
      select * from (select reference, charge_id, value from charges where company_id = ${companyId}
        and invoice_id = ${invoiceId} and charge_id is not null order by created_at desc limit 1) known
      limit 1`,
  )
  return row ?? null
}

async function collectedAt(platform: PlatformScope, life: Life, place: number): Promise<FoundCharge | null> {
  const chargeId = [...life.collected.keys()].at(-1 - place)
  if (!chargeId) return null
  const [row] = await read<FoundCharge>(
    platform,
    tag`select reference, charge_id as "chargeId", value from charges
      where company_id = ${life.companyId} and charge_id = ${chargeId}`,
  )
  return row ?? null
}

/** What the provider says of a charge. */
const report = (
  platform: PlatformScope,
  life: Life,
  { reference, chargeId, value }: FoundCharge,
  { status, refundedValue }: Pick<ChargeState, 'status' | 'refundedValue'>,
) =>
  platform.inCompany(life.companyId).transaction(tx =>
    settleCharge(tx, writing(life), reference, {
      ...{ chargeId, status, value, payDate: life.today, receiptUrl: '', refundedValue },
    }),
  )
