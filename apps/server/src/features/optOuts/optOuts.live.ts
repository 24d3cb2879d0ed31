import { optOutChannel } from '@balcao/contract/optOuts.ts'
import { pushList } from '../../platform/live/live.ts'
import { optOutChanged } from './optOuts.events.ts'

export const live = [pushList(optOutChannel, optOutChanged)]
