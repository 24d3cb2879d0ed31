import { type ApiDescription, type ApiOperation, ApiWebhook, publicApi } from '@balcao/contract/publicApi.ts'
import { type DeliveryEvent, WebhookPayload } from '@balcao/contract/webhooks.ts'
import { z } from 'zod'
import { describeRoutes } from '../../platform/http/docs.ts'

const refusals = {
  400: 'What was sent is wrong: `field` names the input at fault.',
  401: 'The token is missing, unknown or revoked.',
  402: 'The company’s plan is without the API, or the company is suspended.',
  404: 'The token’s connection was removed, or the message is none of this token’s.',
  409: 'The Idempotency-Key was used with other content, or the connection cannot send now.',
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

const summaries: Record<DeliveryEvent, string> = {
  'message.received': 'A customer wrote.',
  'message.status': 'A message of the company was sent, delivered, read or deleted, or failed.',
  'ticket.changed': 'A ticket was opened, moved, tagged or closed.',
  ping: 'A test that an admin asked for.',
}

/** What webhooks of the company are sent, signed by Standard Webhooks. */
const webhookCalls = () =>
  Object.fromEntries(
    WebhookPayload.options.map(shape => {
      const type = shape.shape.type.value
      const post = {
        summary: summaries[type],
        requestBody: { content: { 'application/json': { schema: z.toJSONSchema(shape) } } },
        responses: { 204: { description: 'Any 2xx: it arrived. Else it is sent again.' } },
      }
      return [type, ApiWebhook.parse({ post })]
    }),
  )
