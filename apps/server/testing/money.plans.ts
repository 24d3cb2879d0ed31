import { settleNote } from '../src/features/fiscalNotes/fiscalNotes.actions.ts'
import { billCompany } from '../src/features/invoices/invoices.billing.actions.ts'
import { changePlan } from '../src/features/plans/plans.actions.ts'
import { findPlan } from '../src/features/plans/plans.queries.ts'
import { sql as tag } from '../src/platform/postgres/sql.ts'
import { type Of, read, writing } from './money.scene.ts'
import type { Action } from './money.steps.ts'

/** What masters do to plans while companies have them, or change to them; and what the town does. */
export const PLANS = {
  async reprice({ scene: { viewer }, life, step, platform }: Of<'reprice'>) {
    const offer = life.offers[step.to]!
    const values = await pricedBy(platform, offer.id, step.percent)
    await changePlan(platform, viewer, offer.id, { ...values, highlighted: 1, numberAttendants: 3 })
    offer.cents = values[FIELDS[offer.months]] * offer.months
  },
  async retire({ scene: { viewer }, life, step, platform }: Of<'retire'>) {
    const offer = life.offers[step.to]!
    offer.isOnSale = !offer.isOnSale
    await changePlan(platform, viewer, offer.id, { status: offer.isOnSale })
  },
  async editOwn({ scene: { viewer }, life, step, platform }: Of<'editOwn'>) {
    const { companyId, today, prices, planId } = life
    const ahead = await read<{ id: number; cents: number; months: 1 | 3 | 6 | 12 }>(
      platform,
      tag`select id, value + credited_value - carried_value - late_value + discount_value as cents, recurrence as months
        from invoices where company_id = ${companyId} and start_invoice_period >= ${today}::date`,
    )
    for (const { id, ...price } of ahead) if (!life.issued.has(id)) life.issued.set(id, price)
    const { months } = prices.at(-1)!
    const values = await pricedBy(platform, planId, step.percent)
    await changePlan(platform, viewer, planId, values)
    prices.push({ months, cents: values[FIELDS[months]] * months, from: today })
    await billCompany(platform.inCompany(companyId), writing(life))
  },
  async note({ life, step, platform }: Of<'note'>) {
    const { companyId } = life
    const [note] = await read<{ id: number; paymentId: number }>(
      platform,
      tag`insert into fiscal_notes (company_id, payment_id, due_at)
        select company_id, id, now() + interval '10 years' from payments
        where company_id = ${companyId} and voided_at is null and provider <> '' order by id desc offset ${step.at} limit 1
        on conflict do nothing returning id, payment_id as "paymentId"`,
    )
    if (!note) return
    const issued = { noteId: `inv_${note.paymentId}`, number: '1', problem: '', status: 'issued' as const }
    await platform.inCompany(companyId).transaction(tx =>
      settleNote(tx, writing(life), note.id, {
        ...issued,
        pdfUrl: `https://nota.test/${note.paymentId}.pdf`,
      }),
    )
  },
} satisfies Partial<{ [Name in Action['do']]: (of: Of<Name>) => Promise<void> }>

const FIELDS = { 1: 'value1Month', 3: 'value3Months', 6: 'value6Months', 12: 'value12Months' } as const

/** So many percent of the prices of a plan. */
async function pricedBy(platform: Of<'reprice'>['platform'], planId: number, percent: number) {
  const plan = await platform.transaction(sql => findPlan(sql, planId))
  const priced = (cents: number) => Math.max(Math.round((cents * percent) / 100), cents > 0 ? 1_000 : 0)
  return {
    ...{ value1Month: priced(plan.value1Month), value3Months: priced(plan.value3Months) },
    ...{ value6Months: priced(plan.value6Months), value12Months: priced(plan.value12Months) },
  }
}
