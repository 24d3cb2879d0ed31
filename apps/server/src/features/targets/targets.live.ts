import { targetMissedChannel } from '@balcao/contract/targets.ts'
import { admins, publish } from '../../platform/live/live.ts'
import { targetMissed } from './targets.events.ts'

export const live = [
  publish(targetMissed, (companyId, { missed }, push) =>
    push(targetMissedChannel, admins(companyId), missed),
  ),
]
