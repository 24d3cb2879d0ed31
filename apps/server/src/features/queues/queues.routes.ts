import { queues } from '@balcao/contract/queues.ts'
import { serve } from '../../platform/http/routes.ts'
import { addQueue, changeQueue, removeQueue } from './queues.actions.ts'
import { findQueue, selectQueues } from './queues.queries.ts'

export const routes = [
  serve(queues.list, scope => scope.read(tx => selectQueues(tx))),
  serve(queues.show, (scope, { params }) => scope.read(tx => findQueue(tx, params.queueId))),
  serve(queues.create, (scope, { body }) => addQueue(scope, body)),
  serve(queues.change, (scope, { params, body }) => changeQueue(scope, params.queueId, body)),
  serve(queues.remove, async (scope, { params, query }) => {
    await removeQueue(scope, params.queueId, query.evenIfUsed ?? false)
    return {}
  }),
]
