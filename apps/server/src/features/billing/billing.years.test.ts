import { seeded } from '@balcao/contract/campaigns.words.rules.ts'
import { clients } from '@balcao/contract/clients.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { defaultFlags, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { plans } from '@balcao/contract/plans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Died, dyingAt, expectSoundLedger, platformDyingAt } from '../../../testing/ledger.ts'
import { unique } from '../../../testing/rows.ts'
import { rounds, SEED } from '../../../testing/sample.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import type { ChargeState } from '../../payments/payments.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { settleCharge } from '../charges/charges.actions.ts'
import { cancelInvoice, payInvoice } from '../invoices/invoices.actions.ts'
import { billCompany } from '../invoices/invoices.billing.actions.ts'
import { applyChange, changePlan } from '../plans/plans.actions.ts'
import { changeCompanyPlan, quotePlan } from './billing.change.actions.ts'

// Random years of a company against what must hold of its ledger at any time (testing/ledger.ts). The provider is played by
// its reports: any charge, in any order, twice, late. One step of three dies at a statement, and is tried again.

let app: TestApp
let master: Person
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
})
afterAll(() => app.close())

const YEARS = rounds(1, 40)
const FROM = '2031-01-31'

test.each(Array.from({ length: YEARS }, (_, at) => SEED * 100 + at))('year %i', async seed => {
  const draw = seeded(seed)
  const upTo = (most: number) => Math.floor(draw() * most)
  const pick = <One>(all: readonly One[]) => all[upTo(all.length)]!
  const platform = app.platform.scopes.platform()
  const offered = await Promise.all([9_990, 29_970, 0].map(value => plan(value)))
  const { companyId, planId } = await found(offered[0]!)
  let today = FROM
  /** Days on which the company is not billed: off, paused, free, or not automatically billed. */
  const unbilled = new Set<string>()
  let isOff = false
  /** Cents that came of a charge, and that were given back of it. */
  const paid = new Map<string, { value: number; back: number }>()

  const writing = () => ({ payee: null, unpaidPeriods: 0, now: new Date(`${today}T15:00:00Z`) })
  /** Once by a process that dies at a statement, perhaps, and once by one that does not. */
  async function act(work: (scope: PlatformScope) => Promise<unknown>) {
    if (draw() < 0.33)
      await work(platformDyingAt(platform, upTo(30))).catch(error => {
        if (!isDeath(error) && !('code' in error)) throw error
      })
    await work(platform).catch(error => {
      // what is refused changes nothing
      if (!('code' in error)) throw error
    })
  }
  const invoiceIds = () =>
    platform
      .transaction(sql =>
        rowsFrom<{ id: number }>(
          sql,
          tag`select id from invoices where company_id = ${companyId} order by id desc limit 4`,
        ),
      )
      .then(rows => rows.map(({ id }) => id))

  const acts = {
    async payByHand(scope: PlatformScope) {
      const invoiceId = pick(await invoiceIds())
      const valueBrl = draw() < 0.3 ? '10,01' : undefined
      const payDate = draw() < 0.85 ? today : null
      const entered = { payDate, status: 'RECEIVED' as const, transactionReceiptUrl: '', by: 'Operador' }
      await payInvoice(scope, writing(), { ...entered, invoiceId, ...(valueBrl && { valueBrl }) })
    },
    async cancel(scope: PlatformScope) {
      await cancelInvoice(scope, writing(), {
        invoiceId: pick(await invoiceIds()),
        reason: 'Cortesia',
        by: 'Operador',
      })
    },
    async changePlan(scope: PlatformScope) {
      const asked = {
        companyId,
        planId: pick(offered),
        recurrence: 'month1' as const,
        when: pick(['now', 'next'] as const),
      }
      const { due } = await quotePlan(scope, viewer, asked, writing().now)
      await changeCompanyPlan(scope, { viewer, writing: writing() }, { ...asked, due })
    },
    async price() {
      const value1Month = pick([9_990, 12_345])
      await changePlan(platform, viewer, planId, { value1Month, billedFrom: today })
    },
    async automatic() {
      const automaticInvoice = draw() < 0.6
      await changePlan(platform, viewer, planId, { automaticInvoice, billedFrom: today })
    },
  }
  const { id, name, queues } = master.user
  const viewer: Viewer = {
    ...{ id, name, companyId: master.user.companyId, profile: 'admin', master: 1, payPanelAccess: true },
    ...{ queueIds: queues.map(queue => queue.id), signMessage: false, authorization: defaultFlags },
  }

  async function report() {
    const charges = await platform.transaction(sql =>
      rowsFrom<{ reference: string; chargeId: string; value: number }>(
        sql,
        tag`with made as (
            update charges c set state = 'open', charge_id = 'pay_' || c.reference, value = i.value - i.paid_value
            from invoices i where c.company_id = ${companyId} and c.state = 'wanted' and i.company_id = c.company_id
              and i.id = c.invoice_id and i.value > i.paid_value)
          select reference, charge_id as "chargeId", value from charges
          where company_id = ${companyId} and charge_id is not null order by created_at desc limit 6`,
      ),
    )
    if (charges.length === 0) return
    const { reference, chargeId, value } = pick(charges)
    const status = pick(['CONFIRMED', 'RECEIVED', 'RECEIVED', 'REFUNDED', 'GONE', 'OVERDUE'] as const)
    // a part that was given back in the panel; a report may be older than another one
    const refundedValue = draw() < 0.3 ? upTo(value + 1) : 0
    const state: ChargeState = { status, value, payDate: today, receiptUrl: '', refundedValue }
    if (status === 'CONFIRMED' || status === 'RECEIVED' || status === 'REFUNDED') {
      const back = Math.max(paid.get(chargeId)?.back ?? 0, status === 'REFUNDED' ? value : refundedValue)
      paid.set(chargeId, { value, back })
    }
    const settle = (scope = platform.inCompany(companyId)) =>
      scope.transaction(tx => settleCharge(tx, writing(), reference, { ...state, chargeId }))
    if (draw() < 0.33) await settle(dyingAt(platform.inCompany(companyId), upTo(25))).catch(ofDeath)
    await settle()
    if (draw() < 0.3) await settle()
  }

  async function pass() {
    const later = daysFrom(today, 1 + upTo(draw() < 0.1 ? 80 : 12))
    const [change] = await platform.transaction(sql =>
      rowsFrom<{ day: string }>(
        sql,
        tag`select to_char(from_day, 'YYYY-MM-DD') as day from plan_changes where company_id = ${companyId}`,
      ),
    )
    // the plan is another from that day on
    const until = change && change.day > today && change.day < later ? change.day : later
    if (draw() < 0.08) {
      isOff = !isOff
      await app.database.script(
        isOff
          ? `insert into subscription_pauses (company_id, kind, from_day) values (${companyId}, 'off', '${today}');
             update companies set status = 0 where id = ${companyId}`
          : `update subscription_pauses set until_day = '${today}' where company_id = ${companyId} and until_day is null;
             update companies set status = 1 where id = ${companyId}`,
      )
    }
    const own = (await master.get(plans.show, { params: { planId } })) as {
      automaticInvoice: boolean
      value1Month: number
    }
    for (; today < until; today = daysFrom(today, 1))
      if (isOff || !own.automaticInvoice || own.value1Month === 0) unbilled.add(today)
  }

  while (today < daysFrom(FROM, 365)) {
    await act(async scope => {
      await billCompany(scope.inCompany(companyId), writing())
      await applyChange(scope, companyId, writing().now)
    })
    for (let at = upTo(3); at > 0; at--) {
      if (draw() < 0.5) await report()
      else if ((await invoiceIds()).length > 0) await act(pick(Object.values(acts)))
    }
    await expectSoundLedger(platform, companyId, day => day < today && !unbilled.has(day))
    await pass()
  }
  const [sums] = await platform.transaction(sql =>
    rowsFrom<{ came: number; back: number; automatic: number }>(
      sql,
      tag`select coalesce(sum(p.value), 0)::int as came,
          coalesce(sum((select sum(value) from payment_refunds r where r.payment_id = p.id)), 0)::int as back,
          (select count(*)::int from invoices where company_id = ${companyId}) as automatic
        from payments p where p.company_id = ${companyId} and p.source = 'provider'`,
    ),
  )
  const total = (of: 'value' | 'back') => [...paid.values()].reduce((sum, one) => sum + one[of], 0)
  expect(sums).toMatchObject({ came: total('value'), back: total('back') })
  expect(sums!.automatic).toBeGreaterThan(0)
})

const isDeath = (error: unknown) =>
  error instanceof Died || (error instanceof Error && error.cause instanceof Died)
const ofDeath = (error: unknown) => {
  if (!isDeath(error)) throw error
}

const plan = async (value1Month: number) =>
  (await master.get(plans.create, { body: { name: `Plano ${unique()}`, value1Month } })).id

async function found(planId: number) {
  const body = {
    name: 'Cliente',
    email: `${unique()}@cliente.test`,
    userName: 'Dona',
    passwordDefault: 'balcao-demo',
  }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  const own = await master.get(plans.assign, { params: { companyId, planId } })
  // a charge is made of invoices also where no provider is set up
  return { companyId, planId: own.id }
}
