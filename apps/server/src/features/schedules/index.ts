import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { due, dueTopic } from '../../platform/work/due.ts'
import { carriedOfSchedules } from './schedules.carried.queries.ts'
import { schedulesChanged } from './schedules.events.ts'
import { live } from './schedules.live.ts'
import { dueSchedules } from './schedules.occurrences.queries.ts'
import { reacts } from './schedules.reacts.ts'
import { routes } from './schedules.routes.ts'
import { sendDueSchedules } from './schedules.run.worker.ts'

const NAME = 'schedules'

export const schedules: Feature = {
  name: NAME,
  routes,
  live,
  reacts: [...reacts, signal(schedulesChanged, () => dueTopic(NAME))],
  jobs: [...carriedOfSchedules, due(NAME, sendDueSchedules, sql => dueSchedules(sql, 1))],
}
