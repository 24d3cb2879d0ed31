import { viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { companyUserChannel, userChannel } from '@balcao/contract/users.ts'
import { everyone, oneUser, payers, publish } from '../../platform/live/live.ts'
import { userChanged, userRemoved } from './users.events.ts'
import { readBy } from './users.rules.ts'

export const live = [
  publish(userChanged, (companyId, { user, created }, push) => {
    const action = created ? ('create' as const) : ('update' as const)
    const paying = [payers(companyId)]
    push(companyUserChannel, paying, { action, user })
    const hidden = { ...user, company: { ...user.company, payBy: null } }
    push(companyUserChannel, everyone(companyId), { action, user: hidden }, paying)
    push(userChannel, oneUser(companyId, user.id), { action: 'update', user: readBy(viewerFrom(user), user) })
  }),
  publish(userRemoved, (companyId, { userId }, push) =>
    push(companyUserChannel, everyone(companyId), { action: 'delete', userId }),
  ),
]
