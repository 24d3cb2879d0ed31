import { usualSurvey } from '../../features/surveys/surveys.queries.ts'
import { surveySettings } from '../../features/surveys/surveys.table.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { sql as tag } from '../../platform/postgres/sql.ts'

/** Why the old tickets were closed, and what their customers answered; both are switched on. */
export async function writeClosings(sql: Sql, companyId: number): Promise<void> {
  await sql.execute(tag`
    insert into closing_reasons (company_id, name, spam, active) select ${companyId}, r.name, r.spam, true
    from (values ('Resolvido', false), ('Venda concluída', false), ('Sem retorno do cliente', false),
      ('Dúvida respondida', false), ('Spam', true)) r (name, spam)`)
  await sql.execute(tag`
    update ticket_history h set reason_id = r.id
    from (select id, row_number() over (order by id) as place from closing_reasons where company_id = ${companyId}) r
    where h.company_id = ${companyId} and h.what = 'resolved' and h.id % 10 < 9 and r.place = (array[1, 1, 1, 2, 2, 3, 4, 4, 1])[h.id % 10 + 1]`)
  await sql.execute(tag`
    insert into surveys (company_id, ticket_id, contact_id, whatsapp_id, user_id, queue_id, closed_at, asked_at, answer_until,
      score, answered_at, comment)
    select t.company_id, t.id, t.contact_id, t.whatsapp_id, t.user_id, t.queue_id, t.closed_at,
      t.closed_at + interval '31 seconds', t.closed_at + interval '1 day', s.score,
      case when s.score is not null then t.closed_at + make_interval(mins => (1 + t.id % 9)::int) end,
      case when s.score is not null and t.id % 4 = 0 then
        (array['Demorou muito para responder.', 'Não resolveu de primeira.', 'Foi ok.', 'Atendimento rápido, obrigada.',
          'Excelente! Entregaram antes do prazo.'])[s.score] else '' end
    from tickets t cross join lateral (
      select case when t.id % 6 < 4 then (array[5, 4, 3, 5, 5, 5, 4, 1, 5, 2, 5, 5])[t.id % 12 + 1] end as score) s
    where t.company_id = ${companyId} and t.status = 'closed' and t.user_id is not null and t.whatsapp_id is not null`)
  await sql.insert(surveySettings).values({ ...usualSurvey, companyId, enabled: true })
}
