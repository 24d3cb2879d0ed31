import { contactMergeChannel } from '@balcao/contract/contactMerges.ts'
import { everyone, publish } from '../../platform/live/live.ts'
import { contactMergeChanged } from './contactMerges.events.ts'

export const live = [
  publish(contactMergeChanged, (companyId, change, push) =>
    push(contactMergeChannel, everyone(companyId), change),
  ),
]
