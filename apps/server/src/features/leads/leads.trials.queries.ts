import { refuse } from '../../platform/errors.ts'
import { idFrom } from '../../platform/ids.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, isNotNull } from '../../platform/postgres/sql.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { settingNow } from '../companies/companies.settings.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { trialDocuments } from './leads.trials.table.ts'

/**
 * Remembers that a document (without punctuation) has its trial. Of two sign-ups at once the second waits. Refuses with
 * ERR_TRIAL_USED where it had one and the operator gives one trial to each.
 */
export async function spendTrial(sql: Sql, document: string): Promise<void> {
  const first = await sql
    .insert(trialDocuments)
    .values({ digest: idFrom(`trial ${document}`) })
    .onConflictDoNothing()
    .returning({ digest: trialDocuments.digest })
  if ((await settingNow(sql, 'oneTrial')) !== 'enabled') return
  if (first.length === 0 || (await hasSignedUp(sql, document)))
    refuse('ERR_TRIAL_USED', { field: 'documentNumber' })
}

/** Also with an earlier version. */
async function hasSignedUp(sql: Sql, document: string): Promise<boolean> {
  const [row] = await sql
    .select({ id: companies.id })
    .from(companies)
    .where(and(eq(companies.documentNumber, document), isNotNull(companies.leadId)))
    .limit(1)
  return row !== undefined
}

/** Five years. */
export const trialsLifetime = lifetime(trialDocuments, trialDocuments.at, 1_826)
