import type { KeptDraft } from '@balcao/contract/drafts.ts'
import { event } from '../../platform/events.ts'

export const draftChanged = event<{ userId: number; draft: KeptDraft }>('draft.changed')
