import { companyUserChannel, userChannel } from '@balcao/contract/users.ts'
import { everyone, oneUser, publish } from '../../platform/live/live.ts'
import { userChanged, userRemoved } from './users.events.ts'

export const live = [
  publish(userChanged, (companyId, { user, created }, push) => {
    push(companyUserChannel, everyone(companyId), { action: created ? 'create' : 'update', user })
    push(userChannel, oneUser(companyId, user.id), { action: 'update', user })
  }),
  publish(userRemoved, (companyId, { userId }, push) =>
    push(companyUserChannel, everyone(companyId), { action: 'delete', userId }),
  ),
]
