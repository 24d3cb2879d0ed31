import { CollectorName } from '@balcao/contract/collectors.ts'
import type { Branding } from '@balcao/contract/companies.ts'
import { providerOfServer } from '../../payments/providers.ts'
import type { Config } from '../../platform/config.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq, sql as tag } from '../../platform/postgres/sql.ts'
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

const NO_COLLECTOR = 'none'

/** The provider that collects new charges: as the operator chose, else as the server’s variables name it. Null for none. */
export async function chosenCollector(sql: Sql, config: Config): Promise<CollectorName | null> {
  const [row] = await sql.select().from(settings).where(eq(settings.key, 'collector'))
  return row ? (CollectorName.safeParse(row.value).data ?? null) : providerOfServer(config)
}

/** The same within a statement; null where the server’s variables name none. */
export const collectorChosen = (config: Config) =>
  tag`coalesce((select value from settings where key = 'collector'), ${providerOfServer(config)})`

export const chooseCollector = (sql: Sql, name: CollectorName | null) =>
  sql
    .insert(settings)
    .values({ key: 'collector', value: name ?? NO_COLLECTOR })
    .onConflictDoUpdate({ target: settings.key, set: { value: name ?? NO_COLLECTOR } })

const ofDemo = (companyId: number) => `demo.${companyId}`

/** Nothing of a company of the demo counts in past months when it is deleted. */
export const markDemo = (sql: Sql, companyId: number) =>
  sql
    .insert(settings)
    .values({ key: ofDemo(companyId), value: 'leaving' })
    .onConflictDoNothing()

/** Deletes the mark of a company that is deleted; answers whether it had one. */
export async function dropDemoMark(sql: Sql, companyId: number): Promise<boolean> {
  const marks = await sql
    .delete(settings)
    .where(eq(settings.key, ofDemo(companyId)))
    .returning({ key: settings.key })
  return marks.length > 0
}
