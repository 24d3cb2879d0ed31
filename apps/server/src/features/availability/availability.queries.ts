import type { AvailabilityInput, AvailabilitySettings, UserHours } from '@balcao/contract/availability.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { lifetime } from '../../platform/work/retention.ts'
import type { Outdated } from './availability.state.queries.ts'
import {
  availabilitySettings as settings,
  availabilitySpells as spells,
  userHours,
  userAvailability as users,
} from './availability.table.ts'

/** So long a screen counts as open after it was seen last: a page that loads again is not away meanwhile. */
const SCREEN = tag`interval '25 seconds'`
/** So long who has no screen counts as present after a call that changed something. */
const CALL = tag`interval '5 minutes'`

/** What a user chose by hand. `despiteHours` as in the table. */
export const writeChoice = (
  tx: Tx,
  userId: number,
  { state, reasonId = null }: AvailabilityInput,
): PromiseLike<unknown> => {
  const chosen = {
    chosen: state,
    chosenReasonId: state === 'pause' ? reasonId : null,
    despiteHours: state === 'available',
  }
  return tx.sql
    .insert(users)
    .values({ companyId: tx.companyId, userId, ...chosen })
    .onConflictDoUpdate({ target: [users.companyId, users.userId], set: chosen })
}

/** Ends the stretch of each of these users, and begins the next. */
export async function writeStates(tx: Tx, changed: Outdated[]): Promise<void> {
  const rows = JSON.stringify(changed.map(({ reason, ...one }) => ({ ...one, reasonId: reason?.id ?? null })))
  const given = tag`json_to_recordset(${rows}) n(id int, state text, cause text, "reasonId" int, "isWithin" boolean)`
  // the same state for another cause or after hours that were set aside goes on since when it was; the end of the working
  // hours ends a pause: the next day does not begin with it
  await tx.sql.execute(tag`update user_availability a set state = n.state, cause = n.cause, reason_id = n."reasonId",
      chosen = case when a.chosen = 'pause' and n.cause = 'hours' then 'available' else a.chosen end,
      chosen_reason_id = case when n.cause = 'hours' then null else a.chosen_reason_id end,
      despite_hours = a.despite_hours and not n."isWithin", since = case when a.state = n.state and a.reason_id is not distinct from n."reasonId" then a.since else now() end
    from ${given} where a.company_id = ${tx.companyId} and a.user_id = n.id`)
  await tx.sql.execute(tag`update availability_spells s set ended_at = greatest(now(), s.began_at)
    from ${given} where s.company_id = ${tx.companyId} and s.user_id = n.id and s.ended_at is null`)
  await tx.sql.execute(tag`insert into availability_spells (company_id, user_id, state, cause, reason_id)
    select ${tx.companyId}::int, n.id, n.state, n.cause, n."reasonId" from ${given}`)
}

export interface SeenUser {
  companyId: number
  userId: number
  /** A screen is open. */
  screen: boolean
  /** There was input. */
  acted: boolean
}

/** Writes who is here. A screen that was seen a moment ago is written again only when its time runs out. */
export const writePresence = (sql: Sql, seen: SeenUser[]) =>
  sql.execute(tag`insert into user_presence (company_id, user_id, seen_until, screen_at)
    select u.company_id, u.id, now() + case when n.screen then ${SCREEN} else ${CALL} end,
      case when n.screen then now() end
    from json_to_recordset(${JSON.stringify(seen)}) n("companyId" int, "userId" int, screen boolean, acted boolean)
    join users u on u.company_id = n."companyId" and u.id = n."userId"
    order by 1, 2
    on conflict (company_id, user_id) do update set
      seen_until = case
        when excluded.screen_at is not null then excluded.seen_until
        when user_presence.screen_at > now() - ${SCREEN} then user_presence.seen_until
        else excluded.seen_until end,
      screen_at = coalesce(excluded.screen_at, user_presence.screen_at)
    where excluded.screen_at is null or user_presence.screen_at is null
      or user_presence.screen_at < now() - ${SCREEN} / 3`)

/** Who acted, or is here for the first time since long. */
export const writeActs = (sql: Sql, acted: Pick<SeenUser, 'companyId' | 'userId'>[]) =>
  sql.execute(tag`update user_presence p set acted_at = now() from (
      select company_id, user_id from user_presence join json_to_recordset(${JSON.stringify(acted)}) n("companyId" int, "userId" int)
        on company_id = n."companyId" and user_id = n."userId" order by 1, 2 for update of user_presence) n
    where p.company_id = n.company_id and p.user_id = n.user_id`)

export async function hoursOfUser(tx: Tx, userId: number): Promise<UserHours> {
  const [row] = await tx.sql
    .select({ working: userHours.working, login: userHours.login })
    .from(userHours)
    .where(and(eq(userHours.companyId, tx.companyId), eq(userHours.userId, userId)))
  return { working: row?.working ?? [], login: row?.login ?? [] }
}

export async function writeUserHours(tx: Tx, userId: number, { working, login }: UserHours): Promise<void> {
  const { companyId, timeZone: usualZone } = tx
  const orNull = (hours: UserHours['login']) => (hours.length > 0 ? hours : null)
  const said = { working: orNull(working), login: orNull(login), usualZone }
  await tx.sql
    .insert(userHours)
    .values({ companyId, userId, ...said })
    .onConflictDoUpdate({ target: [userHours.companyId, userHours.userId], set: said })
}

export async function silenceSettings(tx: Tx): Promise<AvailabilitySettings> {
  const [row] = await tx.sql
    .select({ silenceMinutes: settings.silenceMinutes })
    .from(settings)
    .where(eq(settings.companyId, tx.companyId))
  return row ?? { silenceMinutes: null }
}

export const writeSettings = (tx: Tx, chosen: AvailabilitySettings) =>
  tx.sql
    .insert(settings)
    .values({ companyId: tx.companyId, ...chosen })
    .onConflictDoUpdate({ target: settings.companyId, set: chosen })

/** Reports of two years; a stretch that is not over stays. */
export const spellsLifetime = lifetime(spells, spells.endedAt, 730)
