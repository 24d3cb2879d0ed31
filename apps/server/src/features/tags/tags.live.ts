import { tagChannel, tagUserChannel } from '@balcao/contract/tags.ts'
import { everyone, publish } from '../../platform/live/live.ts'
import { tagChanged } from './tags.events.ts'

export const live = [
  publish(tagChanged, (companyId, change, push) => {
    push(tagChannel, everyone(companyId), change)
    push(tagUserChannel, everyone(companyId), change)
  }),
]
