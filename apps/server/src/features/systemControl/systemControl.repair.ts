import type { Database, Sql } from '../../platform/db.ts'
import { migrate } from '../../platform/migrate.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { rowsFrom, sql as tag } from '../../platform/sql.ts'

export interface Repaired {
  ticketCounts: number
  contactCounts: number
  unread: number
}

/**
 * Computes again what follows from other rows (OP-113). Each is one statement, which sees rows and counts of the same
 * moment: what moves meanwhile is counted by whoever moves it.
 */
export async function repair(database: Database, platform: PlatformScope): Promise<Repaired> {
  await migrate(database)
  return platform.transaction(async sql => ({
    ticketCounts: await mended(sql, ticketCounts),
    contactCounts: await mended(sql, contactCounts),
    unread: await mended(sql, unread),
  }))
}

async function mended(sql: Sql, statement: ReturnType<typeof tag>): Promise<number> {
  const rows = await rowsFrom<unknown>(sql, statement)
  return rows.length
}

const ticketCounts = tag`
  insert into ticket_counts (company_id, status, queue_id, user_id, tickets)
  select company_id, status, queue_id, user_id, sum(step)::int from (
    select company_id, status, coalesce(queue_id, 0) as queue_id, coalesce(user_id, 0) as user_id, 1 as step from tickets
    union all
    select company_id, status, queue_id, user_id, -tickets from ticket_counts
  ) as both_sides group by 1, 2, 3, 4 having sum(step) <> 0
  returning 1`

const contactCounts = tag`
  insert into contact_counts (company_id, contacts)
  select company_id, sum(step)::int from (
    select company_id, 1 as step from contacts union all select company_id, -contacts from contact_counts
  ) as both_sides group by 1 having sum(step) <> 0
  returning 1`

/** Nothing that was read, and no more than there is, waits to be read. */
const unread = tag`
  update tickets t set unread_messages = least(t.unread_messages, c.waiting), version = t.version + 1
  from (
    select t.company_id, t.id, (
      select count(*)::int from messages m
      where m.company_id = t.company_id and m.ticket_id = t.id and not m.from_me and not m.read
    ) as waiting
    from tickets t where t.unread_messages > 0
  ) as c
  where c.company_id = t.company_id and c.id = t.id and t.unread_messages > c.waiting
  returning 1`
