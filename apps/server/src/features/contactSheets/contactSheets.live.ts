import { contactSheetChannel } from '@balcao/contract/contactSheets.ts'
import { admins, oneUser, publish } from '../../platform/live/live.ts'
import { sheetChanged } from './contactSheets.events.ts'

/** A sheet is visible to who uploaded it and to admins. */
export const live = [
  publish(sheetChanged, (companyId, { sheet, userId }, push) =>
    push(contactSheetChannel, [admins(companyId), ...(userId === null ? [] : [oneUser(companyId, userId)])], {
      action: 'update',
      sheet,
    }),
  ),
]
