import { companyUserChannel, userChannel } from '@balcao/contract/users.ts'
import { announce, everyone, oneUser } from '../../platform/live.ts'
import { userChanged, userRemoved } from './users.events.ts'

export const live = [
  announce(userChanged, (companyId, { user, created }, push) => {
    push(companyUserChannel, everyone(companyId), { action: created ? 'create' : 'update', user })
    push(userChannel, oneUser(companyId, user.id), { action: 'update', user })
  }),
  announce(userRemoved, (companyId, { userId }, push) =>
    push(companyUserChannel, everyone(companyId), { action: 'delete', userId }),
  ),
]
