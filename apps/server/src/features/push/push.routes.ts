import { push } from '@balcao/contract/push.ts'
import { serve } from '../../platform/http/routes.ts'
import { languageOf } from '../../platform/http/wording.ts'
import { viewerOf } from '../../platform/scope.ts'
import { changeSettings, listDevices, removeDevice, subscribe, tryOut, unsubscribe } from './push.actions.ts'
import { publicKeyOf } from './push.keys.actions.ts'
import { settingsOf } from './push.queries.ts'

export const routes = [
  serve(push.key, async (scope, _input, { platform }) => ({
    publicKey: await publicKeyOf(platform.scopes.platform(scope.requestId), platform.secrets),
  })),
  serve(push.devices, (scope, _input, { sessionId }) => listDevices(scope, sessionId)),
  serve(push.subscribe, (scope, { body }, { platform, userAgent, header, sessionId }) =>
    subscribe(
      scope,
      platform.scopes.platform(scope.requestId),
      body,
      { userAgent, sessionId: sessionId ?? '', language: languageOf(header('accept-language')) },
      platform.outbound,
    ),
  ),
  serve(push.unsubscribe, async (scope, { body }) => {
    await unsubscribe(scope, body.endpoint)
    return {}
  }),
  serve(push.removeDevice, async (scope, { params }) => {
    await removeDevice(scope, params.subscriptionId)
    return {}
  }),
  serve(push.settings, scope => scope.read(tx => settingsOf(tx, viewerOf(scope).id))),
  serve(push.changeSettings, (scope, { body }) => changeSettings(scope, body)),
  serve(push.test, scope => tryOut(scope)),
]
