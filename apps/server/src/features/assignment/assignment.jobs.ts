import { due } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { assignQueue, returnUnanswered } from './assignment.actions.ts'
import { assigningDue, findAssigning, findReturns, returnsDue } from './assignment.queries.ts'

export const ASSIGN = 'assignment'
const RETURNS = 'assignment.returns'
/** Queues of one query. */
const AT_ONCE = 50

export const jobs = [
  due(
    ASSIGN,
    tools =>
      workOff(tools, {
        name: ASSIGN,
        atOnce: AT_ONCE,
        find: findAssigning,
        run: (scope, { queueId }) => assignQueue(scope, queueId),
      }),
    () => assigningDue(1, []),
  ),
  due(
    RETURNS,
    tools =>
      workOff(tools, {
        name: RETURNS,
        atOnce: AT_ONCE,
        find: findReturns,
        run: (scope, { queueId }) => returnUnanswered(scope, queueId),
      }),
    () => returnsDue(1, []),
  ),
]
