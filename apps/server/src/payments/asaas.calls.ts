import { cut } from '@balcao/contract/cut.rules.ts'
import { z } from 'zod'
import { type Outbound, OutboundError, type OutsideReply } from '../platform/outbound/outbound.ts'
import { ProviderRefused } from './payments.ts'

const MAX_BYTES = 1024 * 1024

/** One call of Asaas' API: its answer in the shape that is awaited. Throws ProviderRefused. */
export type AsaasCall = <Shape extends z.ZodType>(
  shape: Shape,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) => Promise<z.output<Shape>>

export const callsOf =
  (
    { asaasUrl, asaasToken }: { asaasUrl: string; asaasToken: string | null },
    outbound: Pick<Outbound, 'fetchOutside'>,
    patienceMs: number,
  ): AsaasCall =>
  async (shape, method, path, body) => {
    if (!asaasToken) throw new ProviderRefused('key', 'Asaas: no key is set')
    const reply = await outbound
      .fetchOutside(asaasUrl.replace(/\/$/, '') + path, {
        method,
        headers: { access_token: asaasToken, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        timeoutMs: patienceMs,
        maxBytes: MAX_BYTES,
      })
      .catch(silence)
    if (reply.status !== 200) throw refusalOf(reply, asaasToken)
    const answer = shape.safeParse(jsonOr(reply.body))
    if (answer.success) return answer.data
    const where = answer.error.issues[0]?.path.join('.') || 'the whole of it'
    throw new ProviderRefused(
      'nonsense',
      `Asaas: ${method} ${path} was answered otherwise than known: ${where}`,
    )
  }

function silence(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  const isNonsense = error.reason === 'too-large' || error.reason === 'redirects'
  throw new ProviderRefused(isNonsense ? 'nonsense' : 'silent', `Asaas: ${error.message}`)
}

const Errors = z.object({
  errors: z.array(z.object({ code: z.string().default(''), description: z.string().default('') })),
})

function refusalOf({ status, body }: OutsideReply, token: string): ProviderRefused {
  const answer = Errors.safeParse(jsonOr(body))
  const words = answer.success ? answer.data.errors.map(({ code, description }) => description || code) : []
  const message = `Asaas: ${words.join(' ') || 'no reason given'} (${status})`.replaceAll(token, '…')
  return new ProviderRefused(reasonOf(status), cut(message, 500))
}

function reasonOf(status: number) {
  if (status === 401 || status === 403) return 'key'
  if (status === 404) return 'unknown'
  if (status === 429) return 'busy'
  if (status === 408 || status >= 500) return 'silent'
  return status >= 400 ? 'refused' : 'nonsense'
}

function jsonOr(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
