import { queueChannel } from '@balcao/contract/queues.ts'
import { everyone, publish } from '../../platform/live/live.ts'
import { queueChanged, queueRemoved } from './queues.events.ts'

export const live = [
  publish(queueChanged, (companyId, { queue, created }, push) =>
    push(queueChannel, everyone(companyId), { action: created ? 'create' : 'update', queue }),
  ),
  publish(queueRemoved, (companyId, { queueId }, push) =>
    push(queueChannel, everyone(companyId), { action: 'delete', queueId }),
  ),
]
