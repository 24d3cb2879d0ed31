import { due } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { lookAtClocks, setClocksAnew } from './targets.actions.ts'
import { carriedOfTargets } from './targets.carried.queries.ts'
import { turnsDue } from './targets.queries.ts'

const TURNS = 'targets'
/** Tickets of one query. */
const AT_ONCE = 100

export const jobs = [
  due(
    TURNS,
    tools =>
      workOff(tools, {
        name: TURNS,
        atOnce: AT_ONCE,
        find: turnsDue,
        run: (scope, { ticketId }) => lookAtClocks(scope, ticketId),
      }),
    sql => turnsDue(sql, 1),
  ),
  setClocksAnew,
  ...carriedOfTargets,
]
