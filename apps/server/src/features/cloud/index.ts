import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { cloudTopic, deliveryKept } from './cloud.events.ts'
import { jobs } from './cloud.jobs.ts'
import { lifetimes } from './cloud.queries.ts'
import { reacts } from './cloud.reacts.ts'
import { routes } from './cloud.routes.ts'
import { webhook } from './cloud.webhook.routes.ts'

export const cloud: Feature = {
  name: 'cloud',
  routes: [...routes, ...webhook],
  reacts: [...reacts, signal(deliveryKept, ({ whatsappId }) => cloudTopic(whatsappId))],
  jobs: [...jobs, ...lifetimes],
}
