import { availabilityChannel } from '@balcao/contract/availability.ts'
import { admins, oneUser, publish, queueMembers } from '../../platform/live/live.ts'
import { availabilityChanged } from './availability.events.ts'

export const live = [
  // as on the board: admins, the user, and who shares a queue
  publish(availabilityChanged, (companyId, { userId, availability, queueIds }, push) =>
    push(
      availabilityChannel,
      [
        admins(companyId),
        oneUser(companyId, userId),
        ...queueIds.map(queueId => queueMembers(companyId, queueId)),
      ],
      { action: 'update', userId, availability },
    ),
  ),
]
