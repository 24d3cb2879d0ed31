import type { categoryChannel } from '@balcao/contract/categories.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

export const categoryChanged = event<Push<typeof categoryChannel>>('category.changed')

/** A category is about to be deleted for the good of another, which takes its contacts in the same transaction. */
export const categoryMerging = event<{ categoryId: number; into: number }>('category.merging')
