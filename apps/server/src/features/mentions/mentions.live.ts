import { mentionChannel } from '@balcao/contract/mentions.ts'
import { oneUser, publish } from '../../platform/live/live.ts'
import { mentioned, mentionsChanged } from './mentions.events.ts'

export const live = [
  publish(mentioned, (companyId, { userId, mention }, push) =>
    push(mentionChannel, oneUser(companyId, userId), { action: 'create', mention }),
  ),
  publish(mentionsChanged, (companyId, { userId }, push) =>
    push(mentionChannel, oneUser(companyId, userId), { action: 'update' }),
  ),
]
