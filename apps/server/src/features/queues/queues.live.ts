import { queueChannel } from '@balcao/contract/queues.ts'
import { announce, everyone } from '../../platform/live.ts'
import { queueChanged, queueRemoved } from './queues.events.ts'

export const live = [
  announce(queueChanged, (companyId, { queue, created }, push) =>
    push(queueChannel, everyone(companyId), { action: created ? 'create' : 'update', queue }),
  ),
  announce(queueRemoved, (companyId, { queueId }, push) =>
    push(queueChannel, everyone(companyId), { action: 'delete', queueId }),
  ),
]
