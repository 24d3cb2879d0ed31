import type { PauseReason, PauseReasonInput } from '@balcao/contract/pauseReasons.ts'
import type { Scope } from '../../platform/scope.ts'
import { pauseReasonChanged } from './pauseReasons.events.ts'
import { deletePauseReason, insertPauseReason, updatePauseReason } from './pauseReasons.queries.ts'

export const addPauseReason = (scope: Scope, input: PauseReasonInput): Promise<PauseReason> =>
  scope.transaction(async tx => {
    const pauseReason = await insertPauseReason(tx, input)
    tx.emit(pauseReasonChanged, { action: 'create', pauseReason })
    return pauseReason
  })

/** Refuses with ERR_NOT_FOUND. */
export const changePauseReason = (
  scope: Scope,
  pauseReasonId: number,
  input: PauseReasonInput,
): Promise<PauseReason> =>
  scope.transaction(async tx => {
    const pauseReason = await updatePauseReason(tx, pauseReasonId, input)
    tx.emit(pauseReasonChanged, { action: 'update', pauseReason })
    return pauseReason
  })

/** Refuses with ERR_NOT_FOUND. */
export const removePauseReason = (scope: Scope, pauseReasonId: number): Promise<void> =>
  scope.transaction(async tx => {
    await deletePauseReason(tx, pauseReasonId)
    tx.emit(pauseReasonChanged, { action: 'delete', pauseReasonId })
  })
