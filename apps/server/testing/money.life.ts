import { randomUUID } from 'node:crypto'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { expect } from 'vitest'
import { settleCharge } from '../src/features/charges/charges.actions.ts'
import { cancelInvoice, payInvoice, removeInvoice } from '../src/features/invoices/invoices.actions.ts'
import {
  assignPayment,
  creditPayment,
  refundInvoice,
  refundPayment,
} from '../src/features/payments/payments.actions.ts'
import { answerReturned } from '../src/features/payments/payments.credit.actions.ts'
import { chargeOnce, giveDiscount } from '../src/features/pricing/pricing.actions.ts'
import type { ChargeState } from '../src/payments/payments.ts'
import { Refusal } from '../src/platform/errors.ts'
import { sql as tag } from '../src/platform/postgres/sql.ts'
import type { PlatformScope } from '../src/platform/scope.ts'
import { isDeath, platformDyingAt, platformDyingOnce } from './ledger.ts'
import { erase, reportErased } from './money.erased.ts'
import { PLANS } from './money.plans.ts'
import {
  type Doing,
  type FoundCharge,
  inCompany,
  type Life,
  type MoneyScene,
  type Of,
  read,
  writing,
} from './money.scene.ts'
import type { Action, MoneyStep } from './money.steps.ts'
import { noteChange, TERMS } from './money.terms.ts'
import { passDays, runChores } from './money.time.ts'

/** Statements between two points at which what has several transactions may die. */
const STRIDE = 4

/** One step of a life. What is refused changes nothing. */
export async function live(scene: MoneyScene, life: Life, step: MoneyStep): Promise<void> {
  life.steps++
  const { dies, twice, ...action } = step
  if (life.left && !REPORTED.includes(action.do)) return
  if (action.do === 'pass')
    return passDays(scene, life, action.days, dies === undefined ? dies : dies * STRIDE)
  if (action.do === 'change') return changePlan(scene, life, { ...action, dies })
  const platform = scene.app.platform.scopes.platform()
  const attempt = attempting({ scene, life, step: action, id: randomUUID() })
  const isRepeated =
    twice && ['hand', 'collect', 'return', 'answer', 'cancel', 'giveBack'].includes(action.do)
  if (dies !== undefined) await orDeath(attempt(platformDyingAt(platform, dies)))
  if (isRepeated && twice === 'tabs') await Promise.all([attempt(platform), attempt(platform)])
  else await attempt(platform)
  if (isRepeated && twice === 'after') await attempt(platform)
}

const attempting = (doing: Omit<Doing, 'platform'>) => async (platform: PlatformScope) => {
  const act = DEEDS[doing.step.do as Done] as (of: Doing) => Promise<void>
  await act({ ...doing, platform }).catch(error => {
    if (!(error instanceof Refusal)) throw error
    doing.life.refused++
  })
}

/** False where the process died meanwhile. */
const orDeath = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    error => {
      if (!isDeath(error)) throw error
      return false
    },
  )

/** Of several transactions: where it died it is asked for again, or the hourly work finds what is done. */
async function changePlan(
  scene: MoneyScene,
  life: Life,
  { dies, ...step }: Extract<MoneyStep, { do: 'change' }>,
): Promise<void> {
  const platform = scene.app.platform.scopes.platform()
  const attempt = attempting({ scene, life, step, id: '' })
  const isDone = dies !== undefined && (await orDeath(attempt(platformDyingOnce(platform, dies * STRIDE))))
  if (!isDone && (dies === undefined || dies % 2 === 0)) await attempt(platform)
  await noteChange(scene, life, step.to)
  if (!isDone && dies !== undefined) await runChores(scene, life)
}

type Done = Exclude<Action['do'], 'pass'>

/** What is still reported of a company that is deleted. */
const REPORTED: Action['do'][] = ['collect', 'again', 'return', 'lose']

const DEEDS: { [Name in Done]: (of: Of<Name>) => Promise<void> } = {
  ...TERMS,
  ...PLANS,
  erase,
  async chargeOnce({ life, step, platform }) {
    const charge = { description: 'Horas', valueBrl: brl(step.cents), dueDate: life.today }
    await inCompany(platform, life, tx => chargeOnce(tx, writing(life), charge))
  },
  async reduce({ life, step: { percent, periods }, platform }) {
    const discount = { percent, periods, valueBrl: null, reason: 'Fidelidade' }
    await inCompany(platform, life, tx => giveDiscount(tx, discount, 'Operador'))
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
    const charge = await chargeAt(platform, life, step.at)
    if (!charge) return
    const status = step.isPromised ? ('CONFIRMED' as const) : ('RECEIVED' as const)
    if (!life.collected.has(charge.chargeId))
      life.collected.set(charge.chargeId, { charge, value: charge.value, back: 0 })
    await report(platform, life, charge, { status, refundedValue: life.collected.get(charge.chargeId)!.back })
  },
  async again({ life, step, platform }) {
    const charge = collectedAt(life, step.at)
    if (charge) await report(platform, life, charge, { status: 'CONFIRMED', refundedValue: 0 })
  },
  async return({ life, step, platform }) {
    const charge = collectedAt(life, step.at)
    if (!charge) return
    const known = life.collected.get(charge.chargeId)!
    const back = Math.min(step.cents ?? charge.value, charge.value)
    known.back = Math.max(known.back, back)
    const status = back === charge.value ? ('REFUNDED' as const) : ('RECEIVED' as const)
    await report(platform, life, charge, { status, refundedValue: back })
  },
  async lose({ life, step, platform }) {
    const charge = collectedAt(life, step.at)
    if (!charge) return
    life.collected.get(charge.chargeId)!.back = charge.value
    await report(platform, life, charge, { status: 'REFUNDED', refundedValue: charge.value, isLost: true })
  },
  async answer({ life, step, platform, id: requestId }) {
    const [waiting] = await read<{ id: number }>(
      platform,
      tag`select payment_id as id from payment_returns where company_id = ${life.companyId} and answer is null
        order by id desc limit 1`,
    )
    if (!waiting) return
    const asked = { ...{ requestId, paymentId: waiting.id, by: 'Operador' }, isGift: step.isGift }
    await answerReturned(platform, writing(life), asked)
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
    // of an action that is done twice the first one knows what was before
    const known = BEFORE.get(requestId) ?? beforeGiving(platform, life, invoice)
    BEFORE.set(requestId, known)
    const { part: value, isGift } = step
    const by = { reason: 'Cortesia', by: 'Operador' }
    await refundInvoice(platform, writing(life), {
      ...by,
      ...{ requestId, invoiceId: invoice.id, isGift, value },
    })
    const { paid, given, backs, handedBack, rows } = await known
    // of which payments is for the product to choose
    let back = 0
    for (const [providerId, cents] of await givenBack(platform, life)) {
      const more = cents - (rows.get(providerId) ?? 0)
      back += more
      const collected = life.collected.get(providerId)
      if (collected) collected.back = backs.get(providerId)! + more
      else life.handedBack = handedBack + more
    }
    expect({ back }).toEqual({ back: value ?? paid })
    if (isGift) life.given.set(invoice.id, given + back)
  },
}

async function beforeGiving(platform: PlatformScope, life: Life, { id, paid }: FoundInvoice) {
  const backs = new Map([...life.collected].map(([name, { back }]) => [name, back]))
  const { handedBack } = life
  return {
    ...{ paid, backs, handedBack, given: life.given.get(id) ?? 0 },
    rows: await givenBack(platform, life),
  }
}

const BEFORE = new Map<string, ReturnType<typeof beforeGiving>>()
const MADE = new WeakMap<Life, Set<string>>()
const SEEN = new Map<string, number>()

const FREE = tag`(p.value
  - coalesce((select sum(r.value) from payment_refunds r where r.payment_id = p.id and r.state <> 'failed'), 0)
  - coalesce((select sum(a.value) from payment_allocations a where a.payment_id = p.id), 0))::int`

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

/** The charge of an invoice at the provider, which makes the one that is wanted. */
async function openCharge(platform: PlatformScope, { companyId }: Life, invoiceId: number) {
  const [row] = await read<FoundCharge>(
    platform,
    tag`with made as (
        update charges c set state = 'open', charge_id = 'pay_' || c.reference, value = i.value - i.paid_value,
          provider = case when i.id % 2 = 0 then 'asaas' else 'mercadopago' end
        from invoices i where c.company_id = ${companyId} and c.invoice_id = ${invoiceId} and c.state = 'wanted'
          and i.company_id = c.company_id and i.id = c.invoice_id and i.value > i.paid_value
          and i.payment_problem <> 'belowLeast'
        returning c.reference, c.charge_id as "chargeId", c.provider, c.value)
      select reference, "chargeId", provider, value from made
      union all
      select * from (select reference, charge_id, provider, value from charges where company_id = ${companyId}
        and invoice_id = ${invoiceId} and charge_id is not null order by created_at desc limit 1) known
      limit 1`,
  )
  return row ?? null
}

function collectedAt(life: Life, place: number): FoundCharge | null {
  return [...life.collected.values()].at(-1 - place)?.charge ?? null
}

/** A charge that can be paid, or was. */
async function chargeAt(platform: PlatformScope, life: Life, place: number): Promise<FoundCharge | null> {
  if (life.left) return life.left.at(-1 - place) ?? null
  const invoice = await invoiceAt(platform, life, place)
  return invoice && openCharge(platform, life, invoice.id)
}

/** What the provider says of a charge. */
const report = (
  platform: PlatformScope,
  life: Life,
  charge: FoundCharge,
  state: Pick<ChargeState, 'status' | 'refundedValue' | 'isLost'>,
) =>
  life.left
    ? reportErased(platform, life, charge, state)
    : platform.inCompany(life.companyId).transaction(tx =>
        settleCharge(tx, writing(life), charge.reference, {
          ...{
            chargeId: charge.chargeId,
            value: charge.value,
            payDate: life.today,
            receiptUrl: '',
            ...state,
          },
        }),
      )
