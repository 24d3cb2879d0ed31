import type { Store } from './store.ts'

/** What went wrong with the conversations of numbers that begin with `prefix`, and how much there was of them. */
export async function figuresOf(store: Store, prefix: string) {
  const [row] = await store.rows(`
    with people as (select * from contacts where number like '${prefix}%'),
      house as (select m.* from messages m join people p on (p.company_id, p.id) = (m.company_id, m.contact_id)),
      phones as (select * from simulator_messages where number like '${prefix}%'),
      living as (select contact_id, count(*) as many from tickets t join people p on p.id = t.contact_id
        where t.status <> 'closed' group by 1)
    select
      (select count(*) from phones where not from_me)::int as "customers wrote",
      (select count(*) from house where from_me)::int as "company wrote",
      (select count(*) from phones s where not from_me and not exists
        (select from house m where m.external_id = s.external_id and not m.from_me))::int as "lost in",
      (select count(*) - count(distinct body) from house where not from_me)::int as "doubled in",
      (select count(*) from house m where from_me and not exists
        (select from phones s where m.external_id = s.external_id and s.from_me))::int as "lost out",
      (select count(*) - count(distinct body) from phones where from_me)::int as "doubled out",
      (select count(*) - count(distinct body) from house where from_me)::int as "doubled in outbox",
      (select coalesce(sum(copies - 1), 0) from phones)::int as "second copies on the wire",
      (select count(*) - count(distinct number) from people)::int as "contacts doubled",
      (select count(*) from living where many > 1)::int as "tickets doubled",
      (select count(*) from house where from_me and (waits or ack = 0))::int as "left in outbox",
      (select count(*) from inbound_events where handled_at is null)::int as "left in inbound_events",
      (select count(*) from tickets t join people p on p.id = t.contact_id where t.last_message_id is distinct from
        (select m.id from house m where m.ticket_id = t.id order by m.position desc limit 1))::int
        as "rows that lag",
      (select count(*) from (select company_id, status, queue_id, user_id, sum(tickets) as many from ticket_counts
        group by 1, 2, 3, 4) c where many <> (select count(*) from tickets t
        where (t.company_id, t.status, coalesce(t.queue_id, 0), coalesce(t.user_id, 0))
          = (c.company_id, c.status, c.queue_id, c.user_id)))::int as "counters off"`)
  return row as Record<string, number>
}

/** Figures without a fault: the counts given, and nothing else but allowed second copies under the same id. */
export const soundFigures = (figures: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(figures).filter(([name, many]) => many !== 0 && !/wrote$|^second copies/.test(name)),
  )
