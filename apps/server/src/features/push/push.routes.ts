import { push } from '@balcao/contract/push.ts'
import { serve } from '../../platform/http/routes.ts'
import { languageOf } from '../../platform/http/wording.ts'
import { viewerOf } from '../../platform/scope.ts'
import {
  listDevices,
  registerDevice,
  removeDevice,
  setPushSettings,
  tryOut,
  unsubscribe,
} from './push.actions.ts'
import { publicKeyOf } from './push.keys.actions.ts'
import { pushSettingsOf } from './push.queries.ts'

export const routes = [
  serve(push.key, async (scope, _input, { platform }) => ({
    publicKey: await publicKeyOf(platform.scopes.platform(scope.requestId), platform.secrets),
  })),
  serve(push.devices, (scope, _input, { sessionId }) => listDevices(scope, sessionId)),
  serve(push.subscribe, (scope, { body }, { platform, userAgent, header, sessionId }) =>
    registerDevice(
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
  serve(push.settings, scope => scope.read(tx => pushSettingsOf(tx, viewerOf(scope).id))),
  serve(push.changeSettings, (scope, { body }) => setPushSettings(scope, body)),
  serve(push.test, scope => tryOut(scope)),
]
