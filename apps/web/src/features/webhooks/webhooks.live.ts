import { webhookChannel } from '@balcao/contract/webhooks.ts'
import { followList } from '../../platform/lists.ts'
import { WEBHOOKS } from './webhooks.api.ts'

export const followWebhooks = () => followList(webhookChannel, WEBHOOKS)
