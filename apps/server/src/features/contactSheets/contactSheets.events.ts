import type { ContactSheet } from '@balcao/contract/contactSheets.ts'
import { event } from '../../platform/events.ts'

/** `userId`: who uploaded it. */
export const sheetChanged = event<{ sheet: ContactSheet; userId: number | null }>('contactSheet.changed')
