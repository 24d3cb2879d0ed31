import { presence } from '@balcao/contract/presence.ts'
import { serve } from '../../platform/http/routes.ts'
import { reportPresence } from './presence.actions.ts'

export const routes = [
  serve(presence.report, (scope, { params, body }, { platform }) =>
    reportPresence(scope, platform, { ...params, ...body }),
  ),
]
