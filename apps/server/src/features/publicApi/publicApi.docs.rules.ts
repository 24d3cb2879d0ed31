import {
  type ApiDescription,
  type ApiOperation,
  ApiWebhook,
  type PublicMessage,
  publicApi,
} from '@balcao/contract/publicApi.ts'
import { type DeliveryEvent, WebhookPayload } from '@balcao/contract/webhooks.ts'
import { z } from 'zod'
import { describeRoutes } from '../../platform/http/docs.ts'

const refusals = {
  400: 'What was sent is wrong: `field` names the input at fault.',
  401: 'The token is missing, unknown or revoked.',
  402: 'The company’s plan is without the API, or the company is suspended.',
  404: 'The token’s connection was removed, or it has no such ticket, contact or message.',
  409: 'The Idempotency-Key was used with other content, the contact has a ticket that the token’s user may not read, or the connection cannot send now.',
  413: 'A file is too large.',
  415: 'A file is of a kind that WhatsApp does not take.',
  429: 'Too many calls: `Retry-After` says after how many seconds to come again.',
  500: 'It failed by our fault: `requestId` finds it in the log.',
}

const refusal = {
  type: 'object',
  required: ['error', 'message', 'requestId'],
  properties: {
    error: { type: 'string' },
    message: { type: 'string' },
    field: { type: 'string' },
    requestId: { type: 'string' },
  },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
}

/** OpenAPI 3.1 of the public calls, from the shapes that are enforced. */
export function describePublicApi(): ApiDescription {
  const { paths, ...about } = describeRoutes(Object.values(publicApi))
  const responses = Object.fromEntries(
    Object.entries(refusals).map(([status, text]) => [
      status,
      { description: text, content: { 'application/json': { schema: refusal } } },
    ]),
  )
  const described = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        {
          ...operation,
          ...(operation.requestBody && { requestBody: withExamples(operation.requestBody, path) }),
          parameters: [...operation.parameters, ...(method === 'post' ? [idempotencyKey] : [])],
          responses: { ...operation.responses, ...responses },
        },
      ]),
    ),
  ])
  const { components } = about
  return {
    ...about,
    components: {
      securitySchemes: { bearer: { ...components.securitySchemes.bearer, bearerFormat: 'API token' } },
    },
    webhooks: webhookCalls(),
    paths: Object.fromEntries(described) as Record<string, Record<string, ApiOperation>>,
  }
}

/** A body for each way to name the recipient. */
function withExamples<Body extends { content: object }>(body: Body, path: string) {
  const text = { body: 'Seu pedido saiu para entrega.' }
  const said = path.endsWith('/media') ? { ...text, medias: ['https://example.com/foto.jpg'] } : text
  const examples = {
    number: { value: { number: '5511999998888', contactName: 'Ana Souza', ...said } },
    ticketId: { value: { ticketId: 1234, ...said } },
    contactId: { value: { contactId: 567, ...said } },
  } satisfies Record<string, { value: z.input<typeof PublicMessage> }>
  const content = Object.entries(body.content).map(([type, one]) => [
    type,
    type === 'application/json' ? { ...one, examples } : one,
  ])
  return { ...body, content: Object.fromEntries(content) }
}

const summaries: Record<DeliveryEvent, string> = {
  'message.received': 'A customer wrote.',
  'message.status': 'A message of the company was sent, delivered, read or deleted, or failed.',
  'ticket.changed': 'A ticket was opened, moved, tagged or closed.',
  'survey.answered': 'A customer gave a score after a closing, or commented on it.',
  'note.written': 'A user wrote a note, which no customer sees: only for webhooks that subscribe to it.',
  ping: 'A test that an admin asked for.',
}

const place = {
  ticketId: 1234,
  ticketUuid: '3f0d5c1e-6a51-4f0e-9c0a-2b9a5b0f7d11',
  ticketUrl: 'https://api.example.com/tickets/3f0d5c1e-6a51-4f0e-9c0a-2b9a5b0f7d11',
  connection: { id: 3, name: 'Loja' },
  contactId: 567,
  contactLid: '',
  contactUsername: '',
}
const ticket = {
  ticketProtocol: '2026013112000001',
  ticketStatus: 'pending',
  contactName: 'Rita',
  contactNumber: '5511999990000',
  ...place,
} as const
const messageId = '0b0e7d5e-8a3c-4a52-9a54-0d0a2c3c8f11'
const timestamp = '2026-01-31T12:00:00.000Z'

/** An example of each payload. */
const payloads: { [Type in DeliveryEvent]: Extract<WebhookPayload, { type: Type }> } = {
  'message.received': {
    type: 'message.received',
    timestamp,
    data: {
      ...{ ...ticket, messageId, body: 'Vocês abrem hoje?', mediaType: null },
      ...{ isGroup: false, author: null, referral: null, createdAt: timestamp },
    },
  },
  'message.status': {
    type: 'message.status',
    timestamp,
    data: { messageId, status: 'read', reason: '', ticketProtocol: ticket.ticketProtocol, ...place },
  },
  'ticket.changed': {
    type: 'ticket.changed',
    timestamp,
    data: {
      ...{ ...ticket, ticketStatus: 'open' as const },
      ...{ queue: { id: 2, name: 'Vendas' }, user: { id: 5, name: 'Ana' } },
      before: { ticketStatus: 'pending', queueId: 2, userId: null },
      ...{ closingReason: null, closingNote: '' },
    },
  },
  'survey.answered': {
    type: 'survey.answered',
    timestamp,
    data: {
      ...{ ...ticket, ticketStatus: 'closed' as const, score: 5, comment: '' },
      ...{ userId: 5, queueId: 2, askedAt: timestamp, answeredAt: timestamp },
    },
  },
  'note.written': {
    type: 'note.written',
    timestamp,
    data: {
      ...{ ...ticket, messageId, body: 'Pediu desconto', mediaType: null },
      ...{ user: { id: 5, name: 'Ana' }, createdAt: timestamp },
    },
  },
  ping: { type: 'ping', timestamp, data: { webhook: 'Loja' } },
}

/** What webhooks of the company are sent, signed by Standard Webhooks. */
const webhookCalls = () =>
  Object.fromEntries(
    WebhookPayload.options.map(shape => {
      const type = shape.shape.type.value
      const post = {
        summary: summaries[type],
        requestBody: {
          content: { 'application/json': { schema: z.toJSONSchema(shape), example: payloads[type] } },
        },
        responses: { 204: { description: 'Any 2xx: it arrived. Else it is sent again.' } },
      }
      return [type, ApiWebhook.parse({ post })]
    }),
  )
