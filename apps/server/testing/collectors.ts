import { type AsaasServer, startAsaasServer } from '@balcao/asaas-server/server.ts'
import type { CollectorName } from '@balcao/contract/collectors.ts'
import { type MercadoPagoServer, startMercadoPagoServer } from '@balcao/mercadopago-server/server.ts'
import { expect } from 'vitest'

/** A charge as its payer and the provider’s panel see it. */
export interface PlayedCharge {
  id: string
  link: string
  cents: number
  /** Cents that were given back. */
  returned: number
  reference: string
  state: 'open' | 'paid' | 'refunded' | 'gone'
  document: string
  email: string
}

interface Call {
  method: string
  path: string
  status: number
}

/** The double of a provider, in terms that are of no provider. */
export interface PlayedCollector {
  name: CollectorName
  /** The server’s variables that lead to it. */
  variables: Record<string, string>
  account: { token: string; webhookSecret: string }
  calls: Call[]
  /** The beginnings of the calls that make a charge and that search one. */
  making: string
  searching: string
  /** The call that gives a charge back. */
  refunding(id: string): string
  /** Its error for an invalid document. */
  wrongDocument: RegExp
  charges(): PlayedCharge[]
  pay(id: string): void
  /** Pays a charge of `laterType` so that its money is promised; `settle` brings it. */
  payLater(id: string): void
  laterType: 'CREDIT_CARD' | 'PIX'
  settle(id: string): void
  /** Gives back all that is left, in the panel. */
  refund(id: string): void
  /** Gives back some cents, in the panel. */
  refundPart(id: string, cents: number): void
  /** The same, which the provider does not carry out before `endRefund`, if at all. */
  beginRefund(id: string, cents: number): void
  endRefund(id: string, isDone: boolean): void
  /** The next refund that is asked for is accepted, and carried out by `endRefund`. */
  delayRefund(id: string): void
  failNext(status: number, on: string): void
  loseAnswer(on: string): void
  tell(url: string): void
  /** All events up to now are delivered. */
  eventsDelivered(): Promise<void>
  /** Sends the last event once more. */
  again(): void
  /** What happens meanwhile is delivered in the other order. */
  reversed(acts: () => void): void
  /** What happens meanwhile is never delivered. */
  silently(act: () => void): void
  /** Calls the webhook with the last event, signed with a secret, or with another body or without a signature. */
  call(url: string, how: { secret: string | null; body?: string; of?: string }): Promise<number>
  outcomes(): unknown[]
  close(): Promise<void>
}

const SECRET = 'segredo-do-webhook-com-32-caracteres'

/** With the double itself, for what no other provider does. */
export const playCollector = {
  async asaas(): Promise<PlayedCollector & { server: AsaasServer }> {
    const asaas = await startAsaasServer({ webhooks: { pauses: [0] } })
    const { webhooks } = asaas
    return {
      server: asaas,
      name: 'asaas',
      variables: { ASAAS_URL: asaas.url },
      account: { token: asaas.token, webhookSecret: SECRET },
      calls: asaas.calls,
      ...{ making: 'POST /v3/payments', searching: 'GET /v3/payments', wrongDocument: /CPF|CNPJ/i },
      refunding: id => `POST /v3/payments/${id}/refund`,
      charges: () =>
        asaas.payments.map(
          ({ id, invoiceUrl, value, externalReference, status, deleted, customer, refunds }) => {
            const { cpfCnpj, email } = asaas.customers.find(one => one.id === customer)!
            const isOpen = status === 'PENDING' || status === 'OVERDUE'
            const paid = status === 'REFUNDED' ? ('refunded' as const) : ('paid' as const)
            return {
              ...{ id, link: invoiceUrl, cents: Math.round(value * 100), reference: externalReference ?? '' },
              state: deleted ? 'gone' : isOpen ? 'open' : paid,
              ...{ document: cpfCnpj, email: email ?? '' },
              returned: centsOf((refunds ?? []).flatMap(one => (one.status === 'DONE' ? one.value : []))),
            }
          },
        ),
      ...{ pay: asaas.pay, payLater: asaas.pay, settle: asaas.settle, refund: asaas.refund },
      refundPart: (id, cents) => asaas.refundPart(id, cents / 100),
      beginRefund: (id, cents) => asaas.beginRefund(id, cents / 100),
      endRefund: (id, isDone) => asaas.endRefund(id, isDone ? 'DONE' : 'CANCELLED'),
      delayRefund: asaas.delayRefund,
      laterType: 'CREDIT_CARD',
      ...{ failNext: asaas.failNext, loseAnswer: asaas.loseAnswer },
      tell: url => webhooks.tell(url, SECRET),
      ...events(webhooks),
      call: (url, { secret, body, of }) => {
        const last = webhooks.events.at(-1)!
        const written = body ?? (of ? renamed(last.body, asaas.payments.at(-1)!, of) : last.body)
        return posted(url, written, secret === null ? {} : { 'asaas-access-token': secret })
      },
      close: async () => {
        await asaas.close()
        expect([asaas.unknown, asaas.errors]).toEqual([[], []])
      },
    }
  },
  async mercadopago(): Promise<PlayedCollector & { server: MercadoPagoServer }> {
    const there = await startMercadoPagoServer({ webhooks: { pauses: [] } })
    const { webhooks } = there
    return {
      server: there,
      name: 'mercadopago',
      variables: { MERCADOPAGO_URL: there.url },
      account: { token: there.token, webhookSecret: SECRET },
      calls: there.calls,
      ...{ making: 'POST /v1/payments', searching: 'GET /v1/payments/search' },
      refunding: id => `POST /v1/payments/${id}/refunds`,
      wrongDocument: /Invalid user identification number/,
      charges: () =>
        there.payments.map(one => ({
          id: String(one.id),
          link:
            one.point_of_interaction.transaction_data?.ticket_url ??
            one.transaction_details.external_resource_url!,
          cents: Math.round(one.transaction_amount * 100),
          reference: one.external_reference ?? '',
          state: STATES[one.status],
          ...{ document: one.payer.identification.number, email: one.payer.email },
          returned: centsOf(
            one.refunds.flatMap(({ status, amount }) => (status === 'approved' ? amount : [])),
          ),
        })),
      ...{ pay: id => there.pay(id), payLater: id => there.pay(id, 14), laterType: 'PIX' },
      ...{ settle: there.settle, refund: there.refund },
      refundPart: (id, cents) => there.refundPart(id, cents / 100),
      beginRefund: (id, cents) => there.beginRefund(id, cents / 100),
      endRefund: (id, isDone) => there.endRefund(id, isDone ? 'approved' : 'cancelled'),
      delayRefund: there.delayRefund,
      ...{ failNext: there.failNext, loseAnswer: there.loseAnswer },
      tell: url => webhooks.tell(url, SECRET),
      ...events(webhooks),
      call: (url, { secret, body, of }) => {
        const last = webhooks.events.at(-1)!
        const sent = of ? { ...last, paymentId: Number(of) } : last
        const signed = webhooks.signed(sent, { url, secret: secret ?? '' })
        const written = body ?? last.body.replaceAll(String(last.paymentId), String(sent.paymentId))
        return posted(signed.url, written, secret === null ? {} : signed.headers)
      },
      close: async () => {
        await there.close()
        expect([there.unknown, there.errors]).toEqual([[], []])
      },
    }
  },
} satisfies Record<CollectorName, () => Promise<PlayedCollector>>

const centsOf = (reais: number[]) => reais.reduce((sum, one) => sum + Math.round(one * 100), 0)

const STATES: Record<MercadoPagoServer['payments'][number]['status'], PlayedCharge['state']> = {
  ...{ pending: 'open', approved: 'paid', in_mediation: 'paid', charged_back: 'paid' },
  ...{ cancelled: 'gone', rejected: 'gone', refunded: 'refunded' },
}

interface Events<Sent> {
  events: Sent[]
  attempts: { outcome: unknown }[]
  settled(): Promise<void>
  again(sent: Sent): void
  hold(): { release(order?: 'reversed'): void }
  loseNext(times?: number): void
}

/** What the doubles’ webhooks have in common. */
const events = <Sent>(webhooks: Events<Sent>) => ({
  eventsDelivered: () => webhooks.settled(),
  again: () => webhooks.again(webhooks.events.at(-1)!),
  reversed(acts: () => void) {
    const held = webhooks.hold()
    acts()
    held.release('reversed')
  },
  silently(act: () => void) {
    const known = webhooks.events.length
    webhooks.loseNext()
    act()
    // nothing was to be lost
    if (webhooks.events.length === known) webhooks.loseNext(-1)
  },
  outcomes: () => webhooks.attempts.map(({ outcome }) => outcome),
})

const renamed = (body: string, { id, externalReference }: AsaasNames, to: string) =>
  body.replaceAll(id, to).replaceAll(externalReference!, '00000000-0000-4000-8000-000000000000')
interface AsaasNames {
  id: string
  externalReference: string | null
}

async function posted(url: string, body: string, headers: Record<string, string>): Promise<number> {
  const sent = { 'content-type': 'application/json', ...headers }
  const answer = await fetch(url, { method: 'POST', headers: sent, body })
  await answer.body?.cancel()
  return answer.status
}
