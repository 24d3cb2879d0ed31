import type { TermsInput } from '@balcao/contract/terms.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { type PlatformScope, type Scope, viewerOf } from '../../platform/scope.ts'
import { companyChanged } from '../companies/companies.events.ts'
import { findUser } from '../users/users.queries.ts'
import {
  askEveryone,
  currentTerms,
  insertTerms,
  lockTerms,
  lockVersions,
  recordAcceptance,
  settleTerms,
  type TermsRow,
  termsOfVersion,
  withdrawTerms,
} from './terms.queries.ts'

/**
 * Publishes a version, and asks the admins of companies to accept it; the current one, published again, changes nothing. Refuses with
 * ERR_BAD_REQUEST a version that was published before.
 */
export const publishTerms = (platform: PlatformScope, input: TermsInput, recordedBy: string) =>
  platform.transaction(async sql => {
    await lockVersions(sql)
    const known = await termsOfVersion(sql, input.version)
    const isCurrent = known !== null && (await currentTerms(sql))?.id === known.id
    if (known && !(isCurrent && known.url === input.url && known.text === input.text))
      refuse('ERR_BAD_REQUEST', { field: 'version', message: 'Esta versão já foi publicada' })
    if (known) return
    await insertTerms(sql, { ...input, recordedBy })
    await askEveryone(sql, true)
  })

/** No terms are asked for any more. */
export const endTerms = (platform: PlatformScope) =>
  platform.transaction(async sql => {
    await lockVersions(sql)
    const current = await currentTerms(sql)
    if (current) await withdrawTerms(sql, current.id)
    await askEveryone(sql, false)
  })

/** The terms that a sign-up accepts; null where the operator has none. Refuses with ERR_TERMS_OPEN. */
export async function acceptedTerms(sql: Sql, version: string | undefined): Promise<TermsRow | null> {
  const current = await lockTerms(sql)
  if (current && current.version !== version) refuse('ERR_TERMS_OPEN', { field: 'termsVersion' })
  return current
}

/** An admin accepts the current terms for the company. Refuses with ERR_TERMS_OPEN. */
export const acceptTerms = (platform: PlatformScope, scope: Scope, version: string) =>
  platform.transactionOf(
    scope.companyId,
    async sql => {
      const { id, name } = viewerOf(scope)
      const { companyId } = scope
      const current = await acceptedTerms(sql, version)
      if (!current) return
      const { email } = await findUser(sql, companyId, id)
      await recordAcceptance(sql, { companyId, termsId: current.id, name, email })
      await settleTerms(sql, companyId)
    },
    async tx => {
      tx.emit(companyChanged, {})
      await tx.involve(companyChanged, {})
      tx.note('the terms are accepted', { version })
    },
  )
