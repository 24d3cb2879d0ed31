import type { UserAuthorization } from '@balcao/contract/permissions.ts'
import { event } from '../../platform/events.ts'

export const authorizationChanged = event<{ userAuthorization: UserAuthorization; created: boolean }>(
  'authorization.changed',
)

/** Inside the transaction that deletes a group: its users get the defaults. */
export const authorizationLeaving = event<{ userAuthorizationId: number }>('authorization.leaving')
export const authorizationRemoved = event<{ userAuthorizationId: number }>('authorization.removed')

/** Inside the transaction that withdrew the administration from a group: some user of the company must still have it. */
export const administrationWithdrawn = event<{ userAuthorizationId: number }>(
  'authorization.administrationTaken',
)
