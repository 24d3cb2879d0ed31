import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { VIEWER_TOPIC } from '../../platform/live/sockets.ts'
import { watchVisitor } from './visits.actions.ts'
import { visitChanged } from './visits.events.ts'
import { live } from './visits.live.ts'
import { routes } from './visits.routes.ts'

export const visits: Feature = {
  name: 'visits',
  routes,
  live,
  guards: [watchVisitor],
  nudges: [
    nudge(
      visitChanged,
      () => VIEWER_TOPIC,
      ({ visitorId }) => visitorId,
    ),
  ],
}
