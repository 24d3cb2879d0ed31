import { due } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { wakeInTime } from '../tickets/marks/snooze.actions.ts'
import { dueSnoozes } from '../tickets/marks/snooze.queries.ts'

const SNOOZES = 'snoozes'
/** Tickets of one query. */
const AT_ONCE = 100

export const jobs = [
  due(
    SNOOZES,
    tools =>
      workOff(tools, {
        name: SNOOZES,
        atOnce: AT_ONCE,
        find: dueSnoozes,
        run: (scope, { id }) => wakeInTime(scope, id),
      }),
    sql => dueSnoozes(sql, 1),
  ),
]
