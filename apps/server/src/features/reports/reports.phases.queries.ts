import { type SQL, sql as tag } from '../../platform/postgres/sql.ts'

type Service = 's' | 'ticket_services'

/** Every part of a service, with the seconds of waiting up to there, of which a bot's are a part. */
const partsUpTo = (service: Service) => {
  const s = tag.raw(service)
  const waits = tag`filter (where g.kind <> 'serve') over (order by g.place)`
  return tag`select g.kind, g.user_id, g.place, g.seconds, g.open_seconds, coalesce(sum(g.seconds) ${waits}, 0) as waited,
      coalesce(sum(g.open_seconds) ${waits}, 0) as waited_open
    from ticket_segments g where g.company_id = ${s}.company_id and g.history_id = ${s}.history_id`
}

/**
 * The phases of a service in one row. Each second belongs to one: `wait` is what passed in the queue until somebody
 * accepted, also after a return, and `serve` what passed with attendants. A wait that no acceptance ended is in neither. Within
 * the hours of the company closings before `open_seconds` have the first wait only.
 */
export function phasesOf(service: Service): SQL {
  const s = tag.raw(service)
  return tag`select f.wait, case when f.wait is not null then case when f.is_timed then coalesce(f.waited_open, ${s}.wait_open_seconds)
      else ${s}.wait_open_seconds end end as wait_open,
    case when ${s}.serve_seconds is null or f.parts = 0 then ${s}.serve_seconds else coalesce(f.served, 0) end as serve,
    case when ${s}.serve_open_seconds is null or not f.is_timed then ${s}.serve_open_seconds
      else coalesce(f.served_open, 0) end as serve_open
  from (select case when ${s}.wait_seconds is null then nullif(max(o.waited) filter (where o.kind = 'serve'), 0)
      else coalesce(max(o.waited) filter (where o.kind = 'serve'), ${s}.wait_seconds) end as wait,
    max(o.waited_open) filter (where o.kind = 'serve') as waited_open, count(*) as parts,
    coalesce(bool_and(o.open_seconds is not null), false) as is_timed, sum(o.seconds) filter (where o.kind = 'serve') as served,
    sum(o.open_seconds) filter (where o.kind = 'serve') as served_open
  from (${partsUpTo(service)}) as o) as f`
}

/**
 * What each attendant had of a service, once however many parts that were, of one queue and one connection. A wait belongs
 * to who ended it by accepting; what took no time, to who closed it.
 */
export function partsIn(service: Service): SQL {
  const s = tag.raw(service)
  return tag`select o.user_id, sum(o.seconds) as serve_seconds,
      sum(case when o.is_first and ${s}.wait_seconds is not null then o.wait else nullif(o.wait, 0) end) as wait_seconds
    from (select coalesce(w.user_id, ${s}.user_id) as user_id, coalesce(w.seconds, case when exists (
        select from ticket_segments g where g.company_id = ${s}.company_id and g.history_id = ${s}.history_id) then 0
        else ${s}.serve_seconds end) as seconds,
        coalesce(w.waited - lag(w.waited, 1, 0::bigint) over (order by w.place), ${s}.wait_seconds, 0) as wait,
        row_number() over (order by w.place) = 1 as is_first
      from (values (1)) as one left join (select p.* from (${partsUpTo(service)}) as p where p.kind = 'serve') as w on true
      where w.kind is not null or ${s}.serve_seconds is not null) as o
    group by 1`
}
