import { contactSheetChannel } from '@balcao/contract/contactSheets.ts'
import { listen } from '../../platform/live.ts'
import { askAgain } from '../../platform/query.ts'
import { onSheetProgress } from './contactSheets.api.ts'

/** Progress of an import; contacts are refetched at its end. */
export const followContactSheets = () =>
  listen(contactSheetChannel, ({ sheet }) => {
    onSheetProgress(sheet)
    if (sheet.state === 'done' || (sheet.state === 'cancelled' && sheet.done > 0))
      void askAgain({ queryKey: ['contacts'] })
  })
