import type { CloudInput } from '@balcao/contract/cloud.ts'
import { connections } from '@balcao/contract/connections.ts'
import { serve, type Visit } from '../../platform/http/routes.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { addConnection, changeConnection } from './connections.actions.ts'
import { selectFalls } from './connections.falls.queries.ts'
import { findConnection, selectConnections } from './connections.queries.ts'
import { removeConnection } from './connections.removal.actions.ts'
import { codesShownTo, sealedCloud } from './connections.rules.ts'
import { endSession, renewSession, startSession } from './connections.session.actions.ts'

const shown =
  (scope: Scope, { platform: { secrets } }: Visit) =>
  <T extends { qrcode: string; pairingCode: string }>(sealed: T) =>
    codesShownTo(viewerOf(scope), secrets, sealed)

const sealed = <T extends { cloud?: CloudInput | undefined }>(
  scope: Scope,
  body: T,
  { platform }: Visit,
): T => (body.cloud ? { ...body, cloud: sealedCloud(platform.secrets, scope.companyId, body.cloud) } : body)

export const routes = [
  serve(connections.list, async (scope, _input, visit) =>
    (await scope.read(tx => selectConnections(tx))).map(shown(scope, visit)),
  ),
  serve(connections.show, async (scope, { params }, visit) =>
    shown(scope, visit)(await scope.read(tx => findConnection(tx, params.whatsappId))),
  ),
  serve(connections.falls, (scope, { params }) =>
    scope.read(async tx => {
      await findConnection(tx, params.whatsappId)
      return { falls: await selectFalls(tx, params.whatsappId) }
    }),
  ),
  serve(connections.create, async (scope, { body }, visit) =>
    shown(scope, visit)(await addConnection(scope, sealed(scope, body, visit), visit.platform.config)),
  ),
  serve(connections.change, async (scope, { params, body }, visit) =>
    shown(
      scope,
      visit,
    )(await changeConnection(scope, params.whatsappId, sealed(scope, body, visit), visit.platform.config)),
  ),
  serve(connections.remove, async (scope, { params, query }) => {
    const { heirId = null, closeTickets: closes = false } = query
    await removeConnection(scope, params.whatsappId, { heirId, closes })
    return {}
  }),
  serve(connections.start, async (scope, { params }, visit) =>
    shown(scope, visit)(await startSession(scope, params.whatsappId)),
  ),
  serve(connections.renew, async (scope, { params, body }, visit) =>
    shown(scope, visit)(await renewSession(scope, params.whatsappId, body.number)),
  ),
  serve(connections.disconnect, async (scope, { params }, visit) =>
    shown(scope, visit)(await endSession(scope, params.whatsappId)),
  ),
]
