import { cut } from '@balcao/contract/cut.rules.ts'
import { headersOf, type ModelFailure, OfferedModel, OPENAI_URL } from '@balcao/contract/integrations.ts'
import { z } from 'zod'
import type { Secrets } from '../../platform/access/secrets.ts'
import {
  type Outbound,
  OutboundError,
  type OutsideReply,
  type OutsideRequest,
} from '../../platform/outbound/outbound.ts'
import type { Scopes } from '../../platform/scope.ts'
import { type IntegrationRow, integrationFor } from './integrations.queries.ts'

/** The address of a chat-completions API, with its opened key. */
export interface Endpoint {
  id: number
  companyId: number
  url: string
  token: string
  headers: Record<string, string>
  /** Whom it answers. */
  askedBy: number
  /** By company and model. */
  refused: IntegrationRow['refused']
}

export interface Failed {
  failure: ModelFailure
  /** The message of the other side, without the key. */
  detail: string
  /** The other side's Retry-After. */
  retryAfterMs?: number
  /** A failed answer costs too. */
  promptTokens?: number
  completionTokens?: number
}

/** A company's own integration, else the platform's first (OP-131); null when there is none. */
export async function endpointFor(
  { scopes, secrets }: { scopes: Scopes; secrets: Secrets },
  companyId: number,
): Promise<Endpoint | null> {
  const row = await scopes.platform().transaction(sql => integrationFor(sql, companyId))
  return row ? endpointOf(row, secrets, companyId) : null
}

export const endpointOf = (row: IntegrationRow, secrets: Secrets, askedBy: number): Endpoint => ({
  id: row.id,
  askedBy,
  companyId: row.companyId,
  url: row.apiUrl || OPENAI_URL,
  token: opened(secrets, row),
  headers: headersOf(row.dataJson) ?? {},
  refused: row.refused,
})

/** A key that was sealed under another secret counts as a wrong key. */
function opened(secrets: Secrets, { companyId, apiToken }: IntegrationRow) {
  try {
    return secrets.open(companyId, apiToken)
  } catch {
    return 'unreadable'
  }
}

/** One call of an endpoint: its JSON, or why there is none. Never throws. */
export async function callEndpoint(
  outbound: Pick<Outbound, 'by'>,
  { url, token, headers, companyId }: Endpoint,
  path: string,
  request: OutsideRequest = {},
): Promise<{ body: unknown } | (Failed & { status?: number; param?: string | undefined; code?: string })> {
  try {
    const reply = await outbound.by({ target: 'models', companyId }).fetchOutside(url + path, {
      ...request,
      headers: { ...headers, ...request.headers, authorization: `Bearer ${token}` },
    })
    return reply.status === 200 ? { body: JSON.parse(reply.body.toString()) } : refusalOf(reply, token)
  } catch (error) {
    if (error instanceof SyntaxError) return { failure: 'nonsense', detail: 'not JSON' }
    if (!(error instanceof OutboundError)) throw error
    return { failure: failureOf(error), detail: error.message }
  }
}

/** OpenAI names the refused argument in `param`; others only in the message. */
const ErrorBody = z.looseObject({
  error: z.union([
    z.string(),
    z.looseObject({
      message: z.string().default(''),
      code: z.union([z.string(), z.number()]).nullish(),
      param: z.string().nullish(),
    }),
  ]),
})

function refusalOf({ status, headers, body }: OutsideReply, token: string) {
  const text = body.toString()
  const parsed = ErrorBody.safeParse(jsonOr(text))
  const reported = parsed.success ? parsed.data.error : text
  const { message, code, param } = typeof reported === 'string' ? { message: reported } : reported
  const detail = cut(`${status} ${message}`.replaceAll(token, '…'), 300)
  const retryAfter = Number(headers['retry-after'])
  return {
    failure: kindOf(status, `${code ?? ''}`),
    detail,
    status,
    param: param ?? undefined,
    code: `${code ?? ''}`,
    ...(retryAfter > 0 && { retryAfterMs: retryAfter * 1000 }),
  }
}

function kindOf(status: number, code: string): ModelFailure {
  if (status === 401 || status === 403) return 'key'
  if (status === 402 || code === 'insufficient_quota') return 'quota'
  if (status === 429) return 'busy'
  if (status === 408) return 'slow'
  return status >= 500 ? 'server' : 'refused'
}

function failureOf({ reason, message }: OutboundError): ModelFailure {
  if (reason === 'forbidden') return 'address'
  if (reason === 'timeout') return 'slow'
  if (reason === 'too-large' || reason === 'redirects') return 'nonsense'
  return /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(message) ? 'unreachable' : 'cut'
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const Listed = z.object({
  data: z.array(
    z.looseObject({
      id: z.string(),
      deprecation: z.looseObject({ shutdown_date: z.string() }).nullish(),
    }),
  ),
})

const MODELS_TIMEOUT_MS = 10_000

const MOST_MODELS = 200

/** The models of an endpoint; one without a list gives `nonsense`, though it may answer. */
export async function modelsOf(
  outbound: Pick<Outbound, 'by'>,
  endpoint: Endpoint,
): Promise<{ models: OfferedModel[] } | Failed> {
  const got = await callEndpoint(outbound, endpoint, '/models', { timeoutMs: MODELS_TIMEOUT_MS })
  if ('failure' in got) return got
  const listed = Listed.safeParse(got.body)
  if (!listed.success) return { failure: 'nonsense', detail: 'no list of models' }
  const models = listed.data.data.map(({ id, deprecation }) =>
    OfferedModel.parse({ id, ends: deprecation?.shutdown_date ?? null }),
  )
  return { models: models.sort((one, other) => one.id.localeCompare(other.id)).slice(0, MOST_MODELS) }
}
