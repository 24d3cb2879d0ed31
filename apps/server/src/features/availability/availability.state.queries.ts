import type { Availability, AvailabilityCause, AvailabilityState } from '@balcao/contract/availability.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { users } from '../users/users.table.ts'

/** Whether hours, JSON or null, are open at this moment by the clock of the row's company. Not without hours. */
const isOpen = (hours: SQL) => tag`exists (
  select from jsonb_to_recordset(${hours}) o(weekday int, opens int, closes int),
    (select now() at time zone coalesce((select c.time_zone from companies c where c.id = h.company_id), h.usual_zone) as at) here
  where o.weekday = extract(dow from here.at) and extract(epoch from here.at::time) >= o.opens * 60
    and extract(epoch from here.at::time) < o.closes * 60)`

/** The hours of a user forbid a login at this moment. Administrators are never locked out. */
export const isLockedOut = ({ companyId, id, profile, master }: typeof users) =>
  tag<boolean>`(${profile} <> 'admin' and ${master} <> 1 and exists (select from user_hours h
    where h.company_id = ${companyId} and h.user_id = ${id} and h.login is not null and not ${isOpen(tag`h.login`)}))`

const isWithin = tag`(h.working is null or ${isOpen(tag`h.working`)})`
const isPresent = tag`coalesce(p.seen_until > now(), false)`

/** The one decision: `available`, `pause`, or why the user is away. */
const verdict = tag`case
  when not coalesce(a.despite_hours, false) and not ${isWithin} then 'hours'
  when a.chosen = 'away' then 'hand'
  when a.chosen = 'pause' then 'pause'
  when not ${isPresent} then 'screen'
  when p.acted_at < now() - make_interval(mins => s.silence_minutes) then 'silence'
  else 'available' end`

const facts = tag`users u
  left join user_availability a on a.company_id = u.company_id and a.user_id = u.id
  left join user_presence p on p.company_id = u.company_id and p.user_id = u.id
  left join user_hours h on h.company_id = u.company_id and h.user_id = u.id
  left join availability_settings s on s.company_id = u.company_id`

/** What was announced last is no longer so, hours that were set aside began again, or those ended that end a pause. */
const isOutdated = tag`(
  (${verdict}) <> case coalesce(a.state, 'away') when 'away' then coalesce(a.cause, 'screen') else a.state end
  or a.state = 'pause' and a.reason_id is distinct from a.chosen_reason_id
  or a.chosen = 'pause' and (${verdict}) = 'hours'
  or a.despite_hours and ${isWithin})`

const stateOf = (found: string): AvailabilityState =>
  found === 'available' || found === 'pause' ? found : 'away'
const causeOf = (found: string): AvailabilityCause =>
  found === 'available' || found === 'pause' ? 'hand' : (found as AvailabilityCause)

/** Those of these users who are available at this moment: their state is it, and a screen of theirs is open. */
export async function availableAmong(tx: Tx, userIds: number[]): Promise<number[]> {
  if (userIds.length === 0) return []
  const rows = await rowsFrom<{ id: number }>(
    tx.sql,
    tag`select u.id from ${facts} where u.company_id = ${tx.companyId} and u.id in ${userIds}
      and (${verdict}) = 'available'`,
  )
  return rows.map(({ id }) => id)
}

interface Row {
  id: number
  name: string
  verdict: string
  since: string | null
  online: boolean
  reason: { id: number; name: string } | null
  queueIds: number[]
}

const shown = tag`u.id, u.name, (${verdict}) as verdict, ${isPresent} as online,
  to_char(a.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since,
  case when (${verdict}) = 'pause' then (select json_build_object('id', r.id, 'name', r.name) from pause_reasons r
    where r.company_id = u.company_id and r.id = a.chosen_reason_id) end as reason,
  array(select q.queue_id from user_queues q where q.company_id = u.company_id and q.user_id = u.id order by 1) as "queueIds"`

const availabilityIn = ({ id, name, verdict: found, since, online, reason }: Row): Availability => ({
  ...{ id, name, state: stateOf(found), cause: causeOf(found) },
  ...{ reason, since, online },
})

export type Member = Availability & { queueIds: number[] }

const memberIn = (row: Row): Member => ({ ...availabilityIn(row), queueIds: row.queueIds })

/** Of these users, or of all, by name; of `among` only those who share a queue with that user, and the user. */
export async function teamMembers(
  tx: Tx,
  { userIds, among }: { userIds?: number[]; among?: number } = {},
): Promise<Member[]> {
  const narrowed = [
    tag`u.company_id = ${tx.companyId}`,
    ...(userIds ? [tag`u.id in ${userIds}`] : []),
    ...(among === undefined
      ? []
      : [
          tag`(u.id = ${among} or exists (select from user_queues own join user_queues theirs
            on theirs.company_id = own.company_id and theirs.queue_id = own.queue_id
            where own.company_id = u.company_id and own.user_id = ${among} and theirs.user_id = u.id))`,
        ]),
  ]
  const rows = await rowsFrom<Row>(
    tx.sql,
    tag`select ${shown} from ${facts} where ${tag.join(narrowed, tag` and `)} order by folded(u.name), u.id`,
  )
  return rows.map(memberIn)
}

export interface Outdated extends Member {
  before: AvailabilityState
  /** Within the working hours, or without such. */
  isWithin: boolean
}

/** Of these users those whose announced state is no longer true. Their rows are made and locked. */
export async function lockOutdated(tx: Tx, userIds: number[]): Promise<Outdated[]> {
  await tx.sql.execute(tag`insert into user_availability (company_id, user_id)
    select company_id, id from users where company_id = ${tx.companyId} and id in ${userIds} order by id
    on conflict do nothing`)
  await tx.sql.execute(tag`select from user_availability where company_id = ${tx.companyId} and user_id in ${userIds}
    order by user_id for update`)
  const rows = await rowsFrom<Row & Pick<Outdated, 'before' | 'isWithin'>>(
    tx.sql,
    tag`select ${shown}, a.state as before, ${isWithin} as "isWithin" from ${facts}
      where u.company_id = ${tx.companyId} and u.id in ${userIds} and ${isOutdated}`,
  )
  return rows.map(row => ({ ...memberIn(row), before: row.before, isWithin: row.isWithin }))
}

/** Users of all companies whose announced state is no longer true: those who are watched, and those that are named. */
export const outdatedUsers = (
  sql: Sql,
  named: { companyId: number; userId: number }[],
): Promise<{ companyId: number; userIds: number[] }[]> =>
  rowsFrom(
    sql,
    tag`select u.company_id as "companyId", array_agg(distinct u.id) as "userIds" from (
        select company_id, user_id from user_availability
          where state in ('available', 'pause') or cause = 'hours' or despite_hours
        union select "companyId", "userId" from json_to_recordset(${JSON.stringify(named)}) n("companyId" int, "userId" int)
      ) asked, ${facts}
      where u.company_id = asked.company_id and u.id = asked.user_id and ${isOutdated}
      group by u.company_id order by u.company_id`,
  )
