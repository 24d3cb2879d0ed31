import type { Push } from '@balcao/contract/kit.ts'
import type { tagChannel } from '@balcao/contract/tags.ts'
import { event } from '../../platform/events.ts'

/** A tag was added, changed or deleted, or other tickets have it now. */
export const tagChanged = event<Push<typeof tagChannel>>('tag.changed')
