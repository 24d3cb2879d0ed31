import type { Sql } from '../../platform/postgres/db.ts'
import { sql as tag } from '../../platform/postgres/sql.ts'

/** What the shop promises in two of its queues, how that was kept in its past, and the clocks of what waits now. */
export async function lumeTargets(sql: Sql, companyId: number) {
  await sql.execute(tag`insert into queue_targets (company_id, queue_id, first_reply_minutes, reply_minutes, resolution_minutes)
    select company_id, id, case name when 'Vendas' then 15 else 30 end, case name when 'Vendas' then 30 else 60 end, 1440
    from queues where company_id = ${companyId} and name in ('Vendas', 'Suporte')`)
  await sql.execute(tag`insert into target_outcomes (company_id, ticket_id, kind, queue_id, user_id, due_at, at, kept, announced)
    select s.company_id, s.ticket_id, 'firstReply', s.queue_id, s.user_id,
      s.began_at + make_interval(mins => g.first_reply_minutes), s.began_at + make_interval(secs => s.answer_seconds),
      coalesce(s.answer_open_seconds, s.answer_seconds) <= g.first_reply_minutes * 60, true
    from ticket_services s join queue_targets g on g.company_id = s.company_id and g.queue_id = s.queue_id
    where s.company_id = ${companyId} and s.answer_seconds is not null`)
  await sql.execute(tag`update tickets t set target_turn_at = now(), version = t.version + 1 from queue_targets g
    where t.company_id = ${companyId} and g.company_id = t.company_id and g.queue_id = t.queue_id and t.status <> 'closed'`)
  // some are late, others due in a moment
  await sql.execute(tag`update tickets t set version = version + 1, targets = jsonb_set(jsonb_set(targets,
      '{reply,dueAt}', to_jsonb(instant_text(now() + (placed.at % 5 - 1) * interval '3 minutes'))),
      '{reply,soonAt}', to_jsonb(instant_text(now() - interval '5 minutes')))
    from (select id, row_number() over (partition by status order by id) as at from tickets
      where company_id = ${companyId} and targets #>> '{reply,dueAt}' is not null) placed
    where t.company_id = ${companyId} and t.id = placed.id and placed.at % 2 = 0`)
}
