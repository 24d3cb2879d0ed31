import type { categoryChannel } from '@balcao/contract/categories.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

export const categoryChanged = event<Push<typeof categoryChannel>>('category.changed')

/** Inside the transaction that merges a category into another: its contacts get the other. */
export const categoryMerging = event<{ categoryId: number; into: number }>('category.merging')
