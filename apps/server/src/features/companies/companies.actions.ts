import { plainDocument } from '@balcao/contract/companies.rules.ts'
import type { Branding, CompanyInput, OwnCompany } from '@balcao/contract/companies.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { addressOf, removeFiles } from '../../platform/files.served.ts'
import type { StoredFile } from '../../platform/files.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { eq, sql as tag } from '../../platform/sql.ts'
import { companyChanged } from './companies.events.ts'
import { copyPlan } from './companies.plan.ts'
import { knowsZone, ownCompany, standardPlan, zoneOf } from './companies.queries.ts'
import { companies, settings } from './companies.table.ts'

type NewCompany = Pick<typeof companies.$inferInsert, 'name' | 'email'> &
  Partial<typeof companies.$inferInsert>

/** Makes a company on a copy of the standard plan (OP-42), whose flags and limits are its own by that (OP-25). */
export async function createCompany(sql: Sql, fields: NewCompany): Promise<number> {
  const companyId = await insertCompany(sql, fields)
  const plan = await standardPlan(sql)
  if (plan) await copyPlan(sql, companyId, plan)
  return companyId
}

/** Makes a company without a plan. */
export async function insertCompany(sql: Sql, fields: NewCompany): Promise<number> {
  const values = { ...fields, companyName: fields.companyName || fields.name }
  const [company] = await sql.insert(companies).values(values).returning({ id: companies.id })
  return company!.id
}

/** Opens or closes sign-up for the whole platform (OP-44). */
export const changeSignUp = (sql: Sql, value: Branding['userCreation']) =>
  sql
    .insert(settings)
    .values({ key: 'userCreation', value })
    .onConflictDoUpdate({ target: settings.key, set: { value } })

/** What the first start was told; whoever has chosen since is left alone. */
export const beginSignUp = (sql: Sql, value: Branding['userCreation']) =>
  sql.insert(settings).values({ key: 'userCreation', value }).onConflictDoNothing()

/**
 * Changes what a company decides for itself; its people hear of it. `logo` is a file that is kept by now. Refuses with
 * ERR_BAD_REQUEST and the field.
 */
export const changeCompany = (
  scope: Scope,
  input: CompanyInput,
  logo: Pick<StoredFile, 'key'> | null,
): Promise<OwnCompany> =>
  scope.transaction(async tx => {
    const { timeZone } = input
    if (timeZone && !(await knowsZone(tx, timeZone)))
      refuse('ERR_BAD_REQUEST', { field: 'timeZone', message: 'No such time zone' })
    const [before] = await tx.sql
      .select({ logoUrl: companies.logoUrl })
      .from(companies)
      .where(eq(companies.id, tx.companyId))
      .for('update')
    const logoUrl = logo ? addressOf(logo.key) : input.logoUrl === '' ? '' : before!.logoUrl
    await tx.sql
      .update(companies)
      .set({ ...columnsOf(input), logoUrl })
      .where(eq(companies.id, tx.companyId))
    if (before!.logoUrl !== logoUrl) await removeFiles(tx, [before!.logoUrl])
    tx.emit(companyChanged, {})
    await tx.involve(companyChanged, {})
    return ownCompany(tx)
  })

/** The part of an input that is the company's row. What it is called, its people are shown too. */
const columnsOf = ({ logoUrl: _kept, documentNumber, name, ...plain }: CompanyInput) => ({
  ...plain,
  ...(name !== undefined && { name, companyName: name }),
  ...(documentNumber !== undefined && { documentNumber: plainDocument(documentNumber) }),
})

/** The next protocol number of a company: its day and a running number, never given twice (OP-68). */
export async function nextProtocol(tx: Tx): Promise<string> {
  const [row] = await tx.sql
    .update(companies)
    .set({ lastProtocol: tag`${companies.lastProtocol} + 1` })
    .where(eq(companies.id, tx.companyId))
    .returning({
      number: companies.lastProtocol,
      day: tag<string>`to_char(now() at time zone ${zoneOf(tx)}, 'YYYYMMDD')`,
    })
  return `${row!.day}${String(row!.number).padStart(4, '0')}`
}
