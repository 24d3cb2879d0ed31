import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { termsAcceptances as acceptances, termsVersions as versions } from './terms.table.ts'

export type TermsRow = typeof versions.$inferSelect

/** The newest version; null where there is none, or it is withdrawn. */
export async function currentTerms(sql: Sql): Promise<TermsRow | null> {
  const [row] = await sql.select().from(versions).orderBy(desc(versions.id)).limit(1)
  return row && row.withdrawnAt === null ? row : null
}

/** The same: until the commit none is published or withdrawn, so that who accepts it now is asked for the next one. */
export async function lockTerms(sql: Sql): Promise<TermsRow | null> {
  await rowsFrom(sql, tag`select pg_advisory_xact_lock_shared(hashtext('terms'))`)
  return currentTerms(sql)
}

export async function termsOfVersion(sql: Sql, version: string): Promise<TermsRow | null> {
  const [row] = await sql.select().from(versions).where(eq(versions.version, version))
  return row ?? null
}

export const insertTerms = (sql: Sql, values: Pick<TermsRow, 'version' | 'url' | 'text' | 'recordedBy'>) =>
  sql.insert(versions).values(values)

export const withdrawTerms = (sql: Sql, id: number) =>
  sql.update(versions).set({ withdrawnAt: tag`now()` }).where(eq(versions.id, id))

/** One at a time is published or withdrawn. */
export const lockVersions = (sql: Sql) => rowsFrom(sql, tag`select pg_advisory_xact_lock(hashtext('terms'))`)

/** Admins of every company but the operator's own are asked, or of none any more. */
export const askEveryone = (sql: Sql, isDue: boolean) =>
  sql
    .update(companies)
    .set({ termsDue: isDue })
    .where(
      and(
        eq(companies.termsDue, !isDue),
        tag`not (${isDue} and exists (select from users u where u.company_id = ${companies.id} and u.master = 1))`,
      ),
    )

export const settleTerms = (sql: Sql, companyId: number) =>
  sql.update(companies).set({ termsDue: false }).where(eq(companies.id, companyId))

export async function isTermsDue(sql: Sql, companyId: number): Promise<boolean> {
  const [row] = await sql
    .select({ termsDue: companies.termsDue })
    .from(companies)
    .where(eq(companies.id, companyId))
  return row?.termsDue ?? false
}

/** Once for each version: the first acceptance counts. */
export const recordAcceptance = (sql: Sql, values: Omit<typeof acceptances.$inferInsert, 'acceptedAt'>) =>
  sql.insert(acceptances).values(values).onConflictDoNothing()

/** The newest first. */
export async function listAcceptances(
  sql: Sql,
  companyId: number | undefined,
  pageNumber: number | undefined,
) {
  const { rows, hasMore } = await onePage({ pageNumber }, (limit, offset) =>
    sql
      .select({
        companyId: acceptances.companyId,
        companyName: companies.name,
        version: versions.version,
        acceptedAt: acceptances.acceptedAt,
        name: acceptances.name,
        email: acceptances.email,
      })
      .from(acceptances)
      .innerJoin(versions, eq(versions.id, acceptances.termsId))
      .innerJoin(companies, eq(companies.id, acceptances.companyId))
      .where(companyId === undefined ? undefined : eq(acceptances.companyId, companyId))
      .orderBy(desc(acceptances.acceptedAt), desc(acceptances.companyId), desc(acceptances.termsId))
      .limit(limit)
      .offset(offset),
  )
  return { acceptances: rows, hasMore }
}
