import type { Tx } from '../../platform/scope.ts'
import type { Tried, WebhookOutbox } from '../../platform/webhooks.due.ts'
import { LONG_PAUSES } from '../../platform/webhooks.ts'
import { tellChanged } from './webhooks.actions.ts'
import {
  claimDelivery,
  deliveriesDue,
  lockWebhook,
  settleDelivery,
  updateWebhook,
  type WebhookRow,
  webhookOrNull,
} from './webhooks.queries.ts'

/** Nothing arrived for so long: it is switched off. */
const PATIENCE_MS = 3 * 24 * 3_600_000
/** "Nobody listens here any more." */
const GONE = 410

interface Delivery {
  id: string
  webhookId: number
  failingSince: string | null
}

/** How deliveries leave: looked for by every worker, and signed with the secret that holds then. */
export const outbox: WebhookOutbox<Delivery> = {
  due: deliveriesDue,
  async claim(tx, id, until, secrets) {
    const claimed = await claimDelivery(tx, id, until)
    const webhook = claimed && (await webhookOrNull(tx, claimed.webhookId))
    if (!webhook) return null
    const { body, attempts } = claimed
    const secret = secrets.open(tx.companyId, webhook.secret)
    return {
      ...{ id, attempts, webhookId: webhook.id, failingSince: webhook.failingSince },
      webhook: { id, url: webhook.url, body, secret },
    }
  },
  async settle(tx, { id, webhookId, failingSince, until }, tried) {
    if (!(await settleDelivery(tx, id, tried, until))) return
    const arrived = tried.state === 'done'
    if (arrived && failingSince === null) return
    const webhook = await lockWebhook(tx, webhookId)
    if (webhook) tellChanged(tx, await updateWebhook(tx, webhookId, afterwards(webhook, tried, arrived)))
    if (!arrived && webhook) note(tx, webhook, tried)
  },
  pauses: LONG_PAUSES,
}

/** How a webhook stands after one of its deliveries did or did not arrive. */
function afterwards(webhook: WebhookRow, { status, error, triedAt }: Tried, arrived: boolean) {
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
