import type { ContactSheet } from '@balcao/contract/contactSheets.ts'
import { event } from '../../platform/events.ts'

export const sheetChanged = event<{ sheet: ContactSheet }>('contactSheet.changed')
