import { z } from 'zod'
import { DeliveryState, delivered, SigningSecret } from './deliveries.ts'
import { flag, id, instant, listChannel, page, pageQuery, route, text } from './kit.ts'
import { Referral } from './media.ts'
import { PublicSendResponse, PublicStatus } from './publicApi.ts'
import { TicketStatus } from './tickets.ts'

/** A company has no more. */
export const MAX_WEBHOOKS = 10
/** Retention of deliveries. */
export const DELIVERY_DAYS = 30

/** Events a webhook may subscribe to. */
export const WebhookEvent = z.enum([
  'message.received',
  'message.status',
  'ticket.changed',
  'survey.answered',
  'note.written',
])
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** `ping` is a test on request. */
export const DeliveryEvent = z.enum([...WebhookEvent.options, 'ping'])
export type DeliveryEvent = z.infer<typeof DeliveryEvent>

const payloadOf = <Type extends DeliveryEvent, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp: instant, data })

const Named = z.object({ id: z.int(), name: z.string() })

/** Identifies the ticket, its connection and its contact: what an answer needs. */
const place = {
  ticketId: z.int(),
  ticketUuid: z.uuid(),
  /** Address of the ticket in the app; only its path where the installation does not know its own address. */
  ticketUrl: z.string(),
  /** Null when it was deleted. */
  connection: Named.nullable(),
  contactId: z.int(),
  /** How WhatsApp identifies a contact that hides the number; empty where it is not known. */
  contactLid: z.string(),
  /** The name by which a person is found in WhatsApp, without its `@`; empty where it is not known. It may change. */
  contactUsername: z.string(),
}

/** The ticket and its contact, by the names of the public API. */
const ofTicket = PublicSendResponse.pick({
  ticketProtocol: true,
  contactName: true,
  contactNumber: true,
  ticketStatus: true,
}).extend(place)

/** What is posted, by its type. */
export const WebhookPayload = z.discriminatedUnion('type', [
  payloadOf(
    'message.received',
    ofTicket.extend({
      messageId: z.uuid(),
      /** The text, or what is written below a file. */
      body: z.string(),
      /** Null for plain text; else image, video, audio, document, sticker, location, vcard … */
      mediaType: z.string().nullable(),
      isGroup: z.boolean(),
      /** Who wrote in a group; the number is empty while only a LID is known. Null elsewhere. */
      author: z.object({ name: z.string(), number: z.string() }).nullable(),
      /** The ad, post or product through which the customer came with this message; null elsewhere. */
      referral: Referral.omit({ thumbnail: true }).nullable(),
      createdAt: instant,
    }),
  ),
  // how far a message of the company got, as `GET /api/messages/:messageId` answers it
  payloadOf('message.status', PublicStatus.extend(place)),
  payloadOf(
    'ticket.changed',
    ofTicket.extend({
      queue: Named.nullable(),
      user: Named.nullable(),
      /** Where it stood; null when it is new. */
      before: z
        .object({ ticketStatus: TicketStatus, queueId: z.int().nullable(), userId: z.int().nullable() })
        .nullable(),
      /** Why a user closed it with this change; null, and an empty text, for any other change. */
      closingReason: Named.nullable(),
      closingNote: z.string(),
    }),
  ),
  // a customer gave a score, and again with the comment on it
  payloadOf(
    'survey.answered',
    ofTicket.extend({
      score: z.int().min(1).max(5),
      /** Empty where none came yet. */
      comment: z.string(),
      /** Who closed the ticket, and its queue then. */
      userId: z.int().nullable(),
      queueId: z.int().nullable(),
      askedAt: instant,
      answeredAt: instant,
    }),
  ),
  // a note of the company, sent only to who subscribes to it
  payloadOf(
    'note.written',
    ofTicket.extend({
      messageId: z.uuid(),
      body: z.string(),
      mediaType: z.string().nullable(),
      /** Who wrote it. */
      user: Named.nullable(),
      createdAt: instant,
    }),
  ),
  payloadOf('ping', z.object({ webhook: z.string() })),
])
export type WebhookPayload = z.infer<typeof WebhookPayload>

export const Webhook = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  isActive: z.boolean(),
  /**
   * Why it was disabled automatically: `failing`, no delivery for days; `gone`, it answered 410; `ownerLeft`, the user
   * who set its address was deleted; `secretLost`, the installation lost its secret, and there is a new one. Empty otherwise.
   */
  offReason: z.enum(['', 'failing', 'gone', 'ownerLeft', 'secretLost']),
  createdAt: instant,
  /** Since when nothing arrives; null when the last try arrived. */
  failingSince: instant.nullable(),
  lastFailure: z.object({ at: instant, status: delivered.status, error: delivered.error }).nullable(),
})
export type Webhook = z.infer<typeof Webhook>

export const WebhookInput = z.object({
  name: text(2, 50),
  url: z
    .string({ error: 'Required' })
    .trim()
    .min(1, 'Required')
    .max(2_000, 'Too Long!')
    .pipe(z.url({ protocol: /^https?$/, error: 'Deve ser uma URL válida' })),
  events: z
    .array(WebhookEvent)
    .min(1, 'Required')
    .max(100, 'Too Long!')
    .transform(events => WebhookEvent.options.filter(one => events.includes(one))),
  isActive: flag.default(true),
})
export type WebhookInput = z.output<typeof WebhookInput>

/** One delivery to one webhook and its outcome. */
export const WebhookDelivery = z.object({
  /** Sent as `webhook-id`, the same each time. */
  id: z.uuid(),
  webhookId: z.int(),
  event: DeliveryEvent,
  /** The very text that is signed and sent. */
  body: z.string(),
  ...delivered,
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const webhookId = z.object({ webhookId: id })

export const webhooks = {
  list: route('GET', '/webhooks', {
    needs: 'webhooks',
    summary: 'Webhooks of the company by name, a page at a time.',
    query: pageQuery,
    reply: page('webhooks', Webhook),
  }),
  show: route('GET', '/webhooks/:webhookId', {
    needs: 'webhooks',
    summary: 'One webhook.',
    params: webhookId,
    reply: Webhook,
  }),
  create: route('POST', '/webhooks', {
    needs: 'webhooks',
    summary:
      'Adds a webhook. ERR_WEBHOOK_ADDRESS for a private address, ERR_TOO_MANY_WEBHOOKS for an eleventh.',
    body: WebhookInput,
    reply: Webhook,
  }),
  change: route('PUT', '/webhooks/:webhookId', {
    edits: '/webhooks/:webhookId',
    needs: 'webhooks',
    summary: 'Changes a webhook; switching it on forgets why it was switched off.',
    params: webhookId,
    body: WebhookInput,
    reply: Webhook,
  }),
  remove: route('DELETE', '/webhooks/:webhookId', {
    needs: 'webhooks',
    summary: 'Deletes a webhook with its log; what waits is not delivered.',
    params: webhookId,
  }),
  showSecret: route('GET', '/webhooks/:webhookId/secret', {
    needs: 'webhooks',
    summary: 'What a webhook is signed with (Standard Webhooks).',
    params: webhookId,
    reply: SigningSecret,
  }),
  renewSecret: route('POST', '/webhooks/:webhookId/secret', {
    needs: 'webhooks',
    summary: 'Signs with another secret from now on.',
    params: webhookId,
    reply: SigningSecret,
  }),
  test: route('POST', '/webhooks/:webhookId/test', {
    needs: 'webhooks',
    summary: 'Sends a `ping`, also to a webhook that is switched off.',
    params: webhookId,
    limit: { counts: 'calls', caller: 20 },
    reply: WebhookDelivery,
  }),
  listDeliveries: route('GET', '/webhooks/:webhookId/deliveries', {
    needs: 'webhooks',
    summary: `Deliveries to a webhook in the last ${DELIVERY_DAYS} days, the newest first, a page at a time.`,
    params: webhookId,
    query: pageQuery
      .pick({ pageNumber: true })
      .extend({ state: z.union([DeliveryState, z.literal('')]).optional() }),
    reply: page('deliveries', WebhookDelivery),
  }),
  sendAgain: route('POST', '/webhookDeliveries/:deliveryId', {
    needs: 'webhooks',
    summary: 'Sends a delivery again, under its first id.',
    params: z.object({ deliveryId: z.uuid() }),
    reply: WebhookDelivery,
  }),
}

/** A webhook changed; carries only its name: clients fetch the list again. */
export const webhookChannel = listChannel('webhook', z.object({ name: z.string() }))
