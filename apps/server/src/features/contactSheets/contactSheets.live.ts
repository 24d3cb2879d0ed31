import { contactSheetChannel } from '@balcao/contract/contactSheets.ts'
import { everyone, publish } from '../../platform/live.ts'
import { sheetChanged } from './contactSheets.events.ts'

export const live = [
  publish(sheetChanged, (companyId, { sheet }, push) =>
    push(contactSheetChannel, everyone(companyId), { action: 'update', sheet }),
  ),
]
