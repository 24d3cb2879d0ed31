import { targetMissedChannel } from '@balcao/contract/targets.ts'
import { admins, oneUser, publish } from '../../platform/live/live.ts'
import { targetMissed } from './targets.events.ts'

export const live = [
  publish(targetMissed, (companyId, { missed, state: { userId } }, push) =>
    push(
      targetMissedChannel,
      [admins(companyId), ...(userId === null ? [] : [oneUser(companyId, userId)])],
      missed,
    ),
  ),
]
