import { messageLogChannel } from '@balcao/contract/messageLogs.ts'
import { masters, publish } from '../../platform/live.ts'
import { inboundLogged, logEmptied } from './messageLogs.events.ts'
import { toLog } from './messageLogs.shape.ts'

export const live = [
  publish(inboundLogged, (_companyId, { row, again }, push) =>
    push(messageLogChannel, masters, {
      action: again ? 'update' : 'create',
      messagesBruteLog: toLog(row),
    }),
  ),
  publish(logEmptied, (_companyId, _news, push) =>
    push(messageLogChannel, masters, { action: 'delete', messagesBruteLogId: null }),
  ),
]
