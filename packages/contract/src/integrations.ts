import { z } from 'zod'
import { withoutLast } from './cut.rules.ts'
import { id, page, pageQuery, route, text } from './kit.ts'

/** How integrationType is shown: the documents' only one. */
export const INTEGRATION_TYPES = { openai: 'Chat GPT' } as const

/** Default address of a call. */
export const OPENAI_URL = 'https://api.openai.com/v1'

/** A provider of models with its address. The key is write-only. */
export const Integration = z.object({
  id: z.int(),
  name: z.string(),
  apiUrl: z.string(),
  /** The last characters of the stored key, after dots. Sent back unchanged, the key is kept. */
  apiToken: z.string(),
  integrationType: z.literal('openai'),
  message: z.string(),
  /** JSON text: `{"headers": {…}}` is sent with every call. */
  dataJson: z.string(),
})
export type Integration = z.infer<typeof Integration>

/** Precedes the shown end of a stored key. */
export const HIDDEN = '••••'

const webAddress = z
  .string()
  .trim()
  .max(300, 'Too Long!')
  .refine(isWebAddress, 'Digite um endereço que começa com http:// ou https://')
  .transform(address => withoutLast(address, '/'))

function isWebAddress(address: string) {
  const url = URL.parse(address)
  return address === '' || (url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password)
}

const Headers = z.strictObject({
  headers: z.record(z.string().regex(/^[A-Za-z0-9-]{1,60}$/), z.string().max(500)).optional(),
})

export const IntegrationInput = z.object({
  name: text(2, 50),
  /** Empty: OpenAI's own. */
  apiUrl: webAddress.default(''),
  apiToken: text(1, 500),
  integrationType: z.literal('openai').default('openai'),
  message: z.string().max(1_000, 'Too Long!').default(''),
  dataJson: z.string().max(5_000, 'Too Long!').default('').refine(isHeadersJson, '{"headers": {…}}'),
})
export type IntegrationInput = z.output<typeof IntegrationInput>

function isHeadersJson(written: string) {
  return written.trim() === '' || headersOf(written) !== null
}

/** The headers that an integration's dataJson names; null when it is of another shape. */
export function headersOf(dataJson: string): Record<string, string> | null {
  try {
    return Headers.parse(JSON.parse(dataJson || '{}')).headers ?? {}
  } catch {
    return null
  }
}

/** Why a model did not answer. */
export const ModelFailure = z.enum([
  /** The key is wrong or may not. */
  'key',
  /** What was paid for is used up. */
  'quota',
  /** Too many calls at once. */
  'busy',
  'slow',
  /** The line broke, or the answer ended in its middle. */
  'cut',
  /** It failed by itself. */
  'server',
  /** Its answer was empty. */
  'empty',
  /** It used up its tokens before it answered. */
  'room',
  /** Its answer could not be processed here. */
  'ours',
  /** The response does not follow the protocol. */
  'nonsense',
  /** It rejects the request. */
  'refused',
  /** The address is not allowed, such as a private one. */
  'address',
  /** Nothing answers at the address. */
  'unreachable',
  /** No integration was set up. */
  'none',
  /** The company's plan has no models. */
  'plan',
])
export type ModelFailure = z.infer<typeof ModelFailure>

/** A model that the integration offers; `ends` is the day its maker ends it. */
export const OfferedModel = z.object({ id: z.string(), ends: z.string().nullable() })
export type OfferedModel = z.infer<typeof OfferedModel>

const integrationId = z.object({ integrationId: id })

export const integrations = {
  list: route('GET', '/integration', {
    needs: 'master',
    summary:
      'Integrations of the platform by name, a page at a time. The first one answers for every company.',
    query: pageQuery,
    reply: page('integrations', Integration),
  }),
  show: route('GET', '/integration/:integrationId', {
    needs: 'master',
    summary: 'One integration, without its key.',
    params: integrationId,
    reply: Integration,
  }),
  create: route('POST', '/integration', {
    needs: 'master',
    summary: 'Adds an integration; its key is kept sealed.',
    body: IntegrationInput,
    reply: Integration,
  }),
  change: route('PUT', '/integration/:integrationId', {
    edits: '/integration/:integrationId',
    needs: 'master',
    summary:
      'Changes an integration. Its apiToken as it was answered keeps the key, unless the address is another.',
    params: integrationId,
    body: IntegrationInput,
    reply: Integration,
  }),
  remove: route('DELETE', '/integration/:integrationId', {
    needs: 'master',
    summary: 'Deletes an integration.',
    params: integrationId,
  }),
  test: route('POST', '/integration/:integrationId/test', {
    needs: 'master',
    summary: 'Calls the address: which models it offers, or why it does not answer.',
    params: integrationId,
    limit: { counts: 'calls', caller: 20 },
    reply: z.object({
      failure: ModelFailure.nullable(),
      detail: z.string(),
      ms: z.int(),
      models: z.array(OfferedModel),
    }),
  }),
}
