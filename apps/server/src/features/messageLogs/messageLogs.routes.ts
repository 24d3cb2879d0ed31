import { messageLogs } from '@balcao/contract/messageLogs.ts'
import { serve } from '../../platform/http/routes.ts'
import { removeAll, reprocess } from './messageLogs.actions.ts'
import { listLogs } from './messageLogs.queries.ts'
import { noteWatching } from './messageLogs.watching.live.ts'

export const routes = [
  serve(messageLogs.list, (_scope, { query }, { platform }) => {
    noteWatching(platform)
    return listLogs(platform.scopes.platform(), query)
  }),
  serve(messageLogs.reprocess, (_scope, { params }, { platform }) =>
    reprocess(platform.scopes.platform(), params.logId),
  ),
  serve(messageLogs.removeAll, async (scope, _input, { platform }) => ({
    deleted: await removeAll(scope, platform.scopes.platform()),
  })),
]
