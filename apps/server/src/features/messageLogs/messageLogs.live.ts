import { messageLogChannel } from '@balcao/contract/messageLogs.ts'
import { announce, masters } from '../../platform/live.ts'
import { logEmptied, newsLogged } from './messageLogs.events.ts'
import { toLog } from './messageLogs.shape.ts'

export const live = [
  announce(newsLogged, (_companyId, { row, again }, push) =>
    push(messageLogChannel, masters, {
      action: again ? 'update' : 'create',
      messagesBruteLog: toLog(row),
    }),
  ),
  announce(logEmptied, (_companyId, _news, push) =>
    push(messageLogChannel, masters, { action: 'delete', messagesBruteLogId: null }),
  ),
]
