import type { DeliveryState } from '@balcao/contract/deliveries.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { type WebhookInput, webhooks } from '@balcao/contract/webhooks.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { WEBHOOKS } from './webhooks.live.ts'

export const webhookList = pagedList(webhooks.list, 'webhooks')

export const oneWebhook = oneRow('webhooks', webhookId => call(webhooks.show, { params: { webhookId } }))

/** Adds one, or changes one. Throws ApiError. */
export async function saveWebhook(webhookId: number | null, body: WebhookInput, seen?: Seen): Promise<void> {
  await (webhookId === null
    ? call(webhooks.create, { body })
    : call(webhooks.change, { params: { webhookId }, body, seen }))
  await askAgain({ queryKey: WEBHOOKS })
}

/** Throws ApiError. */
export async function removeWebhook(webhookId: number): Promise<void> {
  await call(webhooks.remove, { params: { webhookId } })
  await askAgain({ queryKey: WEBHOOKS })
}

const deliveriesKey = ['webhookDeliveries']
const LOOK_MS = 3_000

/** Deliveries of a webhook, newest first; polled while open. */
export const webhookDeliveries = (webhookId: number, state: DeliveryState | '') =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey, webhookId, state],
    queryFn: ({ pageParam }) =>
      call(webhooks.listDeliveries, { params: { webhookId }, query: { state, pageNumber: pageParam } }),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (last.hasMore ? page + 1 : undefined),
    refetchInterval: LOOK_MS,
    gcTime: 0,
  })

/** Throws ApiError. */
export async function sendAgain(deliveryId: string): Promise<void> {
  await call(webhooks.sendAgain, { params: { deliveryId } })
  await askAgain({ queryKey: deliveriesKey })
}

/** Sends a ping. Throws ApiError. */
export async function testWebhook(webhookId: number): Promise<void> {
  await call(webhooks.test, { params: { webhookId } })
  await askAgain({ queryKey: deliveriesKey })
}

const secretKey = (webhookId: number) => ['webhookSecret', webhookId]

/** What a webhook is signed with. */
export const signingSecret = (webhookId: number) =>
  queryOptions({
    queryKey: secretKey(webhookId),
    queryFn: () => call(webhooks.showSecret, { params: { webhookId } }),
    gcTime: 0,
  })

/** Throws ApiError. */
export async function renewSecret(webhookId: number): Promise<void> {
  await call(webhooks.renewSecret, { params: { webhookId } })
  await askAgain({ queryKey: secretKey(webhookId) })
}
