import { businessHours } from '@balcao/contract/businessHours.ts'
import { serve } from '../../platform/http/routes.ts'
import { saveHours } from './businessHours.actions.ts'
import { hoursOf } from './businessHours.queries.ts'

export const routes = [
  serve(businessHours.show, scope => scope.read(hoursOf)),
  serve(businessHours.change, (scope, { body }) => saveHours(scope, body)),
]
