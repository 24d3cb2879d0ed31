import { businessHours } from '@balcao/contract/businessHours.ts'
import { serve } from '../../platform/routes.ts'
import { sayHours } from './businessHours.actions.ts'
import { hoursOf } from './businessHours.queries.ts'

export const routes = [
  serve(businessHours.show, scope => scope.read(hoursOf)),
  serve(businessHours.change, (scope, { body }) => sayHours(scope, body)),
]
