import { ATTEMPTS, BACKOFF_MS, type ScheduledActionName } from '@balcao/contract/scheduledActions.ts'
import { job, type Tools } from '../../platform/jobs.ts'
import type { Scope } from '../../platform/scope.ts'
import { remind } from '../billingNotices/billingNotices.plan.ts'
import { beginDueCampaigns } from '../campaigns/campaigns.process.ts'
import { sendSchedulesOf } from '../schedules/schedules.run.ts'
import { closeIdleTicketsOf } from '../tickets/tickets.idle.ts'

export interface ScheduledWork {
  action: ScheduledActionName
  /** Milliseconds, as asked for. */
  delay: number
  jsonData: Record<string, unknown>
}

type Deed = (scope: Scope, jsonData: ScheduledWork['jsonData'], tools: Tools) => Promise<object>

/** What the product does by itself, for one company and now; each answers what it came to. */
const deeds: Record<ScheduledActionName, Deed> = {
  sendScheduledMessages: async scope => ({ sent: await sendSchedulesOf(scope) }),
  startScheduledCampaigns: async scope => ({ begun: await beginDueCampaigns(scope) }),
  closeInactiveTickets: async (scope, _jsonData, { config }) => ({
    closed: config.hoursCloseTicketsAuto ? await closeIdleTicketsOf(scope, config.hoursCloseTicketsAuto) : 0,
  }),
  sendInvoiceNotifications: async scope => ({ planned: await remind(scope, new Date()) }),
  testAction: async (_scope, { fail }) => {
    if (fail) throw new Error(typeof fail === 'string' ? fail : 'testAction was told to fail')
    return {}
  },
}

/** Of all companies together, so that a hundred which were asked for at once are done within some seconds. */
const AT_ONCE = 20

export const scheduledAction = job<ScheduledWork>(
  'scheduledActions.run',
  async (scope, { action, jsonData }, tools) => {
    const result = await deeds[action](scope, jsonData, tools)
    await scope.transaction(async tx => tx.note('a scheduled action was done', { action, ...result }))
  },
  { retries: ATTEMPTS - 1, retryDelay: BACKOFF_MS / 1_000, atOnce: AT_ONCE },
)

export const jobs = [scheduledAction]
