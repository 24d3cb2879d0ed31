import { z } from 'zod'
import type { Outside } from '../platform/outbound/outbound.ts'
import { type ProviderAccount, ProviderRefused } from './payments.ts'
import { callProvider, type ProviderApi, reasonOf } from './provider.calls.ts'

/** One call of Asaas' API: its answer in the expected shape. Throws ProviderRefused. */
export type AsaasCall = <Shape extends z.ZodType>(
  shape: Shape,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) => Promise<z.output<Shape>>

export const callsOf =
  ({ url, token }: ProviderAccount, outbound: Pick<Outside, 'fetchOutside'>, patienceMs: number): AsaasCall =>
  async (shape, method, path, body) => {
    if (!token) throw new ProviderRefused('key', 'Asaas: no key is set')
    const api: ProviderApi = {
      ...{ title: 'Asaas', url, token, outbound, patienceMs, maxBytes: 1024 * 1024 },
      ...{ isAccepted: status => status === 200, textOf, reasonOf },
    }
    return callProvider(api, shape, { method, path, headers: { access_token: token }, body })
  }

const Errors = z.object({
  errors: z.array(z.object({ code: z.string().default(''), description: z.string().default('') })),
})

function textOf(body: unknown): string {
  const { data } = Errors.safeParse(body)
  return (data?.errors ?? []).map(({ code, description }) => description || code).join(' ')
}
