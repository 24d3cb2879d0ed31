import { UNPAID_PERIODS } from '@balcao/contract/companies.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { rateOfPercent } from '@balcao/contract/pricing.rules.ts'
import { expect } from 'vitest'
import { changeCompanyPlan, keepPlan, quotePlan } from '../src/features/billing/billing.change.actions.ts'
import { endSubscription, goOnWith } from '../src/features/billing/billing.end.actions.ts'
import { billFrom, prolongTrial } from '../src/features/billing/billing.trial.actions.ts'
import { changeClient } from '../src/features/clients/clients.actions.ts'
import { billCompany, takeUpUnpaid } from '../src/features/invoices/invoices.billing.actions.ts'
import { announceReadjustment, withdrawReadjustment } from '../src/features/pricing/pricing.actions.ts'
import { endPause, insertPause, listPauses } from '../src/features/subscriptions/subscriptions.queries.ts'
import { sql as tag } from '../src/platform/postgres/sql.ts'
import type { PlatformScope } from '../src/platform/scope.ts'
import { isSameOrder, noteOrder } from './money.orders.ts'
import {
  inCompany,
  type Life,
  type MoneyScene,
  momentOf,
  OFFERED,
  type Of,
  planNow,
  read,
  writing,
} from './money.scene.ts'
import type { Action } from './money.steps.ts'
import { ZONE } from './money.zone.ts'

/** Steps that decide what is billed, and when. */
export const TERMS = {
  async change({ scene, life, step, platform }: Of<'change'>) {
    const { recurrence } = OFFERED[step.to]!
    const trusted = step.isOrdered ? { trusted: 0 } : {}
    const planId = life.offers[step.to]!.id
    const asked = { companyId: life.companyId, planId, recurrence, when: step.when, ...trusted }
    const now = momentOf(life.today)
    const quote = await quotePlan(platform, scene.viewer, asked, now)
    const by = { viewer: scene.viewer, writing: writing(life) }
    await changeCompanyPlan(platform, by, { ...asked, due: quote.due })
  },
  async keep({ life, platform }: Of<'keep'>) {
    await inCompany(platform, life, tx => keepPlan(tx, writing(life)))
    life.waiting = null
    await bill(platform, life)
  },
  async pause({ life, step, platform }: Of<'pause'>) {
    const { today: fromDay } = life
    const untilDay = step.days === null ? null : daysFrom(fromDay, step.days)
    await inCompany(platform, life, tx =>
      insertPause(tx, { kind: 'pause', fromDay, untilDay, reason: 'Reforma', recordedBy: 'Operador' }),
    )
    await bill(platform, life)
  },
  async resume({ life, platform }: Of<'resume'>) {
    await inCompany(platform, life, async tx => {
      for (const { id, until } of await listPauses(tx))
        if (until === null || until > life.today) await endPause(tx, id, life.today)
    })
    await bill(platform, life)
  },
  async switch({ scene: { viewer }, life, platform }: Of<'switch'>) {
    const status = life.isOff ? 1 : 0
    const by = { viewer, timeZone: ZONE, now: momentOf(life.today) }
    await changeClient(platform, by, life.companyId, { status })
    life.isOff = status === 0
    if (status === 1 && life.endsOn !== null && life.endsOn < life.today) life.endsOn = null
  },
  async end({ life, platform }: Of<'end'>) {
    await bill(platform, life)
    await inCompany(platform, life, tx =>
      endSubscription(tx, writing(life), { reason: 'Fechamos', by: 'Dona' }),
    )
    const [row] = await read<{ day: string }>(
      platform,
      tag`select to_char(ends_on, 'YYYY-MM-DD') as day from subscriptions where company_id = ${life.companyId}`,
    )
    life.endsOn = row!.day
    // it belongs to the periods behind the end
    if (life.waiting && life.waiting.from > life.endsOn) life.waiting = null
  },
  async goOn({ life, platform }: Of<'goOn'>) {
    await inCompany(platform, life, goOnWith)
    life.endsOn = null
    await bill(platform, life)
  },
  async takeUp({ life, platform }: Of<'takeUp'>) {
    await inCompany(platform, life, tx => takeUpUnpaid(tx, momentOf(life.today)))
    life.stopped = null
    life.leave += UNPAID_PERIODS
    await bill(platform, life)
  },
  async prolong({ life, step, platform }: Of<'prolong'>) {
    const until = daysFrom(life.today, step.days)
    // days that were billed are of the trial then: also of an invoice that goes on asking for what was left of earlier ones
    const [moved] = await read<{ first: string | null }>(
      platform,
      tag`select to_char(min(start_invoice_period), 'YYYY-MM-DD') as first from invoices
        where company_id = ${life.companyId} and is_automatic and cancelled_at is null
          and coalesce(released_from > start_invoice_period, true)`,
    )
    await inCompany(platform, life, tx => prolongTrial(tx, writing(life), until))
    for (let day = moved!.first ?? until; day < until; day = daysFrom(day, 1)) life.unbilled.add(day)
    const [standing] = await read<{ unpaidSince: string | null }>(
      platform,
      tag`select to_char(unpaid_since, 'YYYY-MM-DD') as "unpaidSince" from subscriptions
        where company_id = ${life.companyId} and unpaid_since < ${until}`,
    )
    expect(standing).toBeUndefined()
    life.stopped = null
  },
  async readjust({ life, step, platform }: Of<'readjust'>) {
    const from = daysFrom(life.today, step.days)
    const { percent } = step
    await inCompany(platform, life, tx =>
      announceReadjustment(tx, writing(life), { percent, from, reason: 'IPCA' }, 'Operador'),
    )
    life.readjustment = { from, rate: rateOfPercent(percent)! }
    await bill(platform, life)
  },
  async withdraw({ life, platform }: Of<'withdraw'>) {
    await inCompany(platform, life, tx => withdrawReadjustment(tx, writing(life)))
    life.readjustment = null
    await bill(platform, life)
  },
  async start({ life, step, platform }: Of<'start'>) {
    const billedFrom = daysFrom(life.today, step.days)
    await inCompany(platform, life, tx =>
      billFrom(tx, momentOf(life.today), { billedFrom, invoices: undefined }),
    )
    life.leave += UNPAID_PERIODS
    // days before a period that is billed already stay as they are
    const [next] = await read<{ first: string | null }>(
      platform,
      tag`select to_char(min(start_invoice_period), 'YYYY-MM-DD') as first from invoices
        where company_id = ${life.companyId} and is_automatic and cancelled_at is null
          and coalesce(released_from - 1, end_invoice_period) >= greatest(start_invoice_period, ${life.today}::date)`,
    )
    for (let day = life.today; day < (next?.first ?? ''); day = daysFrom(day, 1)) life.unbilled.add(day)
    await bill(platform, life)
  },
} satisfies Partial<{ [Name in Action['do']]: (of: Of<Name>) => Promise<void> }>

const bill = (platform: PlatformScope, life: Life) =>
  billCompany(platform.inCompany(life.companyId), writing(life))

/** What a change of plan, of which a part may be done, made of the price. */
export async function noteChange(scene: MoneyScene, life: Life, to: number): Promise<void> {
  const { price, since, waiting } = await planNow(scene, life)
  const known = life.prices.at(-1)!
  const { cents, months } = life.offers[to]!
  // nothing but what was asked for
  expect([known, { cents, months }].some(one => isSameOrder(one, price))).toBe(true)
  await noteOrder(scene, life, { to, price: { cents, months } })
  if (!isSameOrder(price, known)) {
    life.prices.push({ ...price, from: waiting ? life.today : since })
    life.readjustment = null
  }
  life.waiting = waiting
  life.leave++
}
