import type { Pause, RecurrenceMonths } from '@balcao/contract/invoices.rules.ts'
import { TRIAL_DAYS } from '@balcao/contract/leads.rules.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, prepared } from '../../platform/postgres/prepared.ts'
import {
  and,
  desc,
  eq,
  gt,
  isNull,
  lte,
  rowsFrom,
  type SQLWrapper,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { zoneOf } from '../companies/companies.queries.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { planChanges, planPrices, subscriptionPauses, subscriptions } from './subscriptions.table.ts'
import { termsOf } from './subscriptions.terms.queries.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect

/** What was billed before there were subscriptions follows from the newest automatic invoice. */
const newestInvoice = (tx: Pick<Tx, 'companyId'>) => tag`
  select end_invoice_period, anchor from invoices where company_id = ${tx.companyId} and is_automatic
  order by start_invoice_period desc limit 1`

/** A transaction of a company, or one of the platform that works for it. */
type Held = Pick<Tx, 'sql' | 'companyId' | 'timeZone'>

/** Creates the row of a company that has none, and its last pause by when it was switched off. */
const insertSubscription = (tx: Held) =>
  tx.sql.execute(
    tag`with newest as (${newestInvoice(tx)}),
      created as (
        insert into subscriptions (company_id, billed_through, anchor)
        select ${tx.companyId}, (select end_invoice_period from newest), (select anchor from newest)
        on conflict do nothing returning company_id),
      paused as (
        insert into subscription_pauses (company_id, kind, from_day, until_day)
        select c.id, 'off', (c.switched_off_at at time zone ${zoneOf(tx)})::date,
          case when c.status = 1 then (c.switched_on_at at time zone ${zoneOf(tx)})::date end
        from companies c join created on created.company_id = c.id
        where c.switched_off_at is not null and (c.status = 0 or c.switched_on_at >= c.switched_off_at)
          and not exists (select from subscription_pauses p where p.company_id = c.id))
      select company_id from created`,
  )

/** The row, created where there is none, and locked: changes of a company’s invoices and payments follow one another. */
export async function openSubscription(tx: Held): Promise<SubscriptionRow> {
  const known = await lockSubscription(tx.sql, tx.companyId)
  if (known) return known
  await insertSubscription(tx)
  return (await lockSubscription(tx.sql, tx.companyId))!
}

/** Also in a transaction of the platform, which alone changes plans. Undefined where there is none. */
export async function lockSubscription(sql: Sql, companyId: number): Promise<SubscriptionRow | undefined> {
  const [row] = await subscriptionToLock(sql, { companyId })
  return row
}

const subscriptionToLock = prepared(sql =>
  sql
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.companyId, given('companyId')))
    .for('update'),
)

/** The row as it is, or as it would be created: nothing is written or locked. */
export async function readSubscription(tx: Tx): Promise<SubscriptionRow> {
  const [row] = await tx.sql.select().from(subscriptions).where(eq(subscriptions.companyId, tx.companyId))
  if (row) return row
  const [newest] = await rowsFrom<{ end: string; anchor: number }>(
    tx.sql,
    tag`select to_char(end_invoice_period, 'YYYY-MM-DD') as end, anchor from (${newestInvoice(tx)}) newest`,
  )
  return {
    ...{ companyId: tx.companyId, billedFrom: null, trialEndsOn: null, adoptedAt: null },
    ...{ billedThrough: newest?.end ?? null, anchor: newest?.anchor ?? null },
    ...{ unpaidSince: null, unpaidFrom: null, endsOn: null, endReason: '', endedBy: '' },
    createdAt: databaseTime(),
  }
}

export const updateSubscription = (tx: Tx, values: Partial<SubscriptionRow>) =>
  tx.sql.update(subscriptions).set(values).where(eq(subscriptions.companyId, tx.companyId))

/** Nothing before a day is billed. */
export const beginBilling = (sql: Sql, companyId: number, billedFrom: string) =>
  sql.update(subscriptions).set({ billedFrom }).where(eq(subscriptions.companyId, companyId))

export interface Place {
  companyId: number
  /** Of the company. */
  zone: string
  now: Date
}

export const todayAt = ({ zone, now }: Pick<Place, 'zone' | 'now'>) =>
  tag<string>`(${now.toISOString()}::timestamptz at time zone ${zone})::date`

/** Begins a pause of a company that is switched off, in the commit that does it. */
export const pauseSwitchedOff = (sql: Sql, place: Place) =>
  sql.insert(subscriptionPauses).values({ companyId: place.companyId, kind: 'off', fromDay: todayAt(place) })

/** Ends it when the company is switched on again. */
export const resumeSwitchedOn = (sql: Sql, place: Place) =>
  sql
    .update(subscriptionPauses)
    .set({ untilDay: tag`greatest(${todayAt(place)}, ${subscriptionPauses.fromDay})` })
    .where(
      and(
        eq(subscriptionPauses.companyId, place.companyId),
        eq(subscriptionPauses.kind, 'off'),
        isNull(subscriptionPauses.untilDay),
      ),
    )

/** What the plan of the company costs at the end of a day: of the prices it ever had the one that was valid then. */
export async function priceOn(
  tx: Tx,
  day: string,
): Promise<{ months: RecurrenceMonths; cents: number } | null> {
  const { companyId, timeZone } = tx
  const [row] = await priceAt(tx.sql, { companyId, timeZone, day })
  return row ?? null
}

const priceAt = prepared(sql => {
  const zone = tag`coalesce((select c.time_zone from companies c where c.id = ${given('companyId')}), ${given('timeZone')})`
  const isBefore = tag`${planPrices.since} < ((${given('day')}::date + 1)::timestamp at time zone ${zone})`
  return (
    sql
      .select({ months: planPrices.months, cents: planPrices.value })
      .from(planPrices)
      .where(eq(planPrices.companyId, given('companyId')))
      // the first price is older than its row, where the plan is older than this table
      .orderBy(
        desc(isBefore),
        tag`case when ${isBefore} then ${planPrices.since} end desc`,
        planPrices.since,
        // of several changes in one transaction the last
        desc(planPrices.id),
      )
      .limit(1)
  )
})

/** The first day after `day` on which the plan of the company has a price again; null while it has none. */
export async function pricedFrom(tx: Tx, day: string): Promise<string | null> {
  const [row] = await tx.sql
    .select({ day: tag<string>`to_char(${planPrices.since} at time zone ${zoneOf(tx)}, 'YYYY-MM-DD')` })
    .from(planPrices)
    .where(
      and(
        eq(planPrices.companyId, tx.companyId),
        gt(planPrices.value, 0),
        tag`${planPrices.since} >= ((${day}::date + 1)::timestamp at time zone ${zoneOf(tx)})`,
      ),
    )
    .orderBy(planPrices.since)
    .limit(1)
  return row?.day ?? null
}

/**
 * What decides about the next period of the company, as of a moment. One statement, since the billing of a month reads it for
 * every company. Refuses with ERR_NO_COMPANY_FOUND.
 */
export const accountOf = async (tx: Tx, now: Date) =>
  (await accountOrNull(tx, now)) ?? refuse('ERR_NO_COMPANY_FOUND')

/** The same; null where the company was deleted. */
export async function accountOrNull({ sql, companyId, timeZone }: Tx, now: Date) {
  const [row] = await account(sql, { companyId, timeZone, now: now.toISOString() })
  return row ?? null
}

export type BilledAccount = Awaited<ReturnType<typeof accountOf>>

const account = prepared(sql => {
  const zone = tag`coalesce(${companies.timeZone}, ${given('timeZone')})`
  const day = (time: SQLWrapper) => tag<string>`to_char(${time} at time zone ${zone}, 'YYYY-MM-DD')`
  const pause = tag`json_build_object('from', p.from_day, 'until', p.until_day)`
  return sql
    .select({
      /** Null where it has none, or is being deleted. */
      plan: plans,
      /** A change of plan that waits for its day, or is to be applied. */
      change: planChanges,
      status: companies.status,
      today: day(tag`${given('now')}::timestamptz`),
      /** The first day after the trial of a company that signed up by the store; null for others. */
      signUpTrialEnd: tag<string | null>`case when ${companies.leadId} is not null
        then ${day(tag`(${companies.createdAt} + make_interval(days => ${TRIAL_DAYS}))`)} end`,
      /** In the order of their first days. */
      pauses: tag<Pause[]>`coalesce((select json_agg(${pause} order by p.from_day, p.id)
        from subscription_pauses p where p.company_id = ${companies.id}), '[]')`,
      ...termsOf(tag`${companies.id}`),
    })
    .from(companies)
    .leftJoin(plans, and(eq(plans.companyId, companies.id), isNull(companies.leavingAt)))
    .leftJoin(planChanges, eq(planChanges.companyId, companies.id))
    .where(eq(companies.id, given('companyId')))
})

/** The change of plan that waits for its day, or is to be applied. */
export async function planChangeOf(sql: Sql, companyId: number) {
  const [row] = await sql.select().from(planChanges).where(eq(planChanges.companyId, companyId))
  return row ?? null
}

export const waitingChange = (tx: Tx) => planChangeOf(tx.sql, tx.companyId)

/** Replaces the one that waited. */
export const putChange = (tx: Tx, values: Omit<typeof planChanges.$inferInsert, 'companyId'>) =>
  tx.sql
    .insert(planChanges)
    .values({ ...values, companyId: tx.companyId })
    .onConflictDoUpdate({ target: planChanges.companyId, set: { ...values, createdAt: tag`now()` } })

export const dropChange = (sql: Sql, companyId: number) =>
  sql.delete(planChanges).where(eq(planChanges.companyId, companyId))

/** Companies whose change of plan has come, by a day that has begun anywhere on earth. */
export async function changesDue(sql: Sql, now: Date): Promise<number[]> {
  const latest = new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10)
  const rows = await sql
    .select({ id: planChanges.companyId })
    .from(planChanges)
    .where(lte(planChanges.fromDay, latest))
  return rows.map(({ id }) => id)
}

export const listPauses = (tx: Tx) =>
  tx.sql
    .select({
      id: subscriptionPauses.id,
      kind: subscriptionPauses.kind,
      from: subscriptionPauses.fromDay,
      until: subscriptionPauses.untilDay,
      reason: subscriptionPauses.reason,
      restsService: subscriptionPauses.restsService,
    })
    .from(subscriptionPauses)
    .where(eq(subscriptionPauses.companyId, tx.companyId))
    .orderBy(desc(subscriptionPauses.fromDay), desc(subscriptionPauses.id))
    .limit(MOST_PAUSES)

/** So many are shown. */
const MOST_PAUSES = 100

export const insertPause = (
  tx: Tx,
  values: Omit<typeof subscriptionPauses.$inferInsert, 'companyId' | 'id'>,
) => tx.sql.insert(subscriptionPauses).values({ ...values, companyId: tx.companyId })

/** False where there is no such pause, or the company is switched off by it. */
export async function endPause(tx: Tx, pauseId: number, untilDay: string): Promise<boolean> {
  const rows = await tx.sql
    .update(subscriptionPauses)
    .set({ untilDay: tag`greatest(${untilDay}::date, ${subscriptionPauses.fromDay})` })
    .where(
      and(
        eq(subscriptionPauses.companyId, tx.companyId),
        eq(subscriptionPauses.id, pauseId),
        eq(subscriptionPauses.kind, 'pause'),
      ),
    )
    .returning({ id: subscriptionPauses.id })
  return rows.length > 0
}
