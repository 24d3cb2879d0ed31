import { markDemo } from '../features/companies/companies.settings.queries.ts'
import { companies } from '../features/companies/companies.table.ts'
import { payments } from '../features/invoices/invoices.ledger.table.ts'
import { invoices } from '../features/invoices/invoices.table.ts'
import { users } from '../features/users/users.table.ts'
import { hashPassword } from '../platform/access/passwords.ts'
import { databaseTime } from '../platform/clock.ts'
import type { Sql } from '../platform/postgres/db.ts'
import { and, eq, inArray, notInArray } from '../platform/postgres/sql.ts'
import type { PlatformScope } from '../platform/scope.ts'
import { type DemoAccount, demoAccounts } from './demo.accounts.ts'
import { endCredentials } from './master.ts'
import { withdrawOffers } from './offers.ts'

/** What is taken away of one company that holds demo accounts. */
export interface DemoCompany {
  id: number
  name: string
  accounts: DemoAccount[]
  /** Who came to it since. */
  others: string[]
  /** False where a master of the platform came to it since: the company stays, its demo accounts are closed. */
  goes: boolean
}

/** The companies with demo accounts, and what a removal does with each. */
export async function demoCompanies(sql: Sql): Promise<DemoCompany[]> {
  const accounts = await demoAccounts(sql)
  if (accounts.length === 0) return []
  const ids = [...new Set(accounts.map(({ companyId }) => companyId))]
  const named = await sql
    .select({ id: companies.id, name: companies.name })
    .from(companies)
    .where(inArray(companies.id, ids))
    .orderBy(companies.id)
  const own = accounts.map(({ id }) => id)
  const others = await sql
    .select({ companyId: users.companyId, email: users.email, master: users.master })
    .from(users)
    .where(and(inArray(users.companyId, ids), notInArray(users.id, own)))
    .orderBy(users.id)
  return named.map(({ id, name }) => {
    const came = others.filter(({ companyId }) => companyId === id)
    return {
      ...{ id, name, accounts: accounts.filter(({ companyId }) => companyId === id) },
      ...{ others: came.map(({ email }) => email), goes: !came.some(({ master }) => master === 1) },
    }
  })
}

/**
 * Takes demo data away, in one commit: its companies are switched off and marked, as by a master who deletes a company
 * (`removeClient`), and the running product, or the next one, deletes their rows and files (clients.worker.ts). Their invoices
 * and payments go at once, and what is recorded until then is not copied (`markDemo`), so that no month of revenue keeps any.
 * Accounts in a company that stays get an unknown password. Answers what was found; the second time nothing.
 */
export async function removeDemo(platform: PlatformScope): Promise<DemoCompany[]> {
  const closed = await hashPassword(platform, crypto.randomUUID(), 'the removal of demo data')
  return platform.transaction(async sql => {
    const found = await demoCompanies(sql)
    for (const company of found)
      if (company.goes) await removeCompany(sql, company)
      else await closeAccounts(sql, company, closed)
    if (found.length > 0) await withdrawOffers(sql)
    return found
  })
}

async function removeCompany(sql: Sql, { id }: DemoCompany) {
  await sql.update(companies).set({ status: 0, leavingAt: databaseTime() }).where(eq(companies.id, id))
  await markDemo(sql, id)
  await sql.delete(payments).where(eq(payments.companyId, id))
  await sql.delete(invoices).where(eq(invoices.companyId, id))
}

async function closeAccounts(sql: Sql, { id, accounts }: DemoCompany, passwordHash: string) {
  for (const account of accounts) {
    // an address of the demo's own would be found again
    const email = `closed-${account.id}@demo.invalid`
    await sql
      .update(users)
      .set({ email, passwordHash, master: 0, credentialsAt: databaseTime() })
      .where(and(eq(users.companyId, id), eq(users.id, account.id)))
    await endCredentials(sql, id, account.id)
  }
}
