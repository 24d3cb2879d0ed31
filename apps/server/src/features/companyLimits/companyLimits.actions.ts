import type { CompanyLimits, LimitsChoice } from '@balcao/contract/companyLimits.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import type { z } from 'zod'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scopes, type Tx, viewerOf } from '../../platform/scope.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import { deleteSessionsOf } from '../auth/auth.queries.ts'
import { companyChanged } from '../companies/companies.events.ts'
import { dayThere, limitsOf, updateCompany } from '../companies/companies.queries.ts'
import { settingNow } from '../companies/companies.settings.queries.ts'
import { emitConnectionChanged } from '../connections/connections.actions.ts'
import {
  chooseByOf,
  choosersOf,
  type LimitedRow,
  limitedCompanies,
  limitedConnections,
  limitedUsers,
  setConnectionsResting,
  setUsersResting,
} from './companyLimits.queries.ts'

/** Refuses with ERR_NO_COMPANY_PLAN. */
export async function shownLimits(tx: Tx): Promise<CompanyLimits> {
  const limits = (await limitsOf(tx.sql, tx.companyId)) ?? refuse('ERR_NO_COMPANY_PLAN')
  return {
    companyId: tx.companyId,
    users: { limit: limits.users, rows: await limitedUsers(tx) },
    connections: { limit: limits.connections, rows: await limitedConnections(tx) },
    chooseBy: await chooseByOf(tx),
    choosers: await choosersOf(tx),
  }
}

/**
 * Lets everything rest that is not chosen. Refuses with ERR_NO_COMPANY_PLAN, with ERR_BAD_REQUEST for more than the plan allows, for
 * ids of no user or connection here and for who would rest himself, with ERR_LAST_ADMIN where no admin is chosen.
 */
export async function chooseLimits(tx: Tx, choice: z.output<typeof LimitsChoice>): Promise<CompanyLimits> {
  const { users, connections } = await shownLimits(tx)
  const userIds = chosenOf('userIds', users.rows, choice.userIds, users.limit)
  const connectionIds = chosenOf('connectionIds', connections.rows, choice.connectionIds, connections.limit)
  if (!users.rows.some(one => one.isAdmin && userIds.has(one.id)))
    refuse('ERR_LAST_ADMIN', { field: 'userIds' })
  const viewer = viewerOf(tx)
  if (viewer.companyId === tx.companyId && !userIds.has(viewer.id))
    refuse('ERR_BAD_REQUEST', { field: 'userIds', message: 'Quem escolhe não pode ficar em repouso' })
  await rest(tx, { users: users.rows, connections: connections.rows }, { userIds, connectionIds })
  await updateCompany(tx, { limitsBy: null })
  await publish(tx)
  return shownLimits(tx)
}

function chosenOf(field: string, rows: LimitedRow[], ids: number[], limit: number): Set<number> {
  const known = new Set(rows.map(({ id }) => id))
  const chosen = new Set(ids)
  if (chosen.size > limit) refuse('ERR_BAD_REQUEST', { field, message: `No máximo ${limit}` })
  if (ids.some(one => !known.has(one))) refuse('ERR_BAD_REQUEST', { field })
  return chosen
}

/**
 * Compares a company with the limits of its plan: what fits again goes on, the oldest first; where it has more than it may, days begin
 * in which it chooses, and after the last one the newest rest, admins after others. Nothing happens where it has no plan.
 */
export async function settleLimits(tx: Tx, now: Date, days: number): Promise<void> {
  const limits = await limitsOf(tx.sql, tx.companyId)
  if (!limits) return
  const rows = { users: await limitedUsers(tx), connections: await limitedConnections(tx) }
  const chooseBy = await chooseByOf(tx)
  const woken = {
    userIds: wakened(rows.users, limits.users),
    connectionIds: wakened(rows.connections, limits.connections),
  }
  const isOver = woken.userIds.size > limits.users || woken.connectionIds.size > limits.connections
  const today = await dayThere(tx, now)
  const isLate = isOver && chooseBy !== null && chooseBy < today
  const kept = isLate
    ? {
        userIds: oldest(woken.userIds, limits.users),
        connectionIds: oldest(woken.connectionIds, limits.connections),
      }
    : woken
  const changed = await rest(tx, rows, kept)
  const limitsBy = !isOver || isLate ? null : (chooseBy ?? daysFrom(today, days))
  if (limitsBy !== chooseBy) {
    await updateCompany(tx, { limitsBy })
    tx.note('a company has more than its plan, or has not any more', { limitsBy })
  }
  if (changed || limitsBy !== chooseBy) await publish(tx)
}

/** What goes on; of what rests the oldest fill what the plan allows. */
function wakened(rows: LimitedRow[], limit: number): Set<number> {
  const awake = rows.filter(({ isResting }) => !isResting).map(({ id }) => id)
  const resting = rows.filter(({ isResting }) => isResting).map(({ id }) => id)
  return new Set([...awake, ...resting.slice(0, Math.max(0, limit - awake.length))])
}

const oldest = (ids: Set<number>, limit: number) => new Set([...ids].slice(0, limit))

interface Kept {
  userIds: Set<number>
  connectionIds: Set<number>
}

/** Answers whether anything changed. */
async function rest(
  tx: Tx,
  { users, connections }: { users: LimitedRow[]; connections: LimitedRow[] },
  { userIds, connectionIds }: Kept,
): Promise<boolean> {
  const since = databaseTime()
  const [resting, waking] = changesOf(users, userIds)
  const [stopped, started] = changesOf(connections, connectionIds)
  if (resting.length > 0) await setUsersResting(tx, resting, since)
  if (waking.length > 0) await setUsersResting(tx, waking, null)
  for (const id of resting) await deleteSessionsOf(tx, id, null)
  if (stopped.length > 0) await setConnectionsResting(tx, stopped, since)
  if (started.length > 0) await setConnectionsResting(tx, started, null)
  for (const id of [...stopped, ...started]) await emitConnectionChanged(tx, id)
  return resting.length + waking.length + stopped.length + started.length > 0
}

/** Those that begin to rest, and those that go on. */
const changesOf = (rows: LimitedRow[], kept: Set<number>): [number[], number[]] => [
  rows.filter(one => !one.isResting && !kept.has(one.id)).map(({ id }) => id),
  rows.filter(one => one.isResting && kept.has(one.id)).map(({ id }) => id),
]

async function publish(tx: Tx): Promise<void> {
  tx.emit(companyChanged, {})
}

/** Companies whose days are over or begin, and those that have fewer users or connections by now. */
export async function settleAllLimits(scopes: Scopes, now: Date): Promise<void> {
  const platform = scopes.platform()
  const found = await platform.transaction(limitedCompanies)
  const days = Number(await platform.transaction(sql => settingNow(sql, 'limitDays')))
  const settle = (companyId: number) =>
    scopes.inCompany(companyId).transaction(tx => settleLimits(tx, now, days))
  await eachByItself(found, settle, 'to settle limits')
}

/** Whether the viewer reaches this company. Refuses with ERR_NO_COMPANY_FOUND. */
export function refuseForeignLimits(viewer: Parameters<typeof may>[0], companyId: number): void {
  if (!may(viewer, 'master') && viewer.companyId !== companyId) refuse('ERR_NO_COMPANY_FOUND')
}
