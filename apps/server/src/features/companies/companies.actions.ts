import { plainDocument } from '@balcao/contract/companies.rules.ts'
import type { CompanyInput, OwnCompany } from '@balcao/contract/companies.ts'
import { isCountry } from '@balcao/contract/numbers.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { addressOf, removeFiles } from '../../platform/files/served.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import type { Scope } from '../../platform/scope.ts'
import { companyChanged, zoneChanged } from './companies.events.ts'
import { copyPlan } from './companies.plan.queries.ts'
import {
  insertCompany,
  knowsZone,
  lockLogoAndZone,
  type NewCompany,
  ownCompany,
  standardPlan,
  updateCompany,
} from './companies.queries.ts'

/** Adds a company with a copy of the standard plan (OP-42), and its flags and limits (OP-25). */
export async function createCompany(sql: Sql, fields: NewCompany): Promise<number> {
  const companyId = await insertCompany(sql, fields)
  const plan = await standardPlan(sql)
  if (plan) await copyPlan(sql, companyId, plan)
  return companyId
}

/** Changes the settings of a company. `logo` is a stored file. Refuses with ERR_BAD_REQUEST and the field. */
export const changeCompany = (
  scope: Scope,
  input: CompanyInput,
  logo: Pick<StoredFile, 'key'> | null,
): Promise<OwnCompany> =>
  scope.transaction(async tx => {
    const { timeZone, phoneCountry } = input
    if (timeZone && !(await knowsZone(tx, timeZone)))
      refuse('ERR_BAD_REQUEST', { field: 'timeZone', message: 'No such time zone' })
    if (phoneCountry && !isCountry(phoneCountry))
      return refuse('ERR_BAD_REQUEST', { field: 'phoneCountry', message: 'No such country' })
    const before = await lockLogoAndZone(tx)
    const logoUrl = logo ? addressOf(logo.key) : input.logoUrl === '' ? '' : before.logoUrl
    await updateCompany(tx, { ...columnsOf(input), logoUrl })
    if (before.logoUrl !== logoUrl) await removeFiles(tx, [before.logoUrl])
    if (timeZone !== undefined && timeZone !== before.timeZone) await tx.involve(zoneChanged, {})
    tx.emit(companyChanged, {})
    await tx.involve(companyChanged, {})
    return ownCompany(tx)
  })

const columnsOf = ({ logoUrl: _kept, documentNumber, ...plain }: CompanyInput) => ({
  ...plain,
  ...(documentNumber !== undefined && { documentNumber: plainDocument(documentNumber) }),
})
