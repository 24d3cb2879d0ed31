import { messageLogChannel } from '@balcao/contract/messageLogs.ts'
import { masters, publish } from '../../platform/live/live.ts'
import { inboundLogged, logEmptied } from './messageLogs.events.ts'
import { toLog } from './messageLogs.rules.ts'
import { isWatched } from './messageLogs.watching.live.ts'

export const live = [
  // all inbound events of all companies: only while a master has the log open
  publish(inboundLogged, (_companyId, { row, again }, push, product) => {
    if (again) push(messageLogChannel, masters, { action: 'update', messagesBruteLog: toLog(row) })
    else if (isWatched(product))
      push(messageLogChannel, masters, { action: 'create', messagesBruteLog: toLog(row) })
  }),
  publish(logEmptied, (_companyId, _payload, push) =>
    push(messageLogChannel, masters, { action: 'delete', messagesBruteLogId: null }),
  ),
]
