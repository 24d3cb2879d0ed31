import type { Branding } from '@balcao/contract/companies.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq } from '../../platform/postgres/sql.ts'
import { settings } from './companies.table.ts'

/** Whether sign-up is open (OP-44); the default. */
export async function signUpIsOpen(sql: Sql): Promise<boolean> {
  const [row] = await sql.select().from(settings).where(eq(settings.key, 'userCreation'))
  return row?.value !== 'disabled'
}

export const changeSignUp = (sql: Sql, value: Branding['userCreation']) =>
  sql
    .insert(settings)
    .values({ key: 'userCreation', value })
    .onConflictDoUpdate({ target: settings.key, set: { value } })

/** Sets it at the first start; a later choice is kept. */
export const beginSignUp = (sql: Sql, value: Branding['userCreation']) =>
  sql.insert(settings).values({ key: 'userCreation', value }).onConflictDoNothing()

/** Days that a company may be overdue before it is suspended; 0, the default, for never. */
export async function graceDays(sql: Sql): Promise<string> {
  const [row] = await sql.select().from(settings).where(eq(settings.key, 'graceDays'))
  return row?.value ?? '0'
}

export const setGraceDays = (sql: Sql, days: string) =>
  sql
    .insert(settings)
    .values({ key: 'graceDays', value: days })
    .onConflictDoUpdate({ target: settings.key, set: { value: days } })
