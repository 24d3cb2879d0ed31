import { webhookChannel } from '@balcao/contract/webhooks.ts'
import { admins, publish } from '../../platform/live/live.ts'
import { webhooksChanged } from './webhooks.events.ts'

export const live = [
  publish(webhooksChanged, (companyId, payload, push) => push(webhookChannel, admins(companyId), payload)),
]
