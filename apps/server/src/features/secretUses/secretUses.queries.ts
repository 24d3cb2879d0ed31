import { MOST_USES, type SecretUse } from '@balcao/contract/secretUses.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { secretUses } from './secretUses.table.ts'

export type Use = Pick<
  typeof secretUses.$inferInsert,
  'companyId' | 'userId' | 'kind' | 'secret' | 'name' | 'call' | 'network'
>

/** Counts calls of programs in the name of users who are still there. Beyond MOST_USES records of a user further networks share one, `*`. */
export const countUses = (sql: Sql, uses: (Use & { times: number })[]) =>
  rowsFrom(
    sql,
    tag`insert into secret_uses (company_id, user_id, kind, secret, name, call, network, times)
      select u."companyId", u."userId", u.kind, u.secret, max(u.name), u.call, case when exists (
          select from secret_uses one where one.company_id = u."companyId" and one.user_id = u."userId" and one.kind = u.kind
            and one.secret = u.secret and one.call = u.call and one.network = u.network)
        or (select count(*) from secret_uses other where other.company_id = u."companyId" and other.user_id = u."userId")
          < ${MOST_USES}
        then u.network else '*' end as place, sum(u.times)
      from json_to_recordset(${JSON.stringify(uses)}) u
        ("companyId" int, "userId" int, kind text, secret text, name text, call text, network text, times int)
      join users on users.company_id = u."companyId" and users.id = u."userId"
      group by u."companyId", u."userId", u.kind, u.secret, u.call, place
      order by u."companyId", u."userId", u.kind, u.secret, u.call, place
      on conflict (company_id, user_id, kind, secret, call, network)
      do update set times = secret_uses.times + excluded.times, last_at = now(), name = excluded.name`,
  )

/** What was called in the name of a user, the last first. */
export const secretUsesOf = (tx: Tx, userId: number): Promise<SecretUse[]> =>
  tx.sql
    .select({
      kind: secretUses.kind,
      name: secretUses.name,
      call: secretUses.call,
      network: secretUses.network,
      times: secretUses.times,
      since: secretUses.since,
      lastAt: secretUses.lastAt,
    })
    .from(secretUses)
    .where(and(eq(secretUses.companyId, tx.companyId), eq(secretUses.userId, userId)))
    .orderBy(desc(secretUses.lastAt))
    .limit(2 * MOST_USES)

export const secretUsesLifetime = lifetime(secretUses, secretUses.lastAt, 90)
