import { tagChannel, tagUserChannel } from '@balcao/contract/tags.ts'
import { everyone, publish } from '../../platform/live.ts'
import { tagChanged } from './tags.events.ts'

export const live = [
  publish(tagChanged, (companyId, news, push) => {
    push(tagChannel, everyone(companyId), news)
    push(tagUserChannel, everyone(companyId), news)
  }),
]
