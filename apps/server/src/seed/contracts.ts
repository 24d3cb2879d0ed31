import { DAYS_AHEAD, daysFrom, monthsFrom, priceOf } from '@balcao/contract/invoices.rules.ts'
import { followPlan, type PlanRow } from '../features/companies/companies.plan.queries.ts'
import { companies, plans } from '../features/companies/companies.table.ts'
import { invoices } from '../features/invoices/invoices.table.ts'
import type { Sql } from '../platform/postgres/db.ts'
import { eq, rowsFrom, sql as tag } from '../platform/postgres/sql.ts'
import { prices, standardOffer } from './offers.ts'

type Terms = Partial<typeof plans.$inferInsert>

interface Contract {
  terms: Terms
  /** When the newest period begins, in days from today: before it begins its invoice is there already. */
  newest: number
  /** So many periods came before it, and all were paid, so many days after they were due. */
  paid: number
  paysAfter: number
  status: 'PENDING' | 'OVERDUE'
}

const contracts = {
  /** Negotiated, beyond what the store has. */
  lume: {
    terms: {
      name: 'Corporativo',
      slogan: 'Para redes com muitas lojas e muitos números',
      numberAttendants: 30,
      numberConnections: 30,
      ...prices(89_900, 84_900, 79_900, 74_900),
    },
    ...{ newest: 7, paid: 13, paysAfter: 0, status: 'PENDING' },
  },
  /** One that is not sold any more: everything in it, for two people and a number. */
  bakery: {
    terms: {
      name: 'Primeiros passos',
      slogan: 'Para quem atende sozinho',
      numberAttendants: 2,
      numberConnections: 1,
      campaignSendLimitPerHour: 30,
      ...prices(5_900, 5_400, 4_900, 4_400),
    },
    ...{ newest: 4, paid: 5, paysAfter: -1, status: 'PENDING' },
  },
  /** The one that every company gets, at its price in the store. */
  clinic: {
    terms: { ...standardOffer, numberAttendants: 10, numberConnections: 3, enableCampaigns: false },
    ...{ newest: -12, paid: 3, paysAfter: 2, status: 'OVERDUE' },
  },
} as const satisfies Record<string, Contract>

/** What a company has agreed to, and what it was billed up to today: as the hourly job would have made it month by month. */
export async function demoContract(
  sql: Sql,
  companyId: number,
  client: keyof typeof contracts,
  timeZone: string,
): Promise<void> {
  const { terms, ...billed } = contracts[client]
  const [plan] = await sql
    .update(plans)
    .set({ ...terms, automaticInvoice: true })
    .where(eq(plans.companyId, companyId))
    .returning()
  await followPlan(sql, plan!)
  const [row] = await rowsFrom<{ today: string }>(
    sql,
    tag`select to_char(now() at time zone ${timeZone}, 'YYYY-MM-DD') as today`,
  )
  const rows = invoicesOf(plan!, billed, row!.today)
  await sql.insert(invoices).values(rows.map(invoice => ({ companyId, ...invoice })))
  await sql.update(companies).set({ createdAt: rows[0]!.createdAt }).where(eq(companies.id, companyId))
}

/** Oldest first. */
function invoicesOf(plan: PlanRow, billed: Omit<Contract, 'terms'>, today: string) {
  const { months, cents } = priceOf(plan)
  const newest = daysFrom(today, billed.newest)
  const anchor = Number(newest.slice(8))
  return Array.from({ length: billed.paid + 1 }, (_, place) => {
    const behind = billed.paid - place
    const start = monthsFrom(newest, -behind * months, anchor)
    const isPaid = behind > 0
    // the first one is made on its first day
    const made = place === 0 ? start : daysFrom(start, -DAYS_AHEAD)
    return {
      planId: plan.id,
      startInvoicePeriod: start,
      endInvoicePeriod: daysFrom(monthsFrom(start, months, anchor), -1),
      value: cents,
      billingType: plan.billingType,
      dueDate: start,
      payDate: isPaid ? daysFrom(start, billed.paysAfter) : null,
      recurrence: months,
      status: isPaid ? ('RECEIVED' as const) : billed.status,
      isAutomatic: true,
      anchor,
      createdAt: `${made}T12:07:00Z`,
    }
  })
}
