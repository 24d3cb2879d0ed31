import { webhooks } from '@balcao/contract/webhooks.ts'
import { serve } from '../../platform/http/routes.ts'
import {
  addWebhook,
  changeWebhook,
  removeWebhook,
  renewSecret,
  sendAgain,
  showSigningSecret,
  testWebhook,
} from './webhooks.actions.ts'
import { findWebhook, listDeliveries, listWebhooks } from './webhooks.queries.ts'

export const routes = [
  serve(webhooks.list, (scope, { query }) => scope.list(tx => listWebhooks(tx, query))),
  serve(webhooks.show, (scope, { params }) => scope.read(tx => findWebhook(tx, params.webhookId))),
  serve(webhooks.create, (scope, { body }, { platform }) => addWebhook(scope, body, platform)),
  serve(webhooks.change, (scope, { params, body }, { platform }) =>
    changeWebhook(scope, params.webhookId, body, platform),
  ),
  serve(webhooks.remove, async (scope, { params }) => {
    await removeWebhook(scope, params.webhookId)
    return {}
  }),
  serve(webhooks.showSecret, (scope, { params }, { platform }) =>
    showSigningSecret(scope, params.webhookId, platform.secrets),
  ),
  serve(webhooks.renewSecret, (scope, { params }, { platform }) =>
    renewSecret(scope, params.webhookId, platform.secrets),
  ),
  serve(webhooks.test, (scope, { params }) => testWebhook(scope, params.webhookId)),
  serve(webhooks.listDeliveries, (scope, { params, query }) =>
    scope.list(async tx => listDeliveries(tx, (await findWebhook(tx, params.webhookId)).id, query)),
  ),
  serve(webhooks.sendAgain, (scope, { params }) => sendAgain(scope, params.deliveryId)),
]
