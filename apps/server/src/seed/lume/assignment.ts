import type { Sql } from '../../platform/postgres/db.ts'
import { sql as tag } from '../../platform/postgres/sql.ts'
import type { Stage } from './write.ts'

/**
 * One queue gives its tickets in turn. No attendant has fewer open ones than its capacity: what waits says why, and whoever
 * resolves one gets the next. A colleague is there, as if with a screen for the day.
 */
export async function lumeAssignment(sql: Sql, { companyId, team }: Pick<Stage, 'companyId' | 'team'>) {
  await sql.execute(tag`insert into queue_assignments (company_id, queue_id, mode, capacity, sticky_days, owner_first, look_at)
    select q.company_id, q.id, 'rotation', (select greatest(1, min(open)) from (
        select count(*)::int as open from tickets t where t.company_id = q.company_id and t.status = 'open' and t.user_id is not null
        group by t.user_id) each), 30, true, now()
    from queues q where q.company_id = ${companyId} and q.name = 'Vendas'`)
  const { id: present } = team.at(-2)!
  const whose = tag`${companyId}::int, ${present}::int`
  await sql.execute(tag`insert into user_presence (company_id, user_id, seen_until, screen_at)
    values (${whose}, now() + interval '10 hours', now())`)
  await sql.execute(tag`insert into user_availability (company_id, user_id, chosen, state, cause, since)
    values (${whose}, 'available', 'available', 'hand', now() - interval '2 hours')`)
  await sql.execute(tag`insert into availability_spells (company_id, user_id, state, cause, began_at)
    values (${whose}, 'available', 'hand', now() - interval '2 hours')`)
  // and some customers have an owner
  await sql.execute(
    tag`update contacts set owner_id = (array[${tag.join(
      team.map(({ id }) => tag`${id}::int`),
      tag`, `,
    )}])[1 + id % ${team.length}::int] where company_id = ${companyId} and id % 4 = 0`,
  )
}
