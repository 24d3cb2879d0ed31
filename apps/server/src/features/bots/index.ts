import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { dueTopic } from '../../platform/work/due.ts'
import { botLifetimes } from './bots.calls.queries.ts'
import { carriedOfBots } from './bots.carried.queries.ts'
import { callWritten } from './bots.events.ts'
import { jobs, WEBHOOKS } from './bots.jobs.ts'
import { live } from './bots.live.ts'
import { reacts } from './bots.reacts.ts'
import { routes } from './bots.routes.ts'
import { sealedOfBots } from './bots.table.ts'

export const bots: Feature = {
  name: 'bots',
  routes,
  live,
  reacts: [...reacts, signal(callWritten, () => dueTopic(WEBHOOKS))],
  jobs: [...carriedOfBots, ...jobs, ...botLifetimes, ...sealedOfBots],
}
