import type { Push } from '@balcao/contract/kit.ts'
import type { tagChannel } from '@balcao/contract/tags.ts'
import { event } from '../../platform/events.ts'

/** A tag was added, changed or deleted, or other tickets have it now. */
export const tagChanged = event<Push<typeof tagChannel>>('tag.changed')

/** A tag is about to be deleted for the good of another, which takes its tickets in the same transaction. */
export const tagMerging = event<{ tagId: number; into: number }>('tag.merging')
