import { cut } from '@balcao/contract/cut.rules.ts'
import type { z } from 'zod'
import { OutboundError, type Outside, type OutsideReply } from '../platform/outbound/outbound.ts'
import { ProviderRefused } from './payments.ts'

type Reason = ProviderRefused['reason']

/** The API of one provider. */
export interface ProviderApi {
  /** As it is shown to people. */
  title: string
  url: string
  /** Never part of a message. */
  token: string
  outbound: Pick<Outside, 'fetchOutside'>
  patienceMs: number
  maxBytes: number
  isAccepted(status: number): boolean
  /** Its text about a refusal; empty where it gives none. */
  textOf(body: unknown): string
  reasonOf(status: number): Reason
}

interface ProviderCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: object | undefined
}

/** One call of a provider’s API: its answer in the expected shape. Throws ProviderRefused. */
export async function callProvider<Shape extends z.ZodType>(
  api: ProviderApi,
  shape: Shape,
  { method, path, headers, body }: ProviderCall,
): Promise<z.output<Shape>> {
  const { title, url, outbound, patienceMs: timeoutMs, maxBytes } = api
  const reply = await outbound
    .fetchOutside(url.replace(/\/$/, '') + path, {
      ...{ method, timeoutMs, maxBytes },
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    .catch(error => unanswered(title, error))
  if (!api.isAccepted(reply.status)) throw refusalOf(api, reply)
  const answer = shape.safeParse(jsonOf(reply.body))
  if (answer.success) return answer.data
  const where = answer.error.issues[0]?.path.join('.') || 'the whole of it'
  throw new ProviderRefused(
    'nonsense',
    `${title}: ${method} ${path} was answered in an unexpected shape: ${where}`,
  )
}

function unanswered(title: string, error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  const isNonsense = error.reason === 'too-large' || error.reason === 'redirects'
  throw new ProviderRefused(isNonsense ? 'nonsense' : 'silent', `${title}: ${error.message}`)
}

function refusalOf({ title, token, textOf, reasonOf }: ProviderApi, { status, body }: OutsideReply) {
  const text = textOf(jsonOf(body)) || 'no reason given'
  return new ProviderRefused(
    reasonOf(status),
    cut(`${title}: ${text} (${status})`.replaceAll(token, '…'), 500),
  )
}

/** What the status of a refusal means at most providers. */
export function reasonOf(status: number): Reason {
  if (status === 401 || status === 403) return 'key'
  if (status === 404) return 'unknown'
  if (status === 429) return 'busy'
  if (status === 408 || status >= 500) return 'silent'
  return status >= 400 ? 'refused' : 'nonsense'
}

/** Null where it is no JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}

/** A text of a provider on one line, as a screen and a column take it. */
export const shownText = (text: string, most: number): string =>
  cut(text.slice(0, 2 * most + 100), most).replace(/[\p{Cc}\p{Cf}]/gu, ' ')
