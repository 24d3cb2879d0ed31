import type { Push } from '@balcao/contract/kit.ts'
import type { tagChannel } from '@balcao/contract/tags.ts'
import { event } from '../../platform/events.ts'

/** A tag was added, changed or deleted, or its number of tickets changed. */
export const tagChanged = event<Push<typeof tagChannel>>('tag.changed')

/** Inside the transaction that merges a tag into another: its tickets get the other. */
export const tagMerging = event<{ tagId: number; into: number }>('tag.merging')
