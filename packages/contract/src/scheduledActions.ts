import { z } from 'zod'
import { anyObject, route } from './kit.ts'

/** What an admin may have done in the background (OP-107). */
export const scheduledActionNames = [
  'sendScheduledMessages',
  'startScheduledCampaigns',
  'closeInactiveTickets',
  'sendInvoiceNotifications',
  'testAction',
] as const
export const ScheduledActionName = z.enum(scheduledActionNames)
export type ScheduledActionName = z.infer<typeof ScheduledActionName>

/** OP-108. The pause doubles with each try. */
export const ATTEMPTS = 3
export const BACKOFF_MS = 5_000

/** Nothing is put off for longer. */
export const MOST_DELAY_MS = 365 * 24 * 3_600_000

/** One piece of work in the queue of jobs, as it is there. Moments are milliseconds since 1970. */
export const ScheduledActionJob = z.object({
  id: z.uuid(),
  /** The action. */
  name: z.string(),
  timestamp: z.int(),
  processedOn: z.int().nullable(),
  finishedOn: z.int().nullable(),
  /** Why the last try failed; null when none did, or a later one succeeded. */
  failedReason: z.string().nullable(),
  attemptsMade: z.int(),
  data: z.record(z.string(), z.unknown()),
  opts: z.object({
    attempts: z.int(),
    /** Milliseconds after `timestamp`. */
    delay: z.int(),
    backoff: z.object({ type: z.literal('exponential'), delay: z.int() }),
  }),
})
export type ScheduledActionJob = z.infer<typeof ScheduledActionJob>

export const ScheduledActionInput = z.object({
  action: ScheduledActionName,
  jsonData: anyObject(20_000).default({}),
  delay: z.int().min(0).max(MOST_DELAY_MS).default(0),
  /** Required by the documents; the action is the name. */
  name: z.string().max(200).optional(),
})

export const scheduledActions = {
  list: route('GET', '/scheduleActions', {
    needs: 'admin',
    summary:
      'The newest 500 jobs of the company, the newest first: what waits, runs, failed, and what ended within a week.',
    reply: z.array(ScheduledActionJob),
  }),
  create: route('POST', '/scheduleActions', {
    needs: 'admin',
    summary: `Has an action done for the company after \`delay\` milliseconds, in ${ATTEMPTS} tries. Answers the job.`,
    body: ScheduledActionInput,
    reply: ScheduledActionJob,
    limit: { counts: 'calls', caller: 60 },
  }),
  remove: route('DELETE', '/scheduleActions/:jobId', {
    needs: 'admin',
    summary: 'Deletes a job. What waits is not done; what runs at this moment comes to its end.',
    params: z.object({ jobId: z.uuid() }),
  }),
  removeAll: route('DELETE', '/scheduleActionsAll', {
    needs: 'admin',
    summary: 'Deletes all jobs of the company.',
  }),
}
