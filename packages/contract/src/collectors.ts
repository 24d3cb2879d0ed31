import { z } from 'zod'
import { route } from './kit.ts'
import { BillingType } from './plans.ts'

/** The payment providers that can collect invoices. */
export const CollectorName = z.enum(['asaas', 'mercadopago'])
export type CollectorName = z.infer<typeof CollectorName>

/** A provider as the operator sees it: the stored token and secret are write-only. */
export const Collector = z.object({
  name: CollectorName,
  /** Whether it collects new charges. */
  isChosen: z.boolean(),
  isSetUp: z.boolean(),
  /** Its token is one of the server’s variables; a stored one replaces that. */
  isOfServer: z.boolean(),
  /** The last characters of its token; empty for a short one, and where there is none. */
  tokenEnd: z.string(),
  /** The path of this server that it calls about payments. */
  webhookPath: z.string(),
  /** How its charges can be paid. */
  billingTypes: z.array(BillingType),
})
export type Collector = z.infer<typeof Collector>

const name = z.object({ name: CollectorName })
const reply = z.object({ collectors: z.array(Collector) })
const key = z.string().trim().max(500)

/** Empty: the stored one is kept. */
export const CollectorInput = z.object({ token: key.default(''), webhookSecret: key.default('') })
export type CollectorInput = z.output<typeof CollectorInput>

export const collectors = {
  list: route('GET', '/collectors', {
    needs: 'master',
    summary: 'The payment providers that can collect invoices, and which one does.',
    reply,
  }),
  save: route('PUT', '/collectors/:name', {
    needs: 'master',
    summary:
      'Stores the token of a provider and the secret of its webhook, sealed. An empty field keeps the stored value; ERR_BAD_REQUEST where there is none.',
    params: name,
    body: CollectorInput,
    reply,
  }),
  choose: route('PUT', '/collector', {
    needs: 'master',
    summary:
      'Chooses the provider that collects new charges; null for none. Charges that exist stay with their provider. ERR_COLLECTOR_UNSET for one without a token.',
    body: z.object({ name: CollectorName.nullable() }),
    reply,
  }),
  test: route('POST', '/collectors/:name/test', {
    needs: 'master',
    summary: 'Tries the token of a provider by a query: the problem is empty where it is accepted.',
    params: name,
    limit: { counts: 'calls', caller: 20 },
    reply: z.object({ problem: z.string() }),
  }),
}
