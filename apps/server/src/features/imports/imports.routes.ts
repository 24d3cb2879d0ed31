import { imports } from '@balcao/contract/imports.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { codesShownTo } from '../connections/connections.rules.ts'
import { closeImportedTickets } from './imports.actions.ts'

export const routes = [
  serve(imports.close, async (scope, { params }, { platform }) =>
    codesShownTo(viewerOf(scope), platform.secrets, await closeImportedTickets(scope, params.whatsappId)),
  ),
]
