import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { dueTopic } from '../../platform/work/due.ts'
import { carriedOfPush } from './push.carried.queries.ts'
import { deliveriesLifetime } from './push.deliveries.queries.ts'
import { DEVICES_TOPIC, deviceAdded, notificationWritten } from './push.events.ts'
import { pushFigures } from './push.figures.queries.ts'
import { reacts } from './push.reacts.ts'
import { routes } from './push.routes.ts'
import { sealedOfPush } from './push.table.ts'
import { pushDue } from './push.worker.ts'

const NAME = 'push'

export const push: Feature = {
  name: NAME,
  routes,
  reacts: [
    ...reacts,
    signal(notificationWritten, () => dueTopic(NAME)),
    signal(deviceAdded, () => DEVICES_TOPIC),
  ],
  jobs: [...carriedOfPush, pushDue, ...sealedOfPush, pushFigures, deliveriesLifetime],
}
