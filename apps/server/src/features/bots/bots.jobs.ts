import { webhookDue } from '../../platform/outbound/webhook-deliveries.ts'
import { due } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { outcalls } from './bots.outcalls.worker.ts'
import { endWait } from './bots.turn.actions.ts'
import { waitsOver } from './bots.turn.queries.ts'

export const WEBHOOKS = 'bots.webhooks'
const WAITS = 'bots.waits'
/** Sessions of one query. */
const WAITS_AT_ONCE = 100

export const jobs = [
  due(
    WAITS,
    tools =>
      workOff(tools, {
        name: WAITS,
        atOnce: WAITS_AT_ONCE,
        find: waitsOver,
        run: (scope, { ticketId }) => endWait(scope, ticketId),
      }),
    sql => waitsOver(sql, 1),
  ),
  webhookDue(WEBHOOKS, outcalls),
]
