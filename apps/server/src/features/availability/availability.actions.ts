import type {
  Availability,
  AvailabilityInput,
  AvailabilitySettings,
  UserHours,
} from '@balcao/contract/availability.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { findPauseReason } from '../pauseReasons/pauseReasons.queries.ts'
import { findUser } from '../users/users.queries.ts'
import { availabilityChanged, availabilitySettled } from './availability.events.ts'
import {
  hoursOfUser,
  silenceSettings,
  writeActs,
  writeChoice,
  writePresence,
  writeSettings,
  writeStates,
  writeUserHours,
} from './availability.queries.ts'
import { lockOutdated, teamMembers } from './availability.state.queries.ts'

/**
 * A user is available, on a pause or away. Who does it by himself is here by that. Refuses with ERR_NO_USER_FOUND and with
 * ERR_NOT_FOUND and the field for a reason that is not the company's.
 */
export async function setAvailability(
  tx: Tx,
  userId: number,
  input: AvailabilityInput,
): Promise<Availability> {
  await findUser(tx.sql, tx.companyId, userId)
  if (input.state === 'pause' && input.reasonId) await findReason(tx, input.reasonId)
  if (tx.viewer?.id === userId) {
    const { companyId } = tx
    await writePresence(tx.sql, [{ companyId, userId, screen: false, acted: true }])
    await writeActs(tx.sql, [{ companyId, userId }])
  }
  await writeChoice(tx, userId, input)
  await settleAvailability(tx, [userId])
  return availabilityOf(tx, userId)
}

/** Announces the states of these users that are no longer what was announced last. */
export async function settleAvailability(tx: Tx, userIds: number[]): Promise<void> {
  const changed = await lockOutdated(tx, userIds)
  if (changed.length === 0) return
  await writeStates(tx, changed)
  const now = await teamMembers(tx, { userIds: changed.map(({ id }) => id) })
  const before = new Map(changed.map(one => [one.id, one.before]))
  await tx.involve(availabilitySettled, {
    changes: now.map(({ id, state }) => ({ userId: id, state, before: before.get(id)! })),
  })
  for (const { queueIds, ...availability } of now) {
    const { id: userId, state } = availability
    const { companyId } = tx
    tx.emit(availabilityChanged, {
      ...{ companyId, userId, state, before: before.get(userId)!, availability, queueIds },
    })
  }
}

/** Refuses with ERR_NO_USER_FOUND. */
export async function availabilityOf(tx: Tx, userId: number): Promise<Availability> {
  const [member] = await teamMembers(tx, { userIds: [userId] })
  if (!member) return refuse('ERR_NO_USER_FOUND')
  const { queueIds: _queues, ...availability } = member
  return availability
}

/** Refuses with ERR_NO_USER_FOUND. */
export const showHours = (scope: Scope, userId: number): Promise<UserHours> =>
  scope.read(async tx => {
    await findUser(tx.sql, tx.companyId, userId)
    return hoursOfUser(tx, userId)
  })

/** Refuses with ERR_NO_USER_FOUND. */
export const changeHours = (scope: Scope, userId: number, input: UserHours): Promise<UserHours> =>
  scope.transaction(async tx => {
    await findUser(tx.sql, tx.companyId, userId)
    await writeUserHours(tx, userId, input)
    await settleAvailability(tx, [userId])
    tx.note('the hours of a user were changed', { userId, by: viewerOf(scope).id })
    return hoursOfUser(tx, userId)
  })

export const changeSilence = (scope: Scope, input: AvailabilitySettings): Promise<AvailabilitySettings> =>
  scope.transaction(async tx => {
    await writeSettings(tx, input)
    tx.note('the time without input of the company was changed', { userId: viewerOf(scope).id })
    return silenceSettings(tx)
  })

const findReason = (tx: Tx, reasonId: number) =>
  findPauseReason(tx, reasonId).catch(() => refuse('ERR_NOT_FOUND', { field: 'reasonId' }))
