import { availabilityChannel } from '@balcao/contract/availability.ts'
import { admins, allMembers, oneUser, publish, teamWatchers } from '../../platform/live/live.ts'
import { availabilityChanged } from './availability.events.ts'

export const live = [
  // as on the board: who sees the whole team, the user, and who shares a queue
  publish(availabilityChanged, (companyId, { userId, availability, queueIds }, push) =>
    push(
      availabilityChannel,
      [
        admins(companyId),
        teamWatchers(companyId),
        oneUser(companyId, userId),
        ...queueIds.flatMap(queueId => allMembers(companyId, queueId)),
      ],
      { action: 'update', userId, availability },
    ),
  ),
]
