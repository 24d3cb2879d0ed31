import { due, dueTopic } from '../../platform/due.ts'
import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { schedulesChanged } from './schedules.events.ts'
import { live } from './schedules.live.ts'
import { reacts } from './schedules.reacts.ts'
import { routes } from './schedules.routes.ts'
import { sendDueSchedules } from './schedules.run.ts'

const NAME = 'schedules'

export const schedules: Feature = {
  name: NAME,
  routes,
  live,
  reacts,
  due: [due(NAME, sendDueSchedules)],
  nudges: [nudge(schedulesChanged, () => dueTopic(NAME))],
}
