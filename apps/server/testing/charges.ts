import { clients } from '@balcao/contract/clients.ts'
import { collectors } from '@balcao/contract/collectors.ts'
import { type Invoice, type InvoiceInput, invoices } from '@balcao/contract/invoices.ts'
import { payments } from '@balcao/contract/payments.ts'
import { plans } from '@balcao/contract/plans.ts'
import type { PlayedCollector } from './collectors.ts'
import { unique } from './rows.ts'
import { openTestApp, type Person, type TestApp, until } from './test-app.ts'

const VALID = '11.222.333/0001-81'

/** Companies that are invoiced, and their charges. */
export interface ChargeScene {
  app: TestApp
  master: Person
  payer(documentNumber?: string): Promise<ChargedCompany>
  /** Makes it due: what waits for a next try, or to be queried. */
  pass(invoiceId: number): Promise<unknown>
  /** The invoice when it has a page to pay it. */
  charged(who: ChargedCompany, id: number): Promise<Invoice>
  reaches(who: ChargedCompany, id: number, how: (invoice: Invoice) => boolean): Promise<Invoice>
  /** An invoice with the charge of the provider. */
  open(
    more?: Partial<InvoiceInput>,
    who?: ChargedCompany,
  ): Promise<{ who: ChargedCompany; id: number; link: string }>
  toReview(who: ChargedCompany): Promise<Awaited<ReturnType<typeof reviewed>>>
  balance(who: ChargedCompany): Promise<number>
  /** A master answers that what a provider gave back unasked was no gift. */
  reverse(who: ChargedCompany): Promise<void>
}

export interface ChargedCompany {
  companyId: number
  email: string
  invoice(more?: Partial<InvoiceInput>): Promise<Invoice>
  shown(id: number): Promise<Invoice>
}

const reviewed = async (master: Person, { companyId }: ChargedCompany) =>
  (await master.get(payments.toReview)).payments.filter(one => one.companyId === companyId)

/** A product whose operator entered the accounts at these providers, and chose the first. */
export async function openCharges(...played: PlayedCollector[]): Promise<ChargeScene> {
  const variables = Object.assign({}, ...played.map(one => one.variables))
  const app = await openTestApp({ ...variables, OUTBOUND_ALLOW: '127.0.0.1' })
  const master = await app.as('master@balcao.test')
  for (const one of played) {
    one.tell(`${app.url}/payments/${one.name}`)
    await master.get(collectors.save, { params: { name: one.name }, body: one.account })
  }
  await master.get(collectors.choose, { body: { name: played[0]!.name } })
  return chargesIn(app, master)
}

export function chargesIn(app: TestApp, master: Person): ChargeScene {
  const reaches: ChargeScene['reaches'] = (who, id, how) =>
    until(async () => {
      const invoice = await who.shown(id)
      return how(invoice) && invoice
    }, 20_000)
  const charged: ChargeScene['charged'] = (who, id) =>
    reaches(who, id, ({ paymentLink }) => paymentLink !== '')
  return {
    ...{ app, master, reaches, charged },
    payer: documentNumber => payerOf(master, documentNumber),
    pass: id => app.database.script(`update charges set due_at = now() where invoice_id = ${id}`),
    async open(more, who) {
      const of = who ?? (await payerOf(master))
      const { id } = await of.invoice(more)
      return { who: of, id, link: (await charged(of, id)).paymentLink }
    },
    toReview: who => reviewed(master, who),
    async reverse(who) {
      const returned = (await reviewed(master, who)).filter(({ review }) => review === 'returned')
      for (const { id } of returned)
        await master.get(payments.answer, { params: { paymentId: id }, body: { isGift: false } })
    },
    balance: async ({ companyId }) =>
      (await master.get(payments.statement, { params: { companyId } })).balance,
  }
}

/** A company with a plan. */
async function payerOf(master: Person, documentNumber = VALID): Promise<ChargedCompany> {
  const email = `${unique()}@pagador.test`
  const body = { name: `Pagador ${unique()}`, email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  await master.get(clients.change, { params: { companyId }, body: { documentNumber } })
  const offered = await master.get(plans.create, { body: { name: `Plano ${unique()}`, value1Month: 9_990 } })
  const { id: planId } = await master.get(plans.assign, { params: { companyId, planId: offered.id } })
  const params = { planId }
  return {
    ...{ companyId, email },
    invoice: (more = {}) =>
      master.get(invoices.create, {
        params,
        body: {
          ...{ startInvoicePeriod: '2030-01-01', endInvoicePeriod: '2030-01-31', dueDate: '2030-01-10' },
          ...{ valueBrl: '99,90', billingType: 'PIX', recurrence: 1, ...more },
        },
      }),
    async shown(id) {
      const { list } = await master.get(invoices.list, { params })
      return list.find(one => one.id === id)!
    },
  }
}
