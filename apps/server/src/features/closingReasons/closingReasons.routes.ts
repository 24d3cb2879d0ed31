import { closingReasons } from '@balcao/contract/closingReasons.ts'
import { serve } from '../../platform/http/routes.ts'
import {
  addClosingReason,
  changeClosingReason,
  changeQueueClosing,
  removeClosingReason,
  showQueueClosing,
} from './closingReasons.actions.ts'
import { findClosingReason, listClosingReasons, reasonsFor } from './closingReasons.queries.ts'
import { closingOfQueue, someQueueRequires } from './closingReasons.queues.queries.ts'

export const routes = [
  serve(closingReasons.list, (scope, { query }) => scope.list(tx => listClosingReasons(tx, query))),
  serve(closingReasons.choices, (scope, { query: { queueId } }) =>
    scope.read(async tx => ({
      closingReasons: await reasonsFor(tx, queueId),
      reasonRequired:
        queueId === undefined
          ? await someQueueRequires(tx)
          : (await closingOfQueue(tx, queueId)).reasonRequired,
    })),
  ),
  serve(closingReasons.show, (scope, { params }) =>
    scope.read(tx => findClosingReason(tx, params.closingReasonId)),
  ),
  serve(closingReasons.create, (scope, { body }) => addClosingReason(scope, body)),
  serve(closingReasons.change, (scope, { params, body }) =>
    changeClosingReason(scope, params.closingReasonId, body),
  ),
  serve(closingReasons.remove, async (scope, { params }) => {
    await removeClosingReason(scope, params.closingReasonId)
    return {}
  }),
  serve(closingReasons.showQueue, (scope, { params }) =>
    scope.read(tx => showQueueClosing(tx, params.queueId)),
  ),
  serve(closingReasons.changeQueue, (scope, { params, body }) =>
    changeQueueClosing(scope, params.queueId, body),
  ),
]
