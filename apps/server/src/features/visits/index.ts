import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { guardCalls } from '../../platform/http/routes.ts'
import { VIEWER_TOPIC } from '../../platform/live/sockets.ts'
import { recordFile, watchVisitor } from './visits.actions.ts'
import { carriedOfVisits } from './visits.carried.queries.ts'
import { visitChanged } from './visits.events.ts'
import { live } from './visits.live.ts'
import { routes } from './visits.routes.ts'

export const visits: Feature = {
  name: 'visits',
  routes: [...routes, guardCalls({ check: watchVisitor, checkFile: recordFile })],
  jobs: carriedOfVisits,
  live,
  reacts: [
    signal(
      visitChanged,
      () => VIEWER_TOPIC,
      ({ visitorId }) => visitorId,
    ),
  ],
}
