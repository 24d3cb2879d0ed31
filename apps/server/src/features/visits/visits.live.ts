import { visitChannel } from '@balcao/contract/visits.ts'
import { admins, publish } from '../../platform/live/live.ts'
import { visitChanged } from './visits.events.ts'

export const live = [
  publish(visitChanged, (companyId, { visit }, push) =>
    push(visitChannel, admins(companyId), { action: 'update', visit }),
  ),
]
