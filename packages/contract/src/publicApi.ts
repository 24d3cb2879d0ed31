import { z } from 'zod'
import { digitsOf, isOneNumber, phoneKey, plainNumber } from './contacts.rules.ts'
import { numberInput } from './contacts.ts'
import { country, id, type Limit, readJson, route } from './kit.ts'
import { MAX_BODY } from './messages.input.ts'

/** Maximum of files by address in one call. */
export const MAX_ADDRESSES = 5

const webAddress = z
  .string()
  .trim()
  .max(2_000, 'Too Long!')
  .refine(address => /^https?:$/.test(URL.parse(address)?.protocol ?? ''), 'Not a web address')

const uri = { type: 'string', format: 'uri' }

/** Files by their addresses: one, or a list; in a form also as JSON, or several times. Combined with uploaded files. */
const addresses = z
  .preprocess(listOf, z.array(webAddress).max(MAX_ADDRESSES))
  .optional()
  .meta({
    description: 'Addresses of files: one, or a list.',
    anyOf: [uri, { type: 'array', items: uri, maxItems: MAX_ADDRESSES }],
  })

function listOf(given: unknown): unknown {
  if (Array.isArray(given)) return given.length > 1 ? given.flatMap(listOf) : given
  if (typeof given !== 'string') return given
  if (given.trim() === '') return []
  return given.trimStart().startsWith('[') ? readJson(given) : [given]
}

/** E.164, as in numbers.rules.ts, which is large. */
const MOST_DIGITS = 15
/** A trunk 0 and the code of an operator. */
const PREFIX = 3

/** WhatsApp's suffix of a person's number: it may follow the digits. */
const OF_A_PERSON = /@(s\.whatsapp\.net|c\.us)$/

/** Programs give a number as text or as a number; a missing or empty one is read from the other name. */
const phone = z
  .preprocess(
    given => {
      if (given === null || given === '') return undefined
      return Number.isSafeInteger(given) ? String(given) : given
    },
    z
      .string()
      .trim()
      .max(60, 'Too Long!')
      .transform(given => (OF_A_PERSON.test(given) ? `+${given.replace(OF_A_PERSON, '')}` : given))
      .overwrite(plainNumber)
      .refine(isOneNumber, 'Not a phone number')
      .pipe(numberInput)
      .refine(given => digitsOf(given).length <= MOST_DIGITS + PREFIX, 'Too Long!')
      .optional(),
  )
  .optional()
  .meta({
    type: 'string',
    description:
      'With its country code, or a number of the company’s country. One of the two names has to be given, or ticketId, or contactId.',
  })

/** Both names of the number are accepted on each path (OP-08). */
export const PublicMessage = z
  .object({
    number: phone,
    contactNumber: phone,
    ticketId: id.optional().meta({
      type: 'integer',
      description:
        'Instead of a number: a ticket on the connection of the token, as webhooks name it. It stays as it is.',
    }),
    contactId: id.optional().meta({
      type: 'integer',
      description: 'Instead of a number: a contact, as webhooks name it, also one whose number is not known.',
    }),
    country: country.optional().meta({
      description:
        'The country of the number, such as BR, where it is written without a country code and could be one of two.',
    }),
    contactName: z.string().trim().max(50, 'Too Long!').optional(),
    body: z.string().max(MAX_BODY, 'Too Long!').default(''),
    medias: addresses,
  })
  .refine(
    ({ number, contactNumber, ticketId, contactId }) => number ?? contactNumber ?? ticketId ?? contactId,
    { path: ['number'], message: 'Required' },
  )
  .refine(
    ({ number, contactNumber, ticketId, contactId }) =>
      [number ?? contactNumber, ticketId, contactId].filter(one => one !== undefined).length < 2,
    { path: ['ticketId'], message: 'Only one of a number, ticketId and contactId' },
  )
  .refine(
    ({ number, contactNumber }) => !number || !contactNumber || phoneKey(number) === phoneKey(contactNumber),
    { path: ['contactNumber'], message: 'Is not the same as number' },
  )
export type PublicMessage = z.output<typeof PublicMessage>

export const PublicSendResponse = z.object({
  ticketUrl: z.string(),
  ticketProtocol: z.string(),
  contactName: z.string(),
  contactNumber: z.string(),
  /** The number that it is sent to, with its country code. */
  number: z.string(),
  ticketStatus: z.enum(['open', 'pending', 'closed']),
  /** Identifies the message of a status request. */
  messageId: z.uuid(),
})
export type PublicSendResponse = z.infer<typeof PublicSendResponse>

/** `waiting`: in the outbox. `sent`: WhatsApp has it. `deleted`: a user deleted it. */
export const SentState = z.enum(['waiting', 'failed', 'sent', 'delivered', 'read', 'deleted'])
export type SentState = z.infer<typeof SentState>

export const PublicStatus = z.object({
  messageId: z.uuid(),
  status: SentState,
  /** Why it failed; empty otherwise. */
  reason: z.string(),
  ticketProtocol: z.string(),
})
export type PublicStatus = z.infer<typeof PublicStatus>

/** By one token, all its calls that send together. */
export const SENDS_PER_MINUTE = 60
/** The same by all tokens of a company together. */
export const COMPANY_SENDS_PER_MINUTE = 600
const limit: Limit = {
  counts: 'calls',
  caller: SENDS_PER_MINUTE,
  company: COMPANY_SENDS_PER_MINUTE,
  of: 'public send',
}

const sends = { needs: 'apiToken', body: PublicMessage, reply: PublicSendResponse, limit } as const
const key = 'The same Idempotency-Key within 24 hours is the same message.'

export const publicApi = {
  send: route('POST', '/api/messages/send', {
    ...sends,
    summary: `Sends a text, or files that are uploaded as medias or named by their addresses. ${key}`,
    files: 'also',
  }),
  text: route('POST', '/api/messages/send/text', {
    ...sends,
    summary: `Sends a text. ${key}`,
    files: 'also',
  }),
  media: route('POST', '/api/messages/send/media', {
    ...sends,
    summary: `Sends files, uploaded as medias or named by their addresses. ${key}`,
    files: 'also',
  }),
  status: route('GET', '/api/messages/:messageId', {
    needs: 'apiToken',
    summary: 'How far a message of this token got.',
    params: z.object({ messageId: z.uuid() }),
    limit: { counts: 'calls', caller: 600, company: 3_000 },
    reply: PublicStatus,
  }),
}

const JsonSchema = z.looseObject({
  properties: z
    .record(
      z.string(),
      z.looseObject({
        type: z.string().optional(),
        maxLength: z.number().optional(),
        description: z.string().optional(),
      }),
    )
    .optional(),
  required: z.array(z.string()).optional(),
})

/** A call in OpenAPI, as far as the screen reads it. */
export const ApiOperation = z.looseObject({
  summary: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean() })),
  requestBody: z
    .looseObject({
      content: z.record(
        z.string(),
        z.looseObject({
          schema: JsonSchema,
          examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
        }),
      ),
    })
    .optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
})
export type ApiOperation = z.infer<typeof ApiOperation>

/** The payload of a webhook in OpenAPI, as far as the screen reads it. */
export const ApiWebhook = z.looseObject({
  post: z.looseObject({
    summary: z.string(),
    requestBody: z.looseObject({
      content: z.record(
        z.string(),
        z.looseObject({
          example: z.unknown().optional(),
          schema: z.looseObject({
            properties: z.looseObject({
              data: z.looseObject({
                properties: z.record(
                  z.string(),
                  z.looseObject({ type: z.union([z.string(), z.array(z.string())]).optional() }),
                ),
              }),
            }),
          }),
        }),
      ),
    }),
  }),
})

export const ApiDescription = z.looseObject({
  openapi: z.string(),
  webhooks: z.record(z.string(), ApiWebhook).optional(),
  paths: z.record(z.string(), z.record(z.string(), ApiOperation)),
})
export type ApiDescription = z.infer<typeof ApiDescription>

export const apiDocuments = {
  show: route('GET', '/api/documents', {
    needs: 'session',
    summary: 'OpenAPI 3.1 of the calls that programs make with an API token.',
    reply: ApiDescription,
  }),
}
