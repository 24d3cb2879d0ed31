import { randomUUID } from 'node:crypto'
import {
  MAX_WEBHOOKS,
  type Webhook,
  type WebhookDelivery,
  type WebhookInput,
  type WebhookPayload,
} from '@balcao/contract/webhooks.ts'
import { refuse } from '../../platform/errors.ts'
import type { Outbound } from '../../platform/outbound.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { newSigningSecret } from '../../platform/webhooks.ts'
import { deliveryWritten, webhooksChanged } from './webhooks.events.ts'
import {
  countWebhooks,
  deleteWebhook,
  findDelivery,
  insertWebhook,
  lockWebhook,
  settleDelivery,
  updateWebhook,
  type WebhookRow,
  writeOne,
} from './webhooks.queries.ts'

interface Tools {
  outbound: Outbound
  secrets: Secrets
}

/** Refuses with ERR_WEBHOOK_ADDRESS, and with ERR_TOO_MANY_WEBHOOKS where the company has all it may have. */
export async function addWebhook(
  scope: Scope,
  input: WebhookInput,
  { outbound, secrets }: Tools,
): Promise<Webhook> {
  await askAddress(outbound, input.url)
  return scope.transaction(async tx => {
    if ((await countWebhooks(tx)) >= MAX_WEBHOOKS) return refuse('ERR_TOO_MANY_WEBHOOKS')
    const webhook = await insertWebhook(tx, {
      ...input,
      secret: secrets.seal(tx.companyId, newSigningSecret()),
    })
    tx.emit(webhooksChanged, { action: 'create', webhook: { name: webhook.name } })
    return webhook
  })
}

/** Who is switched on again begins anew. Refuses with ERR_NOT_FOUND, ERR_WEBHOOK_ADDRESS. */
export async function changeWebhook(
  scope: Scope,
  webhookId: number,
  input: WebhookInput,
  { outbound }: Tools,
): Promise<Webhook> {
  await askAddress(outbound, input.url)
  return scope.transaction(async tx => {
    const before = await lock(tx, webhookId)
    const isNew = input.url !== before.url || (input.isActive && !before.isActive)
    const webhook = await updateWebhook(tx, webhookId, {
      ...input,
      ...(isNew && { offReason: '', failingSince: null }),
    })
    tellChanged(tx, webhook)
    tx.emit(deliveryWritten, {})
    return webhook
  })
}

/** Refuses with ERR_NOT_FOUND. */
export const removeWebhook = (scope: Scope, webhookId: number): Promise<void> =>
  scope.transaction(async tx => {
    await lock(tx, webhookId)
    await deleteWebhook(tx, webhookId)
    tx.emit(webhooksChanged, { action: 'delete', webhookId })
  })

/** Refuses with ERR_NOT_FOUND. */
export const showSigningSecret = (
  scope: Scope,
  webhookId: number,
  secrets: Secrets,
): Promise<{ secret: string }> =>
  scope.transaction(async tx => {
    const { secret } = await lock(tx, webhookId)
    return { secret: secrets.open(tx.companyId, secret) }
  })

/** What leaves from now on is signed with another secret. Refuses with ERR_NOT_FOUND. */
export const renewSecret = (scope: Scope, webhookId: number, secrets: Secrets): Promise<{ secret: string }> =>
  scope.transaction(async tx => {
    await lock(tx, webhookId)
    const secret = newSigningSecret()
    await updateWebhook(tx, webhookId, { secret: secrets.seal(tx.companyId, secret) })
    return { secret }
  })

/** Sends something that tells of nothing. Refuses with ERR_NOT_FOUND. */
export const testWebhook = (scope: Scope, webhookId: number): Promise<WebhookDelivery> =>
  scope.transaction(async tx => {
    const { name } = await lock(tx, webhookId)
    const said: WebhookPayload = {
      type: 'ping',
      timestamp: new Date().toISOString(),
      data: { webhook: name },
    }
    tx.emit(deliveryWritten, {})
    return writeOne(tx, { id: randomUUID(), webhookId, event: 'ping', body: JSON.stringify(said) })
  })

/** Sends a delivery of the log again, under its first id. Refuses with ERR_NOT_FOUND. */
export const sendAgain = (scope: Scope, deliveryId: string): Promise<WebhookDelivery> =>
  scope.transaction(async tx => {
    await findDelivery(tx, deliveryId)
    await settleDelivery(tx, deliveryId, {
      state: 'waiting',
      dueAt: new Date().toISOString(),
      attempts: 0,
    })
    tx.emit(deliveryWritten, {})
    return findDelivery(tx, deliveryId)
  })

export const tellChanged = (tx: Tx, { name }: { name: string }) =>
  tx.emit(webhooksChanged, { action: 'update', webhook: { name } })

async function lock(tx: Tx, webhookId: number): Promise<WebhookRow> {
  return (await lockWebhook(tx, webhookId)) ?? refuse('ERR_NOT_FOUND', { field: 'webhookId' })
}

async function askAddress(outbound: Outbound, url: string) {
  if (!(await outbound.mayCall(url))) refuse('ERR_WEBHOOK_ADDRESS', { field: 'url' })
}
