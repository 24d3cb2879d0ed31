import type { NoteMention } from '@balcao/contract/mentions.ts'
import { event } from '../../platform/events.ts'

/** A user was mentioned in a note; after the commit of the note. */
export const mentioned = event<{ userId: number; mention: NoteMention }>('mentioned')

/** Mentions of a user were read, or their notes changed. */
export const mentionsChanged = event<{ userId: number }>('mentions.changed')
