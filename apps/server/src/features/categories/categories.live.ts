import { categoryChannel } from '@balcao/contract/categories.ts'
import { pushList } from '../../platform/live/live.ts'
import { categoryChanged } from './categories.events.ts'

export const live = [pushList(categoryChannel, categoryChanged)]
