import type { Tx } from '../../platform/scope.ts'
import { eq, type SQL, sql as tag } from '../../platform/sql.ts'
import { startOf, zoneOf } from '../companies/companies.queries.ts'
import { companies } from '../companies/companies.table.ts'

/**
 * What the company's clock shows, as moments in UTC, in the same order. PostgreSQL's rules: a time that a clock skips
 * comes as much later as it skips (02:30 is 03:30), and of one that it shows twice the second counts, in standard time.
 */
export async function momentsOf(tx: Tx, shown: string[]): Promise<string[]> {
  if (shown.length === 0) return []
  const clocks = tag`unnest(${`{${shown}}`}::text[]) with ordinality as c(shown, place)`
  const moment = isoOf(tag`c.shown::timestamp at time zone ${zoneOf(tx)}`)
  const [row] = await tx.sql
    .select({ moments: tag<string[]>`(select json_agg(${moment} order by c.place) from ${clocks})` })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!.moments
}

/** A moment that a form says, in UTC, with what the company's clock shows then and how far away it is. */
export async function plannedTime(tx: Tx, moment: string, aheadYears: number) {
  const at = startOf(tx, moment)
  const [row] = await tx.sql
    .select({
      at: isoOf(at),
      shown: tag<string>`to_char(${at} at time zone ${zoneOf(tx)}, 'YYYY-MM-DD"T"HH24:MI')`,
      agoMs: tag<number>`(extract(epoch from now() - ${at}) * 1000)::float8`,
      tooFar: tag<boolean>`${at} > now() + ${aheadYears}::int * interval '1 year'`,
    })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!
}

/** A moment as ISO 8601 text. */
export const isoOf = (at: SQL) =>
  tag<string>`to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
