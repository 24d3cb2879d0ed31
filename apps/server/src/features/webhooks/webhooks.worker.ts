import type { Tried, WebhookOutbox } from '../../platform/outbound/webhook-deliveries.ts'
import { LONG_PAUSES } from '../../platform/outbound/webhooks.ts'
import type { Tx } from '../../platform/scope.ts'
import { publishChanged } from './webhooks.actions.ts'
import {
  claimDelivery,
  deliveriesDue,
  lockWebhook,
  settleDelivery,
  updateWebhook,
  type WebhookRow,
  webhookOrNull,
} from './webhooks.queries.ts'

/** A webhook to which nothing could be delivered for this long is switched off. */
const PATIENCE_MS = 3 * 24 * 3_600_000
/** The receiver asks for no more deliveries. */
const GONE = 410

interface Delivery {
  id: string
  webhookId: number
  failingSince: string | null
}

/** Deliveries as the platform sends them; signed with the secret that is valid at that time. */
export const outbox: WebhookOutbox<Delivery> = {
  due: deliveriesDue,
  async claim(tx, id, secrets) {
    const claimed = await claimDelivery(tx, id)
    const webhook = claimed && (await webhookOrNull(tx, claimed.webhookId))
    if (!webhook) return null
    const { body, attempts, until } = claimed
    const secret = secrets.open(tx.companyId, webhook.secret)
    return {
      ...{ id, attempts, until, webhookId: webhook.id, failingSince: webhook.failingSince },
      webhook: { id, url: webhook.url, body, secret },
    }
  },
  async settle(tx, { id, webhookId, failingSince, until }, tried) {
    if (!(await settleDelivery(tx, id, tried, until))) return
    const arrived = tried.state === 'done'
    if (arrived && failingSince === null) return
    const webhook = await lockWebhook(tx, webhookId)
    if (webhook)
      publishChanged(tx, await updateWebhook(tx, webhookId, afterwards(webhook, tried, { arrived })))
    if (!arrived && webhook) note(tx, webhook, tried)
  },
  pauses: LONG_PAUSES,
}

/** The state of a webhook after a delivery did or did not arrive. */
function afterwards(
  webhook: WebhookRow,
  { status, error, triedAt }: Tried,
  { arrived }: { arrived: boolean },
) {
  if (arrived) return { failingSince: null }
  const failingSince = webhook.failingSince ?? triedAt
  const offReason = offReasonOf(webhook, status, failingSince, triedAt)
  return {
    failingSince,
    ...{ failedAt: triedAt, failedStatus: status, failedError: error },
    ...(offReason && { isActive: false, offReason }),
  }
}

function offReasonOf(
  { isActive }: WebhookRow,
  status: number | null,
  since: string,
  now: string,
): WebhookRow['offReason'] {
  if (!isActive) return ''
  if (status === GONE) return 'gone'
  return Date.parse(now) - Date.parse(since) > PATIENCE_MS ? 'failing' : ''
}

function note(tx: Tx, { id: webhookId, isActive }: WebhookRow, { status, error, state }: Tried) {
  if (isActive && state === 'failed')
    tx.note('a webhook was not reached and is not tried again', { webhookId, status, error })
}
