import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { carriedOfSimulator } from './simulator.carried.queries.ts'
import { phoneTypes, phoneTypesTopic, simulatorMoved, simulatorTopic } from './simulator.events.ts'
import { reacts } from './simulator.reacts.ts'
import { routes } from './simulator.routes.ts'

export const simulator: Feature = {
  name: 'simulator',
  routes,
  jobs: carriedOfSimulator,
  reacts: [
    ...reacts,
    signal(simulatorMoved, ({ whatsappId }) => simulatorTopic(whatsappId)),
    signal(
      phoneTypes,
      ({ whatsappId }) => phoneTypesTopic(whatsappId),
      payload => payload,
    ),
  ],
}
