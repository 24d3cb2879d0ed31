import { type Figures, figureNames } from '@balcao/contract/reports.rules.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { partsIn, phasesOf } from './reports.phases.queries.ts'
import type { ReportRange } from './reports.range.queries.ts'
import { type ReportSide, type ReportSummary, reportDays, ticketServices as served } from './reports.table.ts'

/** What days are added up as: a day of another revision is read from the rows until it is added up again. */
const REVISION = 3

/** A company and its transaction. */
type Own = Pick<Tx, 'companyId' | 'sql'>

const count = (what: SQL) => tag`count(${what})`
const sum = (what: unknown) => tag`coalesce(sum(${what}), 0)`
const s = (column: { name: string }) => tag.raw(`s.${column.name}`)
const timed = s(served.beganOutside)

/** What the services of one group come to; `phases` holds each of them. */
const figuresOf: Record<keyof Figures, SQL> = {
  closed: tag`count(*)`,
  served: count(tag`phases.serve`),
  serveSeconds: sum(tag`phases.serve`),
  waited: count(tag`phases.wait`),
  waitSeconds: sum(tag`phases.wait`),
  answered: count(s(served.answerSeconds)),
  answerSeconds: sum(s(served.answerSeconds)),
  botted: count(s(served.botSeconds)),
  botSeconds: sum(s(served.botSeconds)),
  servedOpen: count(tag`phases.serve_open`),
  serveOpenSeconds: sum(tag`phases.serve_open`),
  waitedOpen: count(tag`phases.wait_open`),
  waitOpenSeconds: sum(tag`phases.wait_open`),
  answeredOpen: count(s(served.answerOpenSeconds)),
  answerOpenSeconds: sum(s(served.answerOpenSeconds)),
  timed: count(timed),
  outside: tag`count(*) filter (where ${timed})`,
}
const none = Object.fromEntries(figureNames.map(name => [name, tag`0`])) as Record<keyof Figures, SQL>
/**
 * What an attendant had of a service, once however many parts that were: a service has one queue and one connection. A wait
 * belongs to who ended it by accepting.
 */
const partsOf = {
  ...none,
  served: count(tag`p.serve_seconds`),
  serveSeconds: sum(tag`p.serve_seconds`),
  waited: count(tag`p.wait_seconds`),
  waitSeconds: sum(tag`p.wait_seconds`),
}
const column = (name: keyof Figures) => tag.raw(reportDays[name].name)
const columns = tag.join(figureNames.map(column), tag`, `)
const listed = (figures: Record<keyof Figures, SQL>) =>
  tag.join(
    figureNames.map(name => tag`${figures[name]} as ${column(name)}`),
    tag`, `,
  )

const ofTags = tag`join ticket_tags t on t.company_id = s.company_id and t.ticket_id = s.ticket_id`
/** Looked up for each service: the planner expects more of them than a few days have, and reads all there are. */
const ofPhases = tag`cross join lateral (${phasesOf('s')} offset 0) as phases`
const ofParts = tag`cross join lateral (${partsIn('s')} offset 0) as p`
/** From 0, Monday at midnight, to 167. */
const hourOfWeek = (zone: string) => tag`((extract(isodow from s.began_at at time zone ${zone}) - 1) * 24
  + extract(hour from s.began_at at time zone ${zone}))::int`

interface Side {
  tagId(zone: string): SQL
  /** Of whom a row is, and whom a filter of users asks for. */
  userId: SQL
  chosenBy: SQL
  whatsappId: SQL
  beside: SQL
  figures: Record<keyof Figures, SQL>
}
const nothing = () => tag`0`
const whole = {
  tagId: nothing,
  userId: tag`s.user_id`,
  chosenBy: tag`s.user_id`,
  whatsappId: tag`s.whatsapp_id`,
}
const sides: Record<ReportSide, Side> = {
  all: { ...whole, beside: ofPhases, figures: figuresOf },
  tag: { ...whole, tagId: () => tag`t.tag_id`, beside: tag`${ofTags} ${ofPhases}`, figures: figuresOf },
  part: { ...whole, userId: tag`p.user_id`, chosenBy: tag`p.user_id`, beside: ofParts, figures: partsOf },
  hour: {
    ...{ ...whole, tagId: hourOfWeek, userId: tag`0`, whatsappId: tag`0` },
    ...{ beside: ofPhases, figures: figuresOf },
  },
}

/** What was closed between two moments, as rows of `report_days` without their day. */
function addedUp(
  tx: Own,
  side: ReportSide,
  between: { since: SQL; until: SQL; zone: string },
  chosen: SQL = tag``,
): SQL {
  const { tagId, userId, whatsappId, beside, figures } = sides[side]
  return tag`select ${tagId(between.zone)} as tag_id, ${userId} as user_id, s.queue_id, ${whatsappId} as whatsapp_id,
      ${listed(figures)}
    from ticket_services s ${beside}
    where s.company_id = ${tx.companyId} and s.closed_at >= ${between.since} and s.closed_at < ${between.until} ${chosen}
    group by 1, 2, 3, 4`
}

/**
 * `counted`: what each of the `asked` days comes to on one side, by tag, user, queue and connection; from `report_days`
 * where the whole day is kept there.
 */
export function daysIn(tx: Tx, side: ReportSide, range: ReportRange): SQL {
  const { queueIds, userIds } = range
  const kept = tag`${among(tag`r.queue_id`, queueIds)}${among(tag`r.user_id`, userIds)}`
  // hours are kept of everybody together
  const canBeKept = side !== 'hour' || userIds.length === 0
  return tag`with ${askedDays(tx, range, canBeKept)}, counted as (
    select a.day, r.tag_id, r.user_id, r.queue_id, r.whatsapp_id, ${figuresOfDay}
    from report_days r join asked a on a.day = r.day and a.is_kept
    where r.company_id = ${tx.companyId} and r.side = ${keptAs(side, range)} ${kept}
    union all
    select a.day, n.* from asked a
    cross join lateral (${notKept(tx, side, range)}) as n where not a.is_kept)`
}

/** `counted`: what the company comes to by day, user, queue and connection, each by itself as `side` and `id`. */
export const summedUp = (tx: Tx, range: ReportRange): SQL =>
  tag`with ${askedDays(tx, range, true)}, counted as (
    select a.day, r.side, r.user_id + r.queue_id + r.whatsapp_id as id, ${figuresOfDay}
    from report_days r join asked a on a.day = r.day and a.is_kept
    where r.company_id = ${tx.companyId} and r.side in ('days', 'users', 'queues', 'connections')
    union all
    select a.day, e.side, e.id, ${tag.join(
      figureNames.map(name => tag`n.${column(name)}`),
      tag`, `,
    )} from asked a
    cross join lateral (${notKept(tx, 'all', range)}) as n
    cross join lateral (values ('days', 0), ('users', n.user_id), ('queues', n.queue_id), ('connections', n.whatsapp_id))
      as e (side, id) where not a.is_kept)`

/** Whether a range is of everybody: then summaries answer it. */
export const isOfAll = ({ queueIds, userIds }: ReportRange) => queueIds.length + userIds.length === 0

/** Where the days of a side are read: without a filter tags and parts are kept by themselves. */
const keptAs = (side: ReportSide, range: ReportRange): ReportSide | ReportSummary =>
  isOfAll(range) && (side === 'tag' || side === 'part') ? `${side}s` : side

const among = (what: SQL, ids: number[]) =>
  ids.length > 0 ? tag` and ${what} = any(${`{${ids}}`}::int[])` : tag``

const figuresOfDay = tag.join(
  figureNames.map(name => tag`r.${column(name)}`),
  tag`, `,
)

/** `asked`: the days of a range by the company's clock; where clocks are changed one has 23 or 25 hours. */
function askedDays(tx: Tx, { from, until, zone }: ReportRange, canBeKept: boolean): SQL {
  const past = tag`${until}::timestamptz + interval '1 millisecond'`
  return tag`asked as materialized (
    select d.day::date as day, greatest(b.begins, ${from}::timestamptz) as since, least(b.ends, ${past}) as until,
      k.day is not null and ${canBeKept} and b.begins >= ${from}::timestamptz and b.ends <= ${past} as is_kept
    from generate_series(date_trunc('day', ${from}::timestamptz at time zone ${zone}),
      ${until}::timestamptz at time zone ${zone}, interval '1 day') as d (day)
    cross join lateral (select d.day at time zone ${zone} as begins,
      (d.day + interval '1 day') at time zone ${zone} as ends) as b
    left join report_days_kept k on k.company_id = ${tx.companyId} and k.day = d.day::date and k.zone = ${zone}
      and k.revision = ${REVISION})`
}

const notKept = (tx: Tx, side: ReportSide, { zone, queueIds, userIds }: ReportRange) =>
  addedUp(
    tx,
    side,
    { since: tag`a.since`, until: tag`a.until`, zone },
    tag`${among(tag`s.queue_id`, queueIds)}${among(sides[side].chosenBy, userIds)}`,
  )

/** Sums over `counted`, under the names of the figures; bigint comes as text. */
export const figureSums = tag.join(
  figureNames.map(name => tag`coalesce(sum(counted.${column(name)}), 0)::float8 as ${tag.identifier(name)}`),
  tag`, `,
)

/** The side that each summary sums, and its tag, user, queue and connection. */
const summaries: Record<ReportSummary, { side: ReportSide; by: SQL }> = {
  days: { side: 'all', by: tag`0, 0, 0, 0` },
  users: { side: 'all', by: tag`0, r.user_id, 0, 0` },
  queues: { side: 'all', by: tag`0, 0, r.queue_id, 0` },
  connections: { side: 'all', by: tag`0, 0, 0, r.whatsapp_id` },
  tags: { side: 'tag', by: tag`r.tag_id, 0, 0, 0` },
  parts: { side: 'part', by: tag`0, r.user_id, 0, 0` },
}

/** Companies with days that another version added up. */
export async function addedUpOtherwise(sql: Sql): Promise<number[]> {
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`select distinct company_id as id from report_days_kept k join companies c on c.id = k.company_id
      where k.zone is not null and k.revision <> ${REVISION} and c.leaving_at is null`,
  )
  return rows.map(({ id }) => id)
}

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
    where company_id = ${company} and (zone is distinct from ${zone} or revision <> ${REVISION}) order by day desc limit ${DAYS_AT_ONCE}`)
  if (days.length === 0) return 0
  const these = tag`any(${`{${days.map(({ day }) => day)}}`}::date[])`
  await run(tag`delete from report_days where company_id = ${company} and day = ${these}`)
  for (const side of ['all', 'tag', 'part', 'hour'] as const)
    await run(tag`insert into report_days (company_id, day, side, tag_id, user_id, queue_id, whatsapp_id, ${columns})
      select ${company}::int, d.day, ${side}, n.* from unnest(${`{${days.map(({ day }) => day)}}`}::date[]) as d (day)
      cross join lateral (${addedUp(tx, side, {
        since: tag`d.day::timestamp at time zone ${zone}`,
        until: tag`(d.day + 1)::timestamp at time zone ${zone}`,
        zone,
      })}) as n`)
  for (const [summary, { side, by }] of Object.entries(summaries))
    await run(tag`insert into report_days (company_id, day, side, tag_id, user_id, queue_id, whatsapp_id, ${columns})
      select ${company}::int, r.day, ${summary}, ${by}, ${tag.join(
        figureNames.map(name => tag`sum(r.${column(name)})`),
        tag`, `,
      )}
      from report_days r where r.company_id = ${company} and r.day = ${these} and r.side = ${side} group by 2, 4, 5, 6, 7`)
  await run(
    tag`update report_days_kept set zone = ${zone}, revision = ${REVISION} where company_id = ${company} and day = ${these}`,
  )
  return days.length
}
