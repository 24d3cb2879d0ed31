import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { phoneTypes, phoneTypesTopic, simulatorMoved, simulatorTopic } from './simulator.events.ts'
import { reacts } from './simulator.reacts.ts'
import { routes } from './simulator.routes.ts'

export const simulator: Feature = {
  name: 'simulator',
  routes,
  reacts,
  nudges: [
    nudge(simulatorMoved, ({ whatsappId }) => simulatorTopic(whatsappId)),
    nudge(
      phoneTypes,
      ({ whatsappId }) => phoneTypesTopic(whatsappId),
      payload => payload,
    ),
  ],
}
