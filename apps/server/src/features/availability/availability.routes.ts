import { availability } from '@balcao/contract/availability.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import {
  availabilityOf,
  changeHours,
  changeSilence,
  setAvailability,
  showHours,
} from './availability.actions.ts'
import { silenceSettings } from './availability.queries.ts'
import { actsSeen } from './availability.worker.ts'

export const routes = [
  actsSeen,
  serve(availability.set, (scope, { body }) =>
    scope.transaction(tx => setAvailability(tx, viewerOf(scope).id, body)),
  ),
  serve(availability.own, scope =>
    scope.read(async tx => ({
      ...(await availabilityOf(tx, viewerOf(scope).id)),
      ...(await silenceSettings(tx)),
    })),
  ),
  // the call itself is the act (`actsSeen`)
  serve(availability.here, async () => ({})),
  serve(availability.setOf, (scope, { params, body }) =>
    scope.transaction(tx => setAvailability(tx, params.userId, body)),
  ),
  serve(availability.hours, (scope, { params }) => showHours(scope, params.userId)),
  serve(availability.changeHours, (scope, { params, body }) => changeHours(scope, params.userId, body)),
  serve(availability.settings, scope => scope.read(silenceSettings)),
  serve(availability.changeSettings, (scope, { body }) => changeSilence(scope, body)),
]
