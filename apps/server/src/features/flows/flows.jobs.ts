import { due } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { endOver } from './flows.runs.actions.ts'
import { runsOver } from './flows.runs.queries.ts'

const OVER = 'flows.over'
/** Runs of one query. */
const RUNS_AT_ONCE = 100

export const jobs = [
  due(
    OVER,
    tools =>
      workOff(tools, {
        name: OVER,
        atOnce: RUNS_AT_ONCE,
        find: runsOver,
        run: (scope, { id }) => endOver(scope, id),
      }),
    sql => runsOver(sql, 1),
  ),
]
