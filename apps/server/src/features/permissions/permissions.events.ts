import type { UserAuthorization } from '@balcao/contract/permissions.ts'
import { event } from '../../platform/events.ts'

export const authorizationChanged = event<{ userAuthorization: UserAuthorization; created: boolean }>(
  'authorization.changed',
)

/** Asked inside the transaction that removes a group: its users fall back to the defaults now. */
export const authorizationLeaving = event<{ userAuthorizationId: number }>('authorization.leaving')
export const authorizationRemoved = event<{ userAuthorizationId: number }>('authorization.removed')

/** Asked inside the transaction that took administration from a group: somebody of the company must still have it. */
export const administrationWithdrawn = event<{ userAuthorizationId: number }>(
  'authorization.administrationTaken',
)
