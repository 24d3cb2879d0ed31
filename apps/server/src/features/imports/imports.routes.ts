import { imports } from '@balcao/contract/imports.ts'
import { serve } from '../../platform/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { shownTo } from '../connections/connections.codes.ts'
import { closeImported } from './imports.actions.ts'

export const routes = [
  serve(imports.close, async (scope, { params }, { platform }) =>
    shownTo(viewerOf(scope), platform.secrets, await closeImported(scope, params.whatsappId)),
  ),
]
