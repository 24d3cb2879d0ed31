import { randomUUID } from 'node:crypto'
import {
  MAX_WEBHOOKS,
  type Webhook,
  type WebhookDelivery,
  type WebhookInput,
  type WebhookPayload,
} from '@balcao/contract/webhooks.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { newSigningSecret } from '../../platform/outbound/webhooks.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { deliveryWritten, webhooksChanged } from './webhooks.events.ts'
import {
  countWebhooks,
  deleteWebhook,
  findDelivery,
  insertWebhook,
  lockWebhook,
  settleDelivery,
  updateWebhook,
  updateWebhooksOf,
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
  await checkAddress(outbound, input.url)
  return scope.transaction(async tx => {
    if ((await countWebhooks(tx)) >= MAX_WEBHOOKS) return refuse('ERR_TOO_MANY_WEBHOOKS')
    const webhook = await insertWebhook(tx, {
      ...input,
      userId: viewerOf(tx).id,
      secret: secrets.seal(tx.companyId, newSigningSecret()),
    })
    tx.emit(webhooksChanged, { action: 'create', webhook: { name: webhook.name } })
    return webhook
  })
}

/** A webhook that is activated again, or gets another address, begins without its failures. Refuses with ERR_NOT_FOUND, ERR_WEBHOOK_ADDRESS. */
export async function changeWebhook(
  scope: Scope,
  webhookId: number,
  input: WebhookInput,
  { outbound }: Tools,
): Promise<Webhook> {
  await checkAddress(outbound, input.url)
  return scope.transaction(async tx => {
    const before = await lock(tx, webhookId)
    const isNew = input.url !== before.url || (input.isActive && !before.isActive)
    const webhook = await updateWebhook(tx, webhookId, {
      ...input,
      ...(isNew && { offReason: '', failingSince: null, userId: viewerOf(tx).id }),
    })
    publishChanged(tx, webhook)
    tx.emit(deliveryWritten, {})
    return webhook
  })
}

/** Webhooks of a deleted user pass to the heir, or are switched off. */
export async function bequeathWebhooks(tx: Tx, userId: number, heirId: number | null): Promise<void> {
  const off = { isActive: false, offReason: 'ownerLeft' as const }
  const moved = await updateWebhooksOf(tx, userId, { userId: heirId, ...(heirId === null && off) })
  for (const webhook of moved) publishChanged(tx, webhook)
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

/** Later deliveries are signed with the new secret. Refuses with ERR_NOT_FOUND. */
export const renewSecret = (scope: Scope, webhookId: number, secrets: Secrets): Promise<{ secret: string }> =>
  scope.transaction(async tx => {
    await lock(tx, webhookId)
    const secret = newSigningSecret()
    await updateWebhook(tx, webhookId, { secret: secrets.seal(tx.companyId, secret) })
    return { secret }
  })

/** Sends a ping. Refuses with ERR_NOT_FOUND. */
export const testWebhook = (scope: Scope, webhookId: number): Promise<WebhookDelivery> =>
  scope.transaction(async tx => {
    const { name } = await lock(tx, webhookId)
    const ping: WebhookPayload = {
      type: 'ping',
      timestamp: databaseTime(),
      data: { webhook: name },
    }
    tx.emit(deliveryWritten, {})
    return writeOne(tx, { id: randomUUID(), webhookId, event: 'ping', body: JSON.stringify(ping) })
  })

/** Sends a delivery of the log again, under its first id. Refuses with ERR_NOT_FOUND. */
export const sendAgain = (scope: Scope, deliveryId: string): Promise<WebhookDelivery> =>
  scope.transaction(async tx => {
    await findDelivery(tx, deliveryId)
    await settleDelivery(tx, deliveryId, {
      state: 'waiting',
      dueAt: databaseTime(),
      attempts: 0,
    })
    tx.emit(deliveryWritten, {})
    return findDelivery(tx, deliveryId)
  })

export const publishChanged = (tx: Tx, { name }: { name: string }) =>
  tx.emit(webhooksChanged, { action: 'update', webhook: { name } })

async function lock(tx: Tx, webhookId: number): Promise<WebhookRow> {
  return (await lockWebhook(tx, webhookId)) ?? refuse('ERR_NOT_FOUND', { field: 'webhookId' })
}

async function checkAddress(outbound: Outbound, url: string) {
  if (!(await outbound.mayCall(url))) refuse('ERR_WEBHOOK_ADDRESS', { field: 'url' })
}
