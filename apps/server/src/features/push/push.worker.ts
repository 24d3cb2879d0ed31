import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { PushPayload } from '@balcao/contract/push.ts'
import { canRead, canSee } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { type WebhookOutbox, webhookDue } from '../../platform/outbound/webhook-deliveries.ts'
import type { Tx } from '../../platform/scope.ts'
import type { Due } from '../../platform/work/due.ts'
import { viewerOfUser } from '../auth/auth.queries.ts'
import { pushShowsTexts } from '../companies/companies.queries.ts'
import { loadMessages } from '../messages/messages.queries.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { contactOf, pushCall } from './push.client.ts'
import {
  claimNotification,
  countWaiting,
  dropDelivery,
  isMentionUnread,
  isOvertaken,
  notificationsDue,
  type PushDelivery,
  settleNotification,
} from './push.deliveries.queries.ts'
import { openedKeys, openKeys } from './push.keys.actions.ts'
import { type DeviceRow, endDevice, isQuietFor, livingDevice } from './push.queries.ts'
import { pushText, shortened } from './push.text.ts'

const PAUSES = [5_000, 30_000, 120_000, 600_000, 1_800_000]

/** The push service does not know the device any more: its user took the permission back, or removed the app. */
const GONE = [404, 410]
/** The service is overloaded, or the request came too slowly. */
const PASSING = [408, 429]

interface Sent {
  id: string
  subscriptionId: number
}

/** What is shown is read when it leaves: a device of who may not read it any more, or of an ended session, is notified of nothing. */
const outbox: WebhookOutbox<Sent> = {
  due: notificationsDue,
  target: 'push',
  pauses: PAUSES,
  async claim(tx, id, _secrets, config) {
    const delivery = await claimNotification(tx, id)
    const keys = openedKeys(tx)
    if (!delivery || !keys) return null
    const { subscriptionId, attempts, until, ticketId } = delivery
    const device = await livingDevice(tx, subscriptionId)
    const payload = device && (await payloadOf(tx, delivery, device))
    if (!payload) {
      await dropDelivery(tx, id)
      return null
    }
    const topic = ticketId === null ? null : `ticket-${tx.companyId}-${ticketId}`
    const how = { keys, subject: contactOf(config), topic }
    return { ...{ id, subscriptionId, attempts, until }, webhook: await pushCall(device, payload, how) }
  },
  async settle(tx, { id, subscriptionId, until }, tried) {
    const { status } = tried
    if (status !== null && GONE.includes(status)) {
      await endDevice(tx, subscriptionId)
      return
    }
    const isRefused = status !== null && status >= 400 && status < 500 && !PASSING.includes(status)
    const settled = isRefused ? { ...tried, state: 'failed' as const, dueAt: null } : tried
    if (!(await settleNotification(tx, id, settled, until))) return
    if (isRefused) tx.note('a push service refused a notification', { subscriptionId, status })
  },
}

const looking = webhookDue('push', outbox)

export const pushDue: Due = {
  ...looking,
  async run(tools) {
    await openKeys(tools)
    return looking.run(tools)
  },
}

/** What the device shows; null where it shows nothing any more. */
async function payloadOf(tx: Tx, delivery: PushDelivery, device: DeviceRow): Promise<PushPayload | null> {
  const { language, userId } = device
  const viewer = await viewerOfUser(tx.sql, tx.companyId, userId)
  if (!viewer) return null
  const textOf = (name: Parameters<typeof pushText>[1]) => pushText(language, name)
  if (delivery.kind === 'test')
    return {
      ...{ kind: 'test', ticketId: null, ticketUuid: null, tag: 'test' },
      ...{ title: textOf('testTitle'), body: textOf('testBody'), badge: await countWaiting(tx, userId) },
    }
  const ticket = delivery.ticketId === null ? null : await loadTicket(tx, delivery.ticketId)
  if (!ticket || (await isOvertaken(tx, delivery))) return null
  if (!(await concerns(tx, delivery, viewer, ticket)) || (await isQuietFor(tx, userId))) return null
  const [message = null] = delivery.messageId ? await loadMessages(tx, [delivery.messageId]) : []
  if (delivery.messageId !== null && (message === null || message.isDeleted)) return null
  const isShown = canRead(viewer, ticket) && (await pushShowsTexts(tx))
  const usual = { mine: 'message', queue: 'waits', mention: 'mention' } as const
  const words = message === null ? '' : message.body || (message.mediaType ? textOf('file') : '')
  const instead = textOf(message === null && delivery.kind === 'mine' ? 'yours' : usual[delivery.kind])
  return {
    ...{ kind: delivery.kind, ticketId: ticket.id, ticketUuid: ticket.uuid },
    title: shortened(ticket.contact.name),
    body: isShown && words !== '' ? shortened(words) : instead,
    tag: `ticket ${ticket.id}`,
    badge: await countWaiting(tx, userId),
  }
}

/** Whether the ticket is where it was and waits for this user: another took it, or read it, meanwhile. */
async function concerns(
  tx: Tx,
  { kind, messageId }: PushDelivery,
  viewer: Viewer,
  ticket: Ticket,
): Promise<boolean> {
  if (!canSee(viewer, ticket) || ticket.snoozedUntil !== null) return false
  if (kind === 'mention')
    return canRead(viewer, ticket) && messageId !== null && isMentionUnread(tx, viewer.id, messageId)
  const isThere =
    kind === 'mine' ? ticket.status === 'open' && ticket.userId === viewer.id : ticket.status === 'pending'
  return isThere && (messageId === null || ticket.unreadMessages > 0)
}
