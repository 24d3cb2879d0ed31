import { webhookChannel } from '@balcao/contract/webhooks.ts'
import { followList } from '../../platform/lists.ts'

export const WEBHOOKS = ['webhooks']

export const followWebhooks = () => followList(webhookChannel, WEBHOOKS)
