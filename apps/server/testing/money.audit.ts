import { UNPAID_PERIODS } from '@balcao/contract/companies.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { restOf } from '@balcao/contract/ledger.rules.ts'
import { expect } from 'vitest'
import { statementOf } from '../src/features/payments/payments.statement.queries.ts'
import { invoiceTotals } from '../src/features/revenue/revenue.invoices.queries.ts'
import { receiptLines } from '../src/features/revenue/revenue.receipts.queries.ts'
import { rowsFrom, sql as tag } from '../src/platform/postgres/sql.ts'
import { expectSoundLedger } from './ledger.ts'
import { auditErased } from './money.erased.ts'
import { costFrom, GRACE_DAYS, type Life, type MoneyScene, planNow, read } from './money.scene.ts'

interface Row {
  id: number
  first: string
  last: string
  released: string | null
  value: number
  credited: number
  problem: string
  reason: string
  carried: number
  paid: number
  months: number
  due: string
  status: string
  discount: number
  late: number
  isOneOff: boolean
  isAutomatic: boolean
  isCancelled: boolean
  /** Given back at the provider without being asked here; no reversal by now. */
  returned: number
  /** Given back as a gift. */
  gifts: number
  /** A payment of it has a fiscal note, and it shows none. */
  isWithoutNote: boolean
}

interface Standing {
  free: number
  waiting: number
  suspended: boolean
  isOff: boolean
  unpaidSince: string | null
  trialEnd: string | null
}

/** What must hold of the money of a company at any time. Amounts are cents. */
export async function auditLife(scene: MoneyScene, life: Life): Promise<void> {
  if (life.left) return auditErased(scene, life)
  const platform = scene.app.platform.scopes.platform()
  const { companyId, today } = life
  await noteUnpaid(scene, life)
  await expectSoundLedger(platform, companyId, day => day < today && !life.unbilled.has(day))
  const found = await read<Row>(
    platform,
    tag`select id, to_char(start_invoice_period, 'YYYY-MM-DD') as first, to_char(end_invoice_period, 'YYYY-MM-DD') as last,
        to_char(released_from, 'YYYY-MM-DD') as released, value,
        credited_value as credited, carried_value as carried, payment_problem as problem, cancel_reason as reason, paid_value as paid, recurrence as months,
        to_char(due_date, 'YYYY-MM-DD') as due, status, is_automatic as "isAutomatic",
        discount_value as discount, description <> '' as "isOneOff", late_value as late,
        cancelled_at is not null as "isCancelled",
        coalesce((select sum(r.value) from payment_returns r where r.company_id = ${companyId} and r.invoice_id = invoices.id
          and r.answer is distinct from 'reversal'), 0)::int as returned,
        coalesce((select sum(r.value) from payment_returns r where r.company_id = ${companyId} and r.invoice_id = invoices.id
          and r.answer = 'gift'), 0)::int as gifts,
        fiscal_note_url = '' and exists (select from payment_allocations a join payments p on p.id = a.payment_id
          where a.company_id = ${companyId} and a.invoice_id = invoices.id and p.fiscal_note_url <> '') as "isWithoutNote"
      from invoices where company_id = ${companyId} order by start_invoice_period, id`,
  )
  const [money] = await read<Standing>(
    platform,
    tag`with p as (
        select p.review, p.value
          - coalesce((select sum(r.value) from payment_refunds r where r.payment_id = p.id and r.state <> 'failed'), 0)
          - coalesce((select sum(a.value) from payment_allocations a where a.payment_id = p.id), 0) as free
        from payments p where p.company_id = ${companyId} and p.voided_at is null)
      select coalesce(sum(free) filter (where review is null or review = 'returned'), 0)::int as free,
        coalesce(sum(free) filter (where review <> 'returned'), 0)::int as waiting,
        (select suspended_at is not null from companies where id = ${companyId}) as suspended,
        (select status = 0 from companies where id = ${companyId}) as "isOff",
        (select unpaid_since from subscriptions where company_id = ${companyId}) as "unpaidSince",
        (select to_char(trial_ends_on, 'YYYY-MM-DD') from subscriptions where company_id = ${companyId}) as "trialEnd"
      from p`,
  )
  const { free, waiting, suspended } = money!
  const counted = found.filter(one => !one.isCancelled)
  const owing = counted.filter(one => one.value > one.paid)
  const sum = (values: number[]) => values.reduce((all, one) => all + one, 0)
  const owed = sum(owing.map(one => one.value - one.paid))
  // what came in from outside less what went back is what was used and what is free
  const collected = [...life.collected.values()]
  const received = sum(collected.map(one => one.value)) + life.handed
  const back = sum(collected.map(one => one.back)) + life.handedBack
  const charged = sum(counted.map(one => one.value))
  expect({ 'free less owed': free + waiting - owed }).toEqual({ 'free less owed': received - back - charged })
  // each period costs what its plan costs
  for (const one of counted.filter(({ isAutomatic }) => isAutomatic)) {
    if (one.released !== null && one.released <= one.first) continue
    const asked = { cents: issuedOf(one) + one.discount, months: one.months }
    const issued = life.issued.get(one.id)
    const price = issued && issued.cents === asked.cents ? issued : costFrom(life, one.first)
    expect({ ...one, cents: issuedOf(one), months: one.months }).toEqual({
      ...one,
      cents: price.cents - one.discount,
      months: price.months,
    })
  }
  // an invoice asks for the days that it holds, and for what is left of earlier ones: once
  const moved = counted.map(one => {
    const given = one.returned
    return one.credited - unusedOf(one, given) - given
  })
  expect({ moved: moved.filter(cents => cents < 0) }).toEqual({ moved: [] })
  // each gift is a row, and the fiscal note of a payment is at what it pays
  expect(found.filter(({ id, gifts }) => gifts < (life.given.get(id) ?? 0))).toEqual([])
  expect(found.filter(({ isWithoutNote }) => isWithoutNote)).toEqual([])
  const gone = found.filter(({ reason }) => reason === 'carried').map(({ value }) => value)
  expect({ carried: sum(found.map(({ carried }) => carried)) }).toEqual({ carried: sum([...moved, ...gone]) })
  // the plan is the one that was chosen last
  const { price: of } = await planNow(scene, life)
  const { cents, months } = costFrom(life, today)
  expect({ plan: of }).toEqual({ plan: { cents, months } })
  auditTerms(life, { rows: found, ...money! })
  // who does not pay is not billed for ever
  const whole = counted.filter(one => one.isAutomatic && one.released === null).toReversed()
  const paidLast = whole.findIndex(one => one.paid > 0 || one.due >= today || one.problem === 'belowLeast')
  expect({ unpaid: (paidLast < 0 ? whole.length : paidLast) > UNPAID_PERIODS + life.leave }).toEqual({
    unpaid: false,
  })
  // credit pays what is owed
  expect({ free, unpaid: free > 0 ? owed : 0 }).toEqual({ free, unpaid: 0 })
  // suspended is who owes beyond grace, and no other company
  const oldest = owing
    .filter(({ problem }) => problem !== 'belowLeast')
    .map(one => one.due)
    .toSorted()[0]
  const isLate = oldest !== undefined && daysFrom(oldest, GRACE_DAYS) < today
  expect({ today, oldest, suspended }).toEqual({ today, oldest, suspended: isLate })
  await auditScreens(scene, life, { owed, balance: free + waiting - owed, received, back, found })
}

/** Who has left is not billed, nor switched off once more; billing that stopped for who does not pay goes on by a payment alone. */
function auditTerms(
  life: Life,
  {
    rows,
    isOff,
    unpaidSince,
    trialEnd,
  }: { rows: Row[] } & Pick<Standing, 'isOff' | 'unpaidSince' | 'trialEnd'>,
): void {
  const { endsOn, stopped } = life
  expect({ isOff }).toEqual({ isOff: life.isOff })
  const automatic = rows.filter(one => one.isAutomatic)
  const behind = automatic.filter(
    one => !one.isCancelled && endsOn !== null && heldThrough(one) > endsOn && heldThrough(one) >= one.first,
  )
  expect({ endsOn, behind }).toEqual({ endsOn, behind: [] })
  // no day of a trial that lasts
  const tried = automatic.filter(
    one =>
      !one.isCancelled &&
      trialEnd !== null &&
      trialEnd > life.today &&
      one.first < trialEnd &&
      heldThrough(one) >= one.first,
  )
  expect({ trialEnd, tried }).toEqual({ trialEnd, tried: [] })
  if (stopped && unpaidSince === null)
    expect({ paid: automatic.some(one => one.paid > (stopped.get(one.id) ?? 0)) }).toEqual({ paid: true })
  if (unpaidSince === null) life.stopped = null
  else life.stopped ??= new Map(automatic.map(({ id, paid }) => [id, paid]))
}

const heldThrough = ({ released, last }: Row) => (released === null ? last : daysFrom(released, -1))

/** What every screen, file and figure says. */
async function auditScreens(
  { app }: MoneyScene,
  { companyId }: Life,
  {
    owed,
    balance,
    received,
    back,
    found,
  }: { owed: number; balance: number; received: number; back: number; found: Row[] },
): Promise<void> {
  const statement = await app.platform.scopes
    .inCompany(companyId)
    .transaction(tx => statementOf(tx, undefined))
  const platform = app.platform.scopes.platform()
  const [open] = await platform.transaction(sql =>
    rowsFrom<{ value: number }>(
      sql,
      tag`select coalesce(sum(value), 0)::int as value from payment_refunds
        where company_id = ${companyId} and state in ('wanted', 'asked')`,
    ),
  )
  // what is to be given back is in it until that is done
  expect({ statement: statement.balance }).toEqual({ statement: balance + open!.value })
  const totals = await platform.transaction(sql => invoiceTotals(sql, { companyId }))
  expect({ owed: totals.pending.value + totals.overdue.value }).toEqual({ owed })
  expect({ paid: totals.paidValue }).toEqual({ paid: found.reduce((all, one) => all + one.paid, 0) })
  const [receipts] = await platform.transaction(sql =>
    rowsFrom<{ payments: number; refunds: number }>(
      sql,
      tag`select coalesce(sum(value) filter (where kind = 'payment'), 0)::int as payments,
          coalesce(sum(value) filter (where kind = 'refund'), 0)::int as refunds
        from (${receiptLines({ from: '2000-01-01', until: '2100-01-01' }, 'America/Sao_Paulo')}) lines
        where company_id = ${companyId}`,
    ),
  )
  expect(receipts).toEqual({ payments: received, refunds: open!.value - back })
}

/** What the days cost that an invoice does not hold any more, as far as it was not given back; one that has begun costs a cent. */
function unusedOf(one: Row, given: number): number {
  const { first, last, released } = one
  if (released === null || one.isOneOff) return 0
  const value = issuedOf(one)
  const rest = restOf({ startInvoicePeriod: first, endInvoicePeriod: last, value }, released)
  return Math.min(rest, value - given - (released > first ? 1 : 0))
}

/** Days on which billing had stopped, since nothing was paid. */
async function noteUnpaid({ app }: MoneyScene, life: Life): Promise<void> {
  const [found] = await read<{ since: string | null }>(
    app.platform.scopes.platform(),
    tag`select to_char(unpaid_since, 'YYYY-MM-DD') as since from subscriptions where company_id = ${life.companyId}`,
  )
  for (let day = found?.since ?? life.today; day < life.today; day = daysFrom(day, 1)) life.unbilled.add(day)
}

const issuedOf = ({ value, credited, carried, late }: Row) => value + credited - carried - late
