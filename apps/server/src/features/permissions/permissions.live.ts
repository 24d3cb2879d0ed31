import { userAuthorizationChannel } from '@balcao/contract/permissions.ts'
import { everyone, publish } from '../../platform/live/live.ts'
import { authorizationChanged, authorizationRemoved } from './permissions.events.ts'

export const live = [
  publish(authorizationChanged, (companyId, { userAuthorization, created }, push) =>
    push(userAuthorizationChannel, everyone(companyId), {
      action: created ? 'create' : 'update',
      userAuthorization,
    }),
  ),
  publish(authorizationRemoved, (companyId, { userAuthorizationId }, push) =>
    push(userAuthorizationChannel, everyone(companyId), { action: 'delete', userAuthorizationId }),
  ),
]
