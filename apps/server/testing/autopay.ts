import { autopay } from '@balcao/contract/autopay.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { type Invoice, type InvoiceInput, invoices } from '@balcao/contract/invoices.ts'
import { dayInBrazil } from '../src/payments/payments.ts'
import { rowsFrom, sql as tag } from '../src/platform/postgres/sql.ts'
import { type ChargedCompany, type ChargeScene, openCharges } from './charges.ts'
import { playCollector } from './collectors.ts'
import { type Person, until } from './test-app.ts'

type Played = Awaited<ReturnType<typeof playCollector.asaas>>

/** A company, and who pays for it. */
export interface AutopayPayer extends ChargedCompany {
  payer: Person
  /** An invoice of a month that is due in so many days. */
  owe(days: number, more?: Partial<InvoiceInput>): Promise<Invoice>
}

/** A product whose invoices Asaas collects, companies that pay by themselves, and what their banks do. */
export async function openAutopay() {
  const there = await playCollector.asaas()
  const scene = await openCharges(there)
  const { app } = scene
  const sqlOf = <Row>(text: ReturnType<typeof tag>) =>
    app.platform.scopes.platform().transaction(sql => rowsFrom<Row>(sql, text))
  const shown = async ({ companyId, payer }: AutopayPayer) =>
    payer.get(autopay.show, { params: { companyId } })
  const reaches = (of: AutopayPayer, state: string) =>
    until(async () => {
      const { autopay: way } = await shown(of)
      return way?.state === state && way
    }, 20_000)
  return {
    ...{ there, asaas: there.server, scene, app, sqlOf, tag, shown, reaches },
    company: () => companyOf(scene),
    choose: ({ companyId, payer }: AutopayPayer, kind: 'pix' | 'card') =>
      payer.get(autopay.choose, { params: { companyId }, body: { kind } }),
    end: ({ companyId, payer }: AutopayPayer) => payer.get(autopay.end, { params: { companyId } }),
    /** The charge of an invoice at the provider, once it has a page. */
    async charge(of: AutopayPayer, { id }: { id: number }, fits: (one: Payment) => boolean = () => true) {
      const found = () =>
        scene
          .reaches(of, id, ({ paymentLink }) =>
            there.server.payments.some(one => one.invoiceUrl === paymentLink && fits(one)),
          )
          .then(({ paymentLink }) => there.server.payments.find(one => one.invoiceUrl === paymentLink)!)
      return found()
    },
    authorizations: ({ companyId }: AutopayPayer) => {
      // the first one counts, of two that were made at once
      const { id } =
        there.server.customers.find(one => one.externalReference?.endsWith(`:${companyId}`)) ?? {}
      return there.server.authorizations.filter(({ customerId }) => customerId === id)
    },
    /** The day on which a kept card is charged has come. */
    cardDay: ({ id }: { id: number }) =>
      app.database.script(
        `update charges set card_due_at = now() where invoice_id = ${id} and card_due_at is not null`,
      ),
    /** How often a kept card was refused for an invoice. */
    tries: async ({ id }: { id: number }) => {
      const rows = await sqlOf<{ tries: number }>(
        tag`select max(card_tries) as tries from charges where invoice_id = ${id}`,
      )
      return rows[0]!.tries
    },
    /** The provider is asked after authorizations now. */
    askNow: ({ companyId }: AutopayPayer) =>
      app.database.script(`update autopay_ways set due_at = now() where company_id = ${companyId}`),
    /** What failed is due again now: a pause is shorter than a lease. */
    async retried({ id }: { id: number }) {
      await until(async () => {
        const rows = await sqlOf(tag`update charges set due_at = now() where invoice_id = ${id}
          and due_at > now() and due_at < now() + interval '90 seconds' returning reference`)
        return rows.length > 0
      }, 20_000)
    },
    letters: ({ companyId }: AutopayPayer) =>
      sqlOf<{ cause: string }>(
        tag`select cause from mails where company_id = ${companyId} and cause like 'autopay:%'`,
      ),
    async close() {
      await app.close()
      await there.close()
    },
  }
}

type Payment = Played['server']['payments'][number]

async function companyOf(scene: ChargeScene): Promise<AutopayPayer> {
  const charged = await scene.payer()
  // only the invoices of a test are owed
  await bills(scene, charged, false)
  const payer = await scene.app.as(charged.email)
  const today = dayInBrazil(new Date())
  return {
    ...charged,
    payer,
    owe(days, more = {}) {
      const start = daysFrom(today, days)
      return charged.invoice({
        ...{ startInvoicePeriod: start, endInvoicePeriod: daysFrom(start, 29), dueDate: start, ...more },
      })
    },
  }
}

/** Whether the company gets invoices by itself. */
export const bills = ({ app }: ChargeScene, { companyId }: ChargedCompany, isAutomatic: boolean) =>
  app.database.script(`update plans set automatic_invoice = ${isAutomatic} where company_id = ${companyId}`)

export const cancelOwed = (scene: ChargeScene, invoiceId: number) =>
  scene.master.get(invoices.cancel, { params: { invoiceId }, body: { reason: 'Engano' } })
