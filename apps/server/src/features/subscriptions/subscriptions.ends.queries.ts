import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, lt, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { type Place, todayAt } from './subscriptions.queries.ts'
import { subscriptions } from './subscriptions.table.ts'

/** Companies that are on, and whose last day is over where they are. */
export async function endedSubscriptions(sql: Sql, now: Date, usualZone: string): Promise<number[]> {
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`select s.company_id as id from subscriptions s join companies c on c.id = s.company_id
      where s.ends_on < (${now.toISOString()}::timestamptz at time zone coalesce(c.time_zone, ${usualZone}))::date
        and c.status = 1 and c.leaving_at is null order by 1`,
  )
  return rows.map(({ id }) => id)
}

/** Whether the last day of the subscription is over, and its company has no master. */
export async function isEnded(sql: Sql, { companyId, ...place }: Place): Promise<boolean> {
  const [row] = await rowsFrom<{ ended: boolean }>(
    sql,
    tag`select exists (select from subscriptions where company_id = ${companyId} and ends_on < ${todayAt(place)})
      and not exists (select from users where company_id = ${companyId} and master = 1) as ended`,
  )
  return row!.ended
}

/** Begins the pause of a company that is switched off since it ended: on the day after its last, also where nothing ran on that day. */
export const pauseEnded = (sql: Sql, companyId: number) =>
  sql.execute(tag`insert into subscription_pauses (company_id, kind, from_day)
    select company_id, 'off', ends_on + 1 from subscriptions where company_id = ${companyId}`)

/** An end that has come is withdrawn, since a master switches the company on again; one that is to come stays. */
export const withdrawPastEnd = (sql: Sql, place: Place) =>
  sql
    .update(subscriptions)
    .set({ endsOn: null, endReason: '', endedBy: '' })
    .where(and(eq(subscriptions.companyId, place.companyId), lt(subscriptions.endsOn, todayAt(place))))
