import { randomUUID } from 'node:crypto'
import { BACKOFF_MS, type ScheduledActionJob } from '@balcao/contract/scheduledActions.ts'
import { databaseNow } from '../../platform/clock.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Scope } from '../../platform/scope.ts'
import type { KeptJob } from '../../platform/work/job-rows.ts'
import type { Jobs } from '../../platform/work/jobs.ts'
import { type ScheduledWork, scheduledAction } from './scheduledActions.jobs.ts'

const SHOWN = 500

/** The jobs of the company, the newest first. */
export async function listScheduledActions({ companyId }: Scope, jobs: Jobs): Promise<ScheduledActionJob[]> {
  const kept = await jobs.ofCompany(companyId, scheduledAction, SHOWN)
  return kept.map(shown)
}

/** The job is due `delay` milliseconds from now. */
export async function addScheduledAction(
  scope: Scope,
  jobs: Jobs,
  work: ScheduledWork,
): Promise<ScheduledActionJob> {
  const id = randomUUID()
  const after = new Date(databaseNow() + work.delay)
  await scope.transaction(tx => tx.enqueue(scheduledAction, work, { id, after }))
  const [job] = await jobs.ofCompany(scope.companyId, scheduledAction, 1, id)
  return shown(job!)
}

/** ERR_NOT_FOUND: the company has no such job. */
export async function removeScheduledAction({ companyId }: Scope, jobs: Jobs, jobId: string): Promise<void> {
  if ((await jobs.dropOfCompany(companyId, scheduledAction, jobId)) === 0) throw new Refusal('ERR_NOT_FOUND')
}

export const removeScheduledActions = ({ companyId }: Scope, jobs: Jobs) =>
  jobs.dropOfCompany(companyId, scheduledAction)

function shown({ id, data, ...job }: KeptJob<ScheduledWork>): ScheduledActionJob {
  return {
    id,
    name: data.action,
    timestamp: job.createdAt,
    processedOn: job.startedAt,
    finishedOn: job.endedAt,
    failedReason: job.failure,
    attemptsMade: job.tries,
    data: data.jsonData,
    opts: {
      attempts: job.triesAllowed,
      delay: data.delay,
      backoff: { type: 'exponential', delay: BACKOFF_MS },
    },
  }
}
