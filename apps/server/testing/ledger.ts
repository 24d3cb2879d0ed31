import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { expect } from 'vitest'
import { rowsFrom, sql as tag } from '../src/platform/postgres/sql.ts'
import type { PlatformScope, Scope, Tx } from '../src/platform/scope.ts'

/** A process that dies within a transaction: what it wrote is rolled back. */
export class Died extends Error {}

export const isDeath = (error: unknown) =>
  error instanceof Died || (error instanceof Error && error.cause instanceof Died)

/** Statements that a process still carries out. */
interface Left {
  statements: number
}

/** A scope whose transactions die at their n-th statement; `transactions` begin to count together. */
export const dyingAt = (scope: Scope, statement: number): Scope => dyingWith(scope, { statements: statement })

/** The platform whose companies’ transactions die. */
export const platformDyingAt = (platform: PlatformScope, statement: number): PlatformScope => ({
  ...platform,
  inCompany: (companyId, viewer) => dyingAt(platform.inCompany(companyId, viewer), statement),
})

/** A platform that dies at its n-th statement, of whatever transaction. */
export function platformDyingOnce(platform: PlatformScope, statement: number): PlatformScope {
  const left = { statements: statement }
  return {
    ...platform,
    transaction: work => platform.transaction(sql => work(counted(sql, left))),
    inCompany: (companyId, viewer) => dyingWith(platform.inCompany(companyId, viewer), left),
  }
}

const dyingWith = (scope: Scope, left: Left): Scope => ({
  ...scope,
  transaction: work =>
    scope.transaction(tx =>
      work(
        new Proxy(tx, {
          get: (of, name) => (name === 'sql' ? counted(of.sql, left) : Reflect.get(of, name)),
        }),
      ),
    ),
})

const counted = <Sql extends Tx['sql']>(sql: Sql, left: Left): Sql =>
  new Proxy(sql, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (
        ['select', 'insert', 'update', 'delete', 'execute'].includes(String(name)) &&
        left.statements-- <= 0
      )
        throw new Died()
      return value.bind(target)
    },
  })

interface LedgerInvoice {
  id: number
  first: string
  last: string
  isAutomatic: boolean
  value: number
  paid: number
  status: string
  isCancelled: boolean
}

/**
 * What holds of a ledger at any time: each cent of each payment is in one place, an invoice is paid by what its payments
 * allocate, no day has two automatic invoices, and none between two is left out unless the company was not billed then.
 */
export async function expectSoundLedger(
  platform: PlatformScope,
  companyId: number,
  isBilled: (day: string) => boolean,
): Promise<void> {
  const [money] = await platform.transaction(sql =>
    rowsFrom<{ wrong: number; balance: number; expected: number }>(
      sql,
      tag`with p as (
          select p.id, p.value,
            coalesce((select sum(value) from payment_refunds r where r.payment_id = p.id and r.state <> 'failed'), 0) as back,
            coalesce((select sum(value) from payment_allocations a where a.payment_id = p.id), 0) as used
          from payments p where p.company_id = ${companyId} and p.voided_at is null)
        select (select count(*) from p where back + used > value or used < 0 or back < 0)::int as wrong,
          coalesce((select sum(value - back) from p), 0)::int
            - coalesce((select sum(value) from invoices where company_id = ${companyId} and cancelled_at is null), 0)::int as balance,
          coalesce((select sum(value - back - used) from p), 0)::int
            - coalesce((select sum(value - paid_value) from invoices
                where company_id = ${companyId} and cancelled_at is null), 0)::int as expected`,
    ),
  )
  expect(money).toMatchObject({ wrong: 0, balance: money!.expected })
  const found = await platform.transaction(sql =>
    rowsFrom<LedgerInvoice>(
      sql,
      tag`select i.id, to_char(i.start_invoice_period, 'YYYY-MM-DD') as first, i.is_automatic as "isAutomatic", i.value,
          to_char(coalesce(i.released_from - 1, i.end_invoice_period), 'YYYY-MM-DD') as last, i.paid_value as paid,
          i.status, i.cancelled_at is not null as "isCancelled",
          coalesce((select sum(value) from payment_allocations a where a.invoice_id = i.id), 0)::int as allocated
        from invoices i where i.company_id = ${companyId} order by i.start_invoice_period, i.id`,
    ),
  )
  for (const one of found) {
    const isPaid = one.status === 'RECEIVED' || one.status === 'CONFIRMED'
    expect([one.id, one.paid <= one.value, isPaid]).toEqual([
      one.id,
      true,
      !one.isCancelled && one.paid === one.value,
    ])
  }
  // a released invoice may hold no day any more
  const held = found.filter(({ first, last, isAutomatic }) => isAutomatic && first <= last)
  for (const [at, one] of held.slice(1).entries()) {
    const before = held[at]!
    expect([before.last < one.first, before, one]).toEqual([true, before, one])
    for (let day = daysFrom(before.last, 1); day < one.first; day = daysFrom(day, 1))
      expect([day, isBilled(day)]).toEqual([day, false])
  }
}
