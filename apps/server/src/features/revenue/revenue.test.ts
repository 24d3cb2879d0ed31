import { clients } from '@balcao/contract/clients.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { payments } from '@balcao/contract/payments.ts'
import { plans } from '@balcao/contract/plans.ts'
import {
  boundsOf,
  INVOICE_PARTS,
  isFormer,
  LEAD_STEPS,
  monthBefore,
  REVENUE_MOVES,
  SUBSCRIBER_STATES,
} from '@balcao/contract/revenue.rules.ts'
import { revenue } from '@balcao/contract/revenue.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { placesWith } from '../../../testing/traces.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { putOffsOf } from '../../platform/work/due-rows.ts'

let app: TestApp
let master: Person
let current: string
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  current = (await master.get(revenue.months)).months[0]!.month
})
afterAll(() => app.close())

/** A company with a plan of its own, and how it gets invoices of whole months: `from` and `to` are months ago. */
async function payer({ name = `Cliente ${unique()}`, documentNumber = '' } = {}) {
  const planName = `Plano ${unique()}`
  const made = tag`with company as (
      insert into companies (name, document_number) values (${name}, ${documentNumber}) returning id)
    insert into plans (company_id, name, automatic_invoice) select id, ${planName}, false from company
    returning id as "planId", company_id as "companyId"`
  const [row] = await app.platform.scopes
    .platform()
    .transaction(sql => rowsFrom<{ planId: number; companyId: number }>(sql, made))
  const { planId, companyId } = row!
  const bill = async (from: number, to: number, cents: number, more: Record<string, string> = {}) => {
    const start = boundsOf(monthBefore(current, from)).from
    const columns = {
      ...{
        company_id: companyId,
        plan_id: planId,
        start_invoice_period: `'${start}'`,
        due_date: `'${start}'`,
      },
      end_invoice_period: `date '${boundsOf(monthBefore(current, to)).until}' - 1`,
      ...{ value: cents, billing_type: `'PIX'`, recurrence: 1, is_automatic: 'true', anchor: 1, ...more },
    }
    await app.database.script(
      `insert into invoices (${Object.keys(columns).join()}) values (${Object.values(columns).join()})`,
    )
  }
  return { companyId, planId, planName, name, bill }
}

/** All pages of a list. */
async function all<Row>(page: (pageNumber: number) => Promise<{ rows: Row[]; hasMore: boolean }>) {
  const found: Row[] = []
  for (let pageNumber = 1; ; pageNumber++) {
    const { rows, hasMore } = await page(pageNumber)
    found.push(...rows)
    if (!hasMore) return found
  }
}
type Query<Name extends keyof typeof revenue> = Parameters<
  typeof master.get<(typeof revenue)[Name]>
>[1] extends { query?: infer Q } | undefined
  ? NonNullable<Q>
  : never
const rowsOf = (query: Omit<Query<'rows'>, 'pageNumber'>) =>
  all(pageNumber => master.get(revenue.rows, { query: { ...query, pageNumber } as Query<'rows'> }))
const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)

test('recurring revenue is new, grows, shrinks, is lost and comes back in the month in which it does', async () => {
  const grown = await payer()
  await grown.bill(5, 5, 9_990)
  await grown.bill(4, 4, 19_990)
  await grown.bill(3, 3, 5_000)
  await grown.bill(1, 1, 5_000)
  const yearly = await payer()
  // 1000,01 a year is 83,33 a month; one by hand of the same time, and a cancelled one, count nothing
  await yearly.bill(5, 0, 100_001, { recurrence: '12' })
  await yearly.bill(5, 0, 50_000, { is_automatic: 'false' })
  await yearly.bill(4, 4, 70_000, { cancelled_at: 'now()', status: `'CANCELLED'`, is_automatic: 'false' })
  const months: Awaited<ReturnType<typeof rowsOf>>[] = []
  for (const ago of [6, 5, 4, 3, 2, 1]) {
    const month = monthBefore(current, ago)
    const churned = await rowsOf({ month, move: 'churned' })
    months.push([...(await rowsOf({ month })), ...churned])
  }
  const moves = ({ companyId }: { companyId: number }) =>
    months.map(rows => {
      const row = rows.find(({ id }) => id === companyId)
      return row ? [row.move, row.before, row.after] : null
    })
  expect(moves(grown)).toEqual([
    null,
    ['new', 0, 9_990],
    ['expansion', 9_990, 19_990],
    ['contraction', 19_990, 5_000],
    ['churned', 5_000, 0],
    ['reactivated', 0, 5_000],
  ])
  expect(moves(yearly)).toEqual([
    null,
    ['new', 0, 8_333],
    ...Array.from({ length: 4 }, () => ['same', 8_333, 8_333]),
  ])
})

test('every figure of a month equals the rows behind it, and the months follow from one another', async () => {
  const { months } = await master.get(revenue.months, { query: { months: 6 } })
  expect(months.map(({ month }) => month)).toEqual(
    Array.from({ length: 6 }, (_, at) => monthBefore(current, at)),
  )
  for (const [at, one] of months.entries()) {
    const { month } = one
    const counting = await rowsOf({ month })
    expect(one.mrr).toEqual({ count: counting.length, value: sum(counting.map(({ after }) => after)) })
    for (const move of REVENUE_MOVES) {
      const rows = await rowsOf({ month, move })
      expect([month, move, one[move]]).toEqual([
        ...[month, move],
        { count: rows.length, value: sum(rows.map(({ before, after }) => after - before)) },
      ])
    }
    const before = months[at + 1]
    if (before) expect(one.mrr.value).toBe(before.mrr.value + sum(REVENUE_MOVES.map(move => one[move].value)))
    for (const [kind, figure] of [
      ['payment', one.received],
      ['refund', one.refunded],
    ] as const) {
      const rows = await all(pageNumber =>
        master.get(revenue.receipts, { query: { month, kind, pageNumber } }),
      )
      expect(figure).toEqual({ count: rows.length, value: sum(rows.map(({ value }) => value)) })
    }
  }
})

test('invoices of all companies are narrowed by month, part, company and plan, and their totals are of the same rows', async () => {
  const [one, other] = [await payer(), await payer()]
  for (const ago of [4, 3, 2]) await one.bill(ago, ago, 10_000 + ago)
  await other.bill(3, 3, 777, { status: `'OVERDUE'` })
  await other.bill(2, 2, 888, { status: `'RECEIVED'`, paid_value: '888' })
  await other.bill(1, 1, 999, { status: `'CANCELLED'`, cancelled_at: 'now()' })
  const list = (query: object) =>
    all(pageNumber => master.get(revenue.invoices, { query: { ...query, pageNumber } }))
  const month = monthBefore(current, 3)
  const filters = [{}, { month }, { companyId: one.companyId }, { planName: other.planName, month }]
  for (const filter of filters) {
    const totals = await master.get(revenue.invoiceTotals, { query: filter })
    for (const part of INVOICE_PARTS) {
      const rows = await list({ ...filter, part })
      expect(totals[part]).toEqual({ count: rows.length, value: sum(rows.map(({ value }) => value)) })
    }
    const rows = await list(filter)
    expect(totals.paidValue).toBe(sum(rows.map(({ paidValue }) => paidValue)))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    const order = rows.map(({ dueDate, id }) => `${dueDate} ${String(id).padStart(9, '0')}`)
    expect(order).toEqual(order.toSorted().toReversed())
  }
  expect(await list({ planName: other.planName, month })).toMatchObject([
    { companyName: other.name, planName: other.planName, value: 777, status: 'OVERDUE' },
  ])
  expect((await list({ companyId: one.companyId })).map(({ value }) => value)).toEqual([
    10_002, 10_003, 10_004,
  ])
})

test('a page that is opened without the one before it begins where it should', async () => {
  const many = await payer()
  const each = `generate_series(1, 45) n`
  await app.database.script(`insert into invoices (company_id, plan_id, start_invoice_period, end_invoice_period, value,
      billing_type, due_date, recurrence, anchor)
    select ${many.companyId}, ${many.planId}, date '2020-01-01' + n, date '2020-01-01' + n, n, 'PIX', date '2020-01-01' + n / 2, 1, 1 from ${each}`)
  const page = async (pageNumber: number) =>
    (await master.get(revenue.invoices, { query: { companyId: many.companyId, pageNumber } })).rows
  const third = await page(3)
  const [first, second] = [await page(1), await page(2)]
  expect([...first, ...second, ...(await page(3))].map(({ value }) => value)).toEqual(
    Array.from({ length: 45 }, (_, at) => 45 - at),
  )
  expect(third.map(({ value }) => value)).toEqual([5, 4, 3, 2, 1])
})

test('companies stand by plan as they do today, and each figure equals its rows', async () => {
  const paying = await payer()
  await paying.bill(0, 0, 12_345)
  const [trial, paused, off, given] = [await payer(), await payer(), await payer(), await payer()]
  await app.database.script(`
    update companies set lead_id = 1, created_at = now() - interval '10 days' where id = ${trial.companyId};
    insert into subscription_pauses (company_id, kind, from_day) values (${paused.companyId}, 'pause', '2020-01-01');
    insert into subscriptions (company_id, trial_ends_on) values (${given.companyId}, current_date + 20)
      on conflict (company_id) do update set trial_ends_on = excluded.trial_ends_on;
    update companies set status = 0 where id = ${off.companyId}`)
  const { plans: shares, states, endingTrials } = await master.get(revenue.plans)
  const list = (query: object) =>
    all(pageNumber => master.get(revenue.subscribers, { query: { ...query, pageNumber } }))
  for (const state of SUBSCRIBER_STATES) expect(await list({ state })).toHaveLength(states[state])
  expect(await list({ ending: 'soon' })).toHaveLength(endingTrials)
  for (const share of shares) {
    const rows = await list({ planName: share.planName })
    const counting = rows.filter(({ state }) => state === 'paying')
    expect(share).toMatchObject({
      companies: rows.length,
      paying: { count: counting.length, value: sum(rows.map(({ mrr }) => mrr)) },
      trial: rows.filter(({ state }) => state === 'trial').length,
    })
  }
  const rowOf = async ({ planName }: { planName: string }) => (await list({ planName }))[0]
  expect(await rowOf(paying)).toMatchObject({ state: 'paying', mrr: 12_345 })
  expect(await rowOf(trial)).toMatchObject({ state: 'trial', trialEndsOn: expect.any(String) })
  expect(await list({ ending: 'soon', planName: trial.planName })).toHaveLength(1)
  expect(await rowOf(given)).toMatchObject({ state: 'trial', trialEndsOn: expect.any(String) })
  expect(await rowOf(paused)).toMatchObject({ state: 'paused' })
  expect(await rowOf(off)).toMatchObject({ state: 'off' })
  // today's recurring revenue is that of the month
  const { months } = await master.get(revenue.months, { query: { months: 3 } })
  expect(sum(shares.map(share => share.paying.value))).toBe(months[0]!.mrr.value)
})

test('leads stand in the funnel of their month by how far they came, and each step equals its rows', async () => {
  const [paid, invoiced, onTrial] = [await payer(), await payer(), await payer()]
  await paid.bill(0, 0, 5_000, { status: `'RECEIVED'`, paid_value: '5000' })
  await invoiced.bill(0, 0, 5_000)
  const mark = unique()
  await app.database.script(`update companies set lead_id = 1 where id = ${onTrial.companyId}`)
  const lead = (name: string, company: number | null, expires = '7 days') =>
    app.database.script(`insert into leads (name, email, whatsapp_number, origin, recurrence, language, network,
        expires_at, company_id, completed_at)
      values ('${name} ${mark}', '${name}@${mark}.test', '5511999990000', 'myStore', 'month1', 'ptBR', '',
        now() + interval '${expires}', ${company}, ${company ? 'now()' : 'null'})`)
  await lead('waiting', null)
  await lead('expired', null, '-1 day')
  await lead('customer', paid.companyId)
  await lead('unpaid', invoiced.companyId)
  await lead('trial', onTrial.companyId)
  const list = (query: object) =>
    all(pageNumber => master.get(revenue.leads, { query: { ...query, pageNumber } }))
  const mine = await list({ searchParam: mark })
  expect(Object.fromEntries(mine.map(({ name, state }) => [name.split(' ')[0], state]))).toEqual({
    ...{ waiting: 'waiting', expired: 'expired', customer: 'customer', unpaid: 'unpaid', trial: 'trial' },
  })
  expect(await list({ searchParam: mark, state: 'unpaid' })).toMatchObject([
    { companyId: invoiced.companyId, companyName: invoiced.name },
  ])
  const { months } = await master.get(revenue.funnel)
  expect(months).toHaveLength(12)
  for (const one of months.slice(0, 2))
    for (const reached of LEAD_STEPS)
      expect(await list({ month: one.month, reached })).toHaveLength(one[reached])
  expect(months[0]).toMatchObject({ paid: expect.any(Number) })
})

test('the files of a month hold what its lists hold, with the decimals that are asked for, and no cell is a formula', async () => {
  const shop = await payer({ name: '=1+1; "Loja"', documentNumber: '11222333000181' })
  await shop.bill(3, 3, 123_456, { status: `'OVERDUE'`, cancel_reason: `'@soma'` })
  const paidOn = `${monthBefore(current, 3)}-15`
  await app.database.script(`
    with paid as (insert into payments (company_id, source, value, paid_on, recorded_by, note)
      values (${shop.companyId}, 'manual', 10050, '${paidOn}', '-Dono', '') returning id, company_id)
    insert into payment_refunds (company_id, payment_id, value, reason, created_at)
    select company_id, id, 50, 'Troco', '${paidOn}T12:00:00Z' from paid`)
  const month = monthBefore(current, 3)
  const fetched = async (url: string) => {
    const answer = await fetch(app.url + url, { headers: { authorization: `Bearer ${master.token}` } })
    return (await answer.text()).replace('\ufeff', '').trimEnd().split('\r\n')
  }
  const query = { month, decimals: 'comma' as const, language: 'en' as const }
  const receipts = await fetched((await master.get(revenue.exportReceipts, { query })).url)
  const listed = await all(pageNumber => master.get(revenue.receipts, { query: { month, pageNumber } }))
  expect(receipts[0]).toMatch(/^Day;Entry;Number;Company/)
  expect(receipts).toHaveLength(listed.length + 1)
  const mine = receipts.filter(line => line.includes('Loja'))
  expect(mine[0]).toMatch(
    /^\d{4}-\d\d-15;Refund;\d+;"'=1\+1; ""Loja""";11222333000181;-0,50;By hand;;'-Dono;Troco$/,
  )
  expect(mine[1]).toMatch(/;Payment;\d+;"'=1\+1; ""Loja""";11222333000181;100,50;By hand;;'-Dono;$/)
  const { url } = await master.get(revenue.exportInvoices, {
    query: { ...query, decimals: 'point', planName: shop.planName },
  })
  expect((await fetched(url)).slice(1)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^\\d+;"'=1.*;${month}-01;${month}-\\d\\d;${month}-01;1234\\.56;0\\.00;Overdue;;'@soma;;0\\.00;0\\.00$`,
      ),
    ),
  ])
})

test('a payment that a master entered and took back counts in no month, nor does what was given back of it', async () => {
  const { companyId } = await payer()
  const month = monthBefore(current, 5)
  const before = await all(pageNumber => master.get(revenue.receipts, { query: { month, pageNumber } }))
  await app.database.script(`
    with voided as (insert into payments (company_id, source, value, paid_on, voided_at)
      values (${companyId}, 'manual', 10000, '${month}-15', now()) returning id, company_id)
    insert into payment_refunds (company_id, payment_id, value, created_at)
    select company_id, id, 4000, '${month}-15T12:00:00Z' from voided`)
  const { months } = await master.get(revenue.months, { query: { months: 6 } })
  expect(months.at(-1)).toMatchObject({ month, refunded: { count: 0, value: 0 } })
  expect(await all(pageNumber => master.get(revenue.receipts, { query: { month, pageNumber } }))).toEqual(
    before,
  )
})

/** The figures of months, and the rows behind them; those of one company, or of a deleted one, without what names it. */
async function shown(months: string[], companyId: number) {
  const own = { companyName: '', documentNumber: '', providerId: '', recordedBy: '', note: '' }
  const isIts = (id: number | null) => id === companyId || isFormer(id ?? 0)
  const moved = async (query: Parameters<typeof rowsOf>[0]) =>
    (await rowsOf(query)).map(row =>
      isIts(row.id) ? { ...row, id: 'its', companyName: '', invoiceId: null } : row,
    )
  const received = (month: string) =>
    all(pageNumber => master.get(revenue.receipts, { query: { month, pageNumber } }))
  const figures = (await master.get(revenue.months, { query: { months: 12 } })).months
  const behind = months.map(async month => ({
    figures: figures.find(one => one.month === month),
    rows: await moved({ month }),
    churned: await moved({ month, move: 'churned' }),
    receipts: (await received(month))
      .map(row => (isIts(row.companyId ?? row.rowId) ? { ...row, ...own, rowId: 0, companyId: null } : row))
      .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  }))
  return Promise.all(behind)
}

test('a company that is deleted keeps the months before without its name, and churns in that of its deletion, also where the deletion fails at first', async () => {
  const mark = unique()
  const gone = await payer({ name: `Zé ${mark}`, documentNumber: `9${mark}` })
  const { companyId } = gone
  await gone.bill(6, 6, 9_990)
  await gone.bill(5, 5, 19_990)
  // a month without any, then two by hand of the same time, one cut short, one that never counted, and a year that goes on
  await gone.bill(3, 3, 1_000, { is_automatic: 'false' })
  await gone.bill(3, 3, 7_000, { is_automatic: 'false' })
  const first = (ago: number) => `date '${boundsOf(monthBefore(current, ago)).from}'`
  await gone.bill(2, 2, 9_000, { released_from: `${first(2)} + 9` })
  await gone.bill(2, 2, 8_000, { released_from: first(2), is_automatic: 'false' })
  await gone.bill(2, 2, 70_000, { cancelled_at: 'now()', status: `'CANCELLED'`, is_automatic: 'false' })
  await gone.bill(1, -10, 120_011, { recurrence: '12' })
  const paid = (ago: number, source: string, voidedAt = 'null') => `
    with paid as (insert into payments (company_id, source, value, paid_on, provider, provider_id, recorded_by, note, voided_at)
      values (${companyId}, '${source}', 5000, ${first(ago)} + 14, 'asaas', 'pay_${mark}${ago}${source}', 'Dono ${mark}', 'Nota ${mark}',
        ${voidedAt}) returning id)
    insert into payment_refunds (company_id, payment_id, value, state, reason, created_at)
    select ${companyId}, id, value, state, 'Troco ${mark}', (${first(ago - 1)} + 4)::timestamptz + interval '15 hours'
    from paid, (values (300, 'done'), (400, 'asked'), (500, 'failed')) given (value, state)`
  for (const one of [paid(5, 'provider'), paid(4, 'manual'), paid(3, 'credit'), paid(2, 'manual', 'now()')])
    await app.database.script(one)
  const past = [1, 2, 3, 4, 5, 6, 7].map(ago => monthBefore(current, ago))
  const [before, [today]] = [await shown(past, companyId), await shown([current], companyId)]

  await app.database.script(`
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$;
    create trigger fails before delete on companies for each row execute function fail()`)
  await master.get(clients.remove, { params: { companyId } })
  const putOffs = putOffsOf(app.platform, 'clients')
  await until(() => putOffs.has({ companyId }), 60_000)
  expect(await shown([current, ...past], companyId)).toEqual([today, ...before])
  await app.database.script('drop trigger fails on companies; drop function fail')
  putOffs.forget({ companyId })
  const left = tag`select id from companies where id = ${companyId}`
  const lookUp = () => app.platform.scopes.platform().transaction(sql => rowsFrom(sql, left))
  await until(async () => (await lookUp()).length === 0, 60_000)

  expect(await shown(past, companyId)).toEqual(before)
  const [now] = await shown([current], companyId)
  expect(now!.churned).toContainEqual({
    ...{ id: 'its', companyName: '', move: 'churned', before: 10_000, after: 0, invoiceId: null },
  })
  expect(now!.figures!.mrr).toEqual({
    count: today!.figures!.mrr.count - 1,
    value: today!.figures!.mrr.value - 10_000,
  })
  const ids = await Promise.all([...past, current].map(month => rowsOf({ month })))
  expect(new Set(ids.flat().flatMap(({ id }) => (isFormer(id) ? [id] : []))).size).toBe(1)
  const query = { month: past[4]!, decimals: 'point' as const, language: 'en' as const }
  const { url } = await master.get(revenue.exportReceipts, { query })
  const lines = (await (await master.fetch(url)).text()).split('\r\n')
  const day = boundsOf(query.month).from.slice(0, 8)
  expect(lines).toContain(`${day}15;Payment;;Deleted company;;50.00;asaas;;;`)
  expect(await placesWith(app, [mark])).toEqual([])
})

test('what was given back later than it was wanted counts in the month in which it was, and the months before stay as they were', async () => {
  const { companyId } = await payer()
  const [later, month] = [monthBefore(current, 3), monthBefore(current, 4)]
  const dayOf = (of: string) => `${of}-20T12:00:00Z`
  const refunds = (of: string) =>
    all(pageNumber =>
      master.get(revenue.receipts, { query: { month: of, kind: 'refund' as const, pageNumber } }),
    )
  const before = await refunds(month)
  const lines = async () =>
    (await master.get(payments.statement, { params: { companyId } })).lines.map(({ on, value }) => [
      on,
      value,
    ])
  await app.database.script(`
    with paid as (insert into payments (company_id, source, value, paid_on, created_at)
      values (${companyId}, 'provider', 3000, '${month}-15', '${month}-15') returning id)
    insert into payment_refunds (company_id, payment_id, value, state, created_at)
    select ${companyId}, id, 3000, 'asked', '${dayOf(month)}' from paid`)
  expect(await lines()).toEqual([[`${month}-15`, 3_000]])
  await app.database.script(
    `update payment_refunds set state = 'done', done_at = '${dayOf(later)}' where company_id = ${companyId}`,
  )
  expect(await refunds(month)).toEqual(before)
  expect((await refunds(later)).filter(one => one.companyId === companyId)).toMatchObject([
    { day: `${later}-20`, value: -3_000 },
  ])
  expect(await lines()).toEqual([
    [`${later}-20`, -3_000],
    [`${month}-15`, 3_000],
  ])
})

test('an admin sees nothing of other companies here', async () => {
  const admin = await app.as('admin@balcao.test')
  for (const route of [revenue.months, revenue.plans, revenue.leads, revenue.invoices])
    expect((await admin.call(route)).body.error).toBe('ERR_NO_PERMISSION')
  // the list of the own invoices is another one
  const planId = (await admin.get(plans.ofCompany, { params: { companyId: admin.user.companyId } }))[0]!.id
  expect((await admin.call(invoices.list, { params: { planId } })).status).toBe(200)
})
