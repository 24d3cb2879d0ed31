import { z } from 'zod'
import type { Outside } from '../platform/outbound/outbound.ts'
import { type ProviderAccount, ProviderRefused } from './payments.ts'
import { callProvider, type ProviderApi, reasonOf } from './provider.calls.ts'

interface Sent {
  body: object
  /** What is sent twice with one key is carried out once. */
  idempotencyKey?: string
}

/** One call of Mercado Pago’s API: its answer in the expected shape. Throws ProviderRefused. */
export type MercadoPagoCall = <Shape extends z.ZodType>(
  shape: Shape,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  sent?: Sent,
) => Promise<z.output<Shape>>

export const mercadoPagoCalls =
  (
    { url, token }: ProviderAccount,
    outbound: Pick<Outside, 'fetchOutside'>,
    patienceMs: number,
  ): MercadoPagoCall =>
  async (shape, method, path, { body, idempotencyKey }: Partial<Sent> = {}) => {
    if (!token) throw new ProviderRefused('key', 'Mercado Pago: no token is set')
    const api: ProviderApi = {
      ...{ title: 'Mercado Pago', url, token, outbound, patienceMs, maxBytes: 4 * 1024 * 1024 },
      isAccepted: status => status === 200 || status === 201,
      textOf,
      // 409: the same idempotency key is being processed; 423: the payment is locked
      reasonOf: status => (status === 409 || status === 423 ? 'silent' : reasonOf(status)),
    }
    const headers = {
      authorization: `Bearer ${token}`,
      ...(idempotencyKey && { 'x-idempotency-key': idempotencyKey }),
    }
    return callProvider(api, shape, { method, path, headers, body })
  }

const Refused = z.object({
  message: z.string().default(''),
  cause: z
    .array(z.object({ description: z.string().nullish() }))
    .nullish()
    .catch([]),
})

function textOf(body: unknown): string {
  const { data } = Refused.safeParse(body)
  return (data?.cause ?? []).flatMap(({ description }) => description || []).join(' ') || data?.message || ''
}
