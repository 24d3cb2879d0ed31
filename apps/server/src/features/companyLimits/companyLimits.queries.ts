import type { Limited } from '@balcao/contract/companyLimits.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, inArray, isNull, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { companies } from '../companies/companies.table.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { users } from '../users/users.table.ts'

export type LimitedRow = Limited['rows'][number]

/** The users of the company, the oldest first, admins before others. */
export const limitedUsers = (tx: Tx): Promise<LimitedRow[]> =>
  rowsFrom(
    tx.sql,
    tag`select id, name, email as detail, resting_since is not null as "isResting", profile = 'admin' as "isAdmin"
      from users where company_id = ${tx.companyId} order by profile = 'admin' desc, id`,
  )

/** The connections of the company, the oldest first. */
export const limitedConnections = (tx: Tx): Promise<LimitedRow[]> =>
  rowsFrom(
    tx.sql,
    tag`select id, name, number as detail, resting_since is not null as "isResting", false as "isAdmin"
      from whatsapps where company_id = ${tx.companyId} order by id`,
  )

/** Since `since` these rest; null: they go on. */
export const setUsersResting = (tx: Tx, ids: number[], since: string | null) =>
  tx.sql
    .update(users)
    .set({ restingSince: since })
    .where(and(eq(users.companyId, tx.companyId), inArray(users.id, ids)))

export const setConnectionsResting = (tx: Tx, ids: number[], since: string | null) =>
  tx.sql
    .update(whatsapps)
    .set({ restingSince: since })
    .where(and(eq(whatsapps.companyId, tx.companyId), inArray(whatsapps.id, ids)))

export async function chooseByOf(tx: Tx): Promise<string | null> {
  const [row] = await tx.sql
    .select({ limitsBy: companies.limitsBy })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!.limitsBy
}

/** So many are named. */
const MOST_CHOOSERS = 5

/** Admins of the company who see what it pays: where that is, it is chosen. */
export async function choosersOf(tx: Tx): Promise<string[]> {
  const rows = await tx.sql
    .select({ name: users.name })
    .from(users)
    .where(
      and(
        eq(users.companyId, tx.companyId),
        eq(users.profile, 'admin'),
        eq(users.payPanelAccess, true),
        isNull(users.restingSince),
      ),
    )
    .orderBy(users.id)
    .limit(MOST_CHOOSERS)
  return rows.map(({ name }) => name)
}

/** Companies that have something to choose, of which something rests, or that have more than they may. */
export async function limitedCompanies(sql: Sql): Promise<number[]> {
  const over = (table: 'users' | 'whatsapps', limit: string) =>
    tag`select c.id from (select company_id, count(*) as many, count(resting_since) as resting
        from ${tag.raw(table)} group by company_id) had join companies c on c.id = had.company_id
      where (had.resting > 0 or had.many > ${tag.raw(limit)}) and c.leaving_at is null`
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`select id from companies where limits_by is not null and leaving_at is null
      union ${over('users', 'c.number_attendants')} union ${over('whatsapps', 'c.number_conections')} order by 1`,
  )
  return rows.map(({ id }) => id)
}
