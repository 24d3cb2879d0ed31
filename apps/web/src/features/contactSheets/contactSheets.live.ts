import { contactSheetChannel } from '@balcao/contract/contactSheets.ts'
import { listen } from '../../platform/live.ts'
import { askAgain } from '../../platform/query.ts'
import { hearSheet } from './contactSheets.api.ts'

/** How far it is; when it is over, the contacts are asked for again. */
export const followContactSheets = () =>
  listen(contactSheetChannel, ({ sheet }) => {
    hearSheet(sheet)
    if (sheet.state === 'done' || (sheet.state === 'cancelled' && sheet.done > 0))
      void askAgain({ queryKey: ['contacts'] })
  })
