import { userAuthorizationChannel } from '@balcao/contract/permissions.ts'
import { announce, everyone } from '../../platform/live.ts'
import { authorizationChanged, authorizationRemoved } from './permissions.events.ts'

export const live = [
  announce(authorizationChanged, (companyId, { userAuthorization, created }, push) =>
    push(userAuthorizationChannel, everyone(companyId), {
      action: created ? 'create' : 'update',
      userAuthorization,
    }),
  ),
  announce(authorizationRemoved, (companyId, { userAuthorizationId }, push) =>
    push(userAuthorizationChannel, everyone(companyId), { action: 'delete', userAuthorizationId }),
  ),
]
