import { type Figures, figureNames } from '@balcao/contract/reports.rules.ts'
import type { Tx } from '../../platform/scope.ts'
import { rowsFrom, type SQL, sql as tag } from '../../platform/sql.ts'
import type { ReportRange } from './reports.range.ts'
import { reportDays, ticketServices as served } from './reports.table.ts'

/** Of everybody; by the tags that the tickets have now; by who had a part in the serving. */
export type ReportSide = 'all' | 'tag' | 'part'

/** A company and its transaction. */
type Own = Pick<Tx, 'companyId' | 'sql'>

const count = (what: SQL) => tag`count(${what})`
const sum = (what: unknown) => tag`coalesce(sum(${what}), 0)`
const s = (column: { name: string }) => tag.raw(`s.${column.name}`)
const timed = s(served.beganOutside)

/** What the services of one group come to. */
const figuresOf: Record<keyof Figures, SQL> = {
  closed: tag`count(*)`,
  served: count(s(served.serveSeconds)),
  serveSeconds: sum(s(served.serveSeconds)),
  waited: count(s(served.waitSeconds)),
  waitSeconds: sum(s(served.waitSeconds)),
  answered: count(s(served.answerSeconds)),
  answerSeconds: sum(s(served.answerSeconds)),
  botted: count(s(served.botSeconds)),
  botSeconds: sum(s(served.botSeconds)),
  servedOpen: count(s(served.serveOpenSeconds)),
  serveOpenSeconds: sum(s(served.serveOpenSeconds)),
  waitedOpen: count(s(served.waitOpenSeconds)),
  waitOpenSeconds: sum(s(served.waitOpenSeconds)),
  answeredOpen: count(s(served.answerOpenSeconds)),
  answerOpenSeconds: sum(s(served.answerOpenSeconds)),
  timed: count(timed),
  outside: tag`count(*) filter (where ${timed})`,
}
const none = Object.fromEntries(figureNames.map(name => [name, tag`0`])) as Record<keyof Figures, SQL>
/** A service has one queue and one connection: who had two parts in it is counted once. */
const partsOf = { ...none, served: tag`count(distinct s.history_id)`, serveSeconds: sum(tag`p.seconds`) }

const column = (name: keyof Figures) => tag.raw(reportDays[name].name)
const columns = tag.join(figureNames.map(column), tag`, `)
const listed = (figures: Record<keyof Figures, SQL>) =>
  tag.join(
    figureNames.map(name => tag`${figures[name]} as ${column(name)}`),
    tag`, `,
  )

const ofTags = tag`join ticket_tags t on t.company_id = s.company_id and t.ticket_id = s.ticket_id`
/** Looked up for each service: the planner expects more of them than a few days have, and reads all there are. */
const ofParts = tag`cross join lateral (select g.user_id, g.seconds from ticket_segments g
  where g.company_id = s.company_id and g.history_id = s.history_id and g.kind = 'serve' offset 0) as p`

const sides = {
  all: { tagId: tag`0`, userId: tag`s.user_id`, beside: tag``, figures: figuresOf },
  tag: { tagId: tag`t.tag_id`, userId: tag`s.user_id`, beside: ofTags, figures: figuresOf },
  part: { tagId: tag`0`, userId: tag`p.user_id`, beside: ofParts, figures: partsOf },
} satisfies Record<ReportSide, { tagId: SQL; userId: SQL; beside: SQL; figures: Record<keyof Figures, SQL> }>

/** What was closed between two moments, as rows of `report_days` without their day. */
function addedUp(tx: Own, side: ReportSide, between: { since: SQL; until: SQL }, chosen: SQL = tag``): SQL {
  const { tagId, userId, beside, figures } = sides[side]
  return tag`select ${tagId} as tag_id, ${userId} as user_id, s.queue_id, s.whatsapp_id, ${listed(figures)}
    from ticket_services s ${beside}
    where s.company_id = ${tx.companyId} and s.closed_at >= ${between.since} and s.closed_at < ${between.until} ${chosen}
    group by 1, 2, 3, 4`
}

/**
 * `asked`: the days of a range by the company's clock; where clocks are changed one has 23 or 25 hours. `told`: what each
 * comes to on one side, by tag, user, queue and connection; from `report_days` where the whole day is kept there.
 */
export function daysIn(tx: Tx, side: ReportSide, range: ReportRange): SQL {
  const { from, until, zone, queueIds, userIds } = range
  const company = tx.companyId
  const among = (what: SQL, ids: number[]) =>
    ids.length > 0 ? tag` and ${what} = any(${`{${ids}}`}::int[])` : tag``
  const raw = tag`${among(tag`s.queue_id`, queueIds)}${among(sides[side].userId, userIds)}`
  const kept = tag`${among(tag`r.queue_id`, queueIds)}${among(tag`r.user_id`, userIds)}`
  const past = tag`${until}::timestamptz + interval '1 millisecond'`
  return tag`with asked as materialized (
    select d.day::date as day, greatest(b.begins, ${from}::timestamptz) as since, least(b.ends, ${past}) as until,
      k.day is not null and b.begins >= ${from}::timestamptz and b.ends <= ${past} as is_kept
    from generate_series(date_trunc('day', ${from}::timestamptz at time zone ${zone}),
      ${until}::timestamptz at time zone ${zone}, interval '1 day') as d (day)
    cross join lateral (select d.day at time zone ${zone} as begins,
      (d.day + interval '1 day') at time zone ${zone} as ends) as b
    left join report_days_kept k on k.company_id = ${company} and k.day = d.day::date and k.zone = ${zone}
  ), told as (
    select a.day, r.tag_id, r.user_id, r.queue_id, r.whatsapp_id, ${tag.join(
      figureNames.map(name => tag`r.${column(name)}`),
      tag`, `,
    )}
    from report_days r join asked a on a.day = r.day and a.is_kept
    where r.company_id = ${company} and r.side = ${side} ${kept}
    union all
    select a.day, n.* from asked a
    cross join lateral (${addedUp(tx, side, { since: tag`a.since`, until: tag`a.until` }, raw)}) as n
    where not a.is_kept)`
}

/** Sums over `told`, under the names of the figures; bigint comes as text. */
export const sumsTold = tag.join(
  figureNames.map(name => tag`coalesce(sum(told.${column(name)}), 0)::float8 as ${tag.identifier(name)}`),
  tag`, `,
)

/** What is being added up is not forgotten meanwhile: `forget_report_day` takes the same lock with others. */
const LOCK = 7_262_453
/** A day with less is added up as fast as it is read. */
const BUSY_DAY = 50
const DAYS_AT_ONCE = 31

/**
 * Adds up busy days that ended long ago and are not kept, newest first, some at a time; days that something old of was
 * changed in, or that began elsewhere when the company had another clock, too. Answers how many.
 */
export async function keepDays(tx: Own, zone: string, busy = BUSY_DAY): Promise<number> {
  const company = tx.companyId
  const run = <Row>(statement: SQL) => rowsFrom<Row>(tx.sql, statement)
  await run(tag`select pg_advisory_xact_lock(${LOCK}, ${company}::int)`)
  // behind the newest that is kept nothing new appears but what was away for a while
  await run(tag`insert into report_days_kept (company_id, day)
    select ${company}::int, (s.closed_at at time zone ${zone})::date from ticket_services s
    where s.company_id = ${company} and s.closed_at < (date_trunc('day', now() at time zone ${zone}) - interval '2 days') at time zone ${zone}
      and s.closed_at >= coalesce((select max(day) from report_days_kept where company_id = ${company})::timestamp - interval '3 days', '-infinity')
    group by 2 having count(*) >= ${busy} on conflict do nothing`)
  const days = await run<{ day: string }>(tag`select day::text from report_days_kept
    where company_id = ${company} and zone is distinct from ${zone} order by day desc limit ${DAYS_AT_ONCE}`)
  if (days.length === 0) return 0
  const among = tag`any(${`{${days.map(({ day }) => day)}}`}::date[])`
  await run(tag`delete from report_days where company_id = ${company} and day = ${among}`)
  for (const side of ['all', 'tag', 'part'] as const)
    await run(tag`insert into report_days (company_id, day, side, tag_id, user_id, queue_id, whatsapp_id, ${columns})
      select ${company}::int, d.day, ${side}, n.* from unnest(${`{${days.map(({ day }) => day)}}`}::date[]) as d (day)
      cross join lateral (${addedUp(tx, side, {
        since: tag`d.day::timestamp at time zone ${zone}`,
        until: tag`(d.day + 1)::timestamp at time zone ${zone}`,
      })}) as n`)
  await run(tag`update report_days_kept set zone = ${zone} where company_id = ${company} and day = ${among}`)
  return days.length
}
