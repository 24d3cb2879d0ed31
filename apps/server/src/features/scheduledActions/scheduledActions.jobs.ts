import { ATTEMPTS, BACKOFF_MS, type ScheduledActionName } from '@balcao/contract/scheduledActions.ts'
import { databaseDate } from '../../platform/clock.ts'
import type { Scope } from '../../platform/scope.ts'
import { job, type Tools } from '../../platform/work/jobs.ts'
import { remind } from '../billingNotices/billingNotices.reminders.actions.ts'
import { beginDueCampaigns } from '../campaigns/run/status.actions.ts'
import { sendSchedulesOf } from '../schedules/schedules.run.worker.ts'
import { closeIdleTicketsOf } from '../tickets/moves/closing.actions.ts'

export interface ScheduledWork {
  action: ScheduledActionName
  /** Milliseconds. */
  delay: number
  jsonData: Record<string, unknown>
}

type Action = (scope: Scope, jsonData: ScheduledWork['jsonData'], tools: Tools) => Promise<object>

/** Scheduled work of the product, for one company and now; each returns its counts. */
const actions: Record<ScheduledActionName, Action> = {
  sendScheduledMessages: async scope => ({ sent: await sendSchedulesOf(scope) }),
  startScheduledCampaigns: async scope => ({ begun: await beginDueCampaigns(scope) }),
  closeInactiveTickets: async (scope, _jsonData, { config }) => ({
    closed: config.hoursCloseTicketsAuto ? await closeIdleTicketsOf(scope, config.hoursCloseTicketsAuto) : 0,
  }),
  sendInvoiceNotifications: async scope => ({ planned: await remind(scope, databaseDate()) }),
  testAction: async (_scope, { fail }) => {
    if (fail) throw new Error(typeof fail === 'string' ? fail : 'testAction was told to fail')
    return {}
  },
}

/** Jobs at once, of all companies: a hundred finish within some seconds. */
const AT_ONCE = 20

export const scheduledAction = job<ScheduledWork>(
  'scheduledActions.run',
  async (scope, { action, jsonData }, tools) => {
    const result = await actions[action](scope, jsonData, tools)
    await scope.transaction(async tx => tx.note('a scheduled action was done', { action, ...result }))
  },
  { retries: ATTEMPTS - 1, retryDelay: BACKOFF_MS / 1_000, atOnce: AT_ONCE, ofOne: AT_ONCE / 2 },
)

export const jobs = [scheduledAction]
