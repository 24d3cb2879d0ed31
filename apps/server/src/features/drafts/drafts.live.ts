import { draftChannel } from '@balcao/contract/drafts.ts'
import { oneUser, publish } from '../../platform/live/live.ts'
import { draftChanged } from './drafts.events.ts'

export const live = [
  publish(draftChanged, (companyId, { userId, draft }, push) =>
    push(draftChannel, oneUser(companyId, userId), draft),
  ),
]
