import { afterAll, expect, test } from 'vitest'
import { type AutopayPayer, openAutopay } from '../../../testing/autopay.ts'
import { until } from '../../../testing/test-app.ts'

const page = await openAutopay()
const { asaas, there, shown, reaches, choose, end, charge } = page
afterAll(page.close)

const byCard = ({ billingType }: { billingType: string }) => billingType === 'CREDIT_CARD'
const statusOf = async (of: AutopayPayer, { id }: { id: number }) => (await of.shown(id)).status
const paidBy = (id: string) =>
  asaas.calls.filter(
    ({ method, path }) => method === 'POST' && path === `/v3/payments/${id}/payWithCreditCard`,
  )

/** A company whose card the provider keeps, since it paid an invoice with it on its page. */
async function withCard(): Promise<AutopayPayer> {
  const of = await page.company()
  const first = await of.owe(3)
  await charge(of, first)
  await choose(of, 'card')
  there.pay((await charge(of, first, byCard)).id)
  await there.eventsDelivered()
  await reaches(of, 'active')
  return of
}

test('a card is typed on the page of the provider, which keeps it: here are its brand and last digits, and it pays the next invoice on its day', async () => {
  const of = await page.company()
  const first = await of.owe(3)
  const ordinary = await charge(of, first)
  await choose(of, 'card')
  const typed = await charge(of, first, byCard)
  await until(async () => ordinary.deleted, 20_000)
  expect((await shown(of)).autopay).toMatchObject({
    state: 'waiting',
    paymentLink: typed.invoiceUrl,
    value: 9_990,
  })
  there.pay(typed.id)
  await there.eventsDelivered()
  const { creditCardNumber } = typed.creditCard!
  expect(await reaches(of, 'active')).toMatchObject({ brand: 'MASTERCARD', lastDigits: creditCardNumber })
  expect(await statusOf(of, first)).toBe('CONFIRMED')
  const [kept] = await page.sqlOf<{ token: string }>(
    page.tag`select token from autopay_ways where company_id = ${of.companyId}`,
  )
  expect(kept!.token).not.toContain(typed.creditCard!.creditCardToken)

  const second = await of.owe(5)
  const next = await charge(of, second, byCard)
  expect([paidBy(next.id).length, (await shown(of)).autopay?.next?.day]).toEqual([0, second.dueDate])
  await page.cardDay(second)
  await until(async () => (await statusOf(of, second)) === 'CONFIRMED', 20_000)
  await there.eventsDelivered()
  expect(paidBy(next.id).map(({ body }) => body)).toEqual([
    { creditCardToken: typed.creditCard!.creditCardToken },
  ])
  // a month later the money is there, and names the card of that time
  there.settle(next.id)
  await there.eventsDelivered()
  expect((await shown(of)).autopay?.lastDigits).toBe(creditCardNumber)
})

test('an answer that is lost charges no card twice, and neither does a decision that takes its time', async () => {
  const of = await withCard()
  const invoice = await of.owe(5)
  const open = await charge(of, invoice, byCard)
  asaas.webhooks.loseNext()
  there.loseAnswer(`POST /v3/payments/${open.id}/payWithCreditCard`)
  await page.cardDay(invoice)
  await until(async () => paidBy(open.id).length === 1)
  // the worker that lost its answer tries again
  await until(async () => {
    await page.app.database.script(
      `update charges set card_due_at = now() where invoice_id = ${invoice.id} and card_due_at > now() + interval '4 minutes'`,
    )
    return (await statusOf(of, invoice)) === 'CONFIRMED'
  }, 20_000)
  expect(paidBy(open.id).length).toBe(1)

  const other = await of.owe(6)
  const analysed = await charge(of, other, byCard)
  asaas.analyseCard(analysed.id)
  await page.cardDay(other)
  await until(async () => paidBy(analysed.id).length === 1)
  const isPutOff = () =>
    page
      .sqlOf(
        page.tag`select from charges where invoice_id = ${other.id} and card_due_at > now() + interval '30 minutes'`,
      )
      .then(rows => rows.length > 0)
  await until(isPutOff)
  await page.cardDay(other)
  await until(isPutOff)
  asaas.approveCard(analysed.id)
  await there.eventsDelivered()
  expect([await statusOf(of, other), paidBy(analysed.id).length]).toEqual(['CONFIRMED', 1])
})

test('a card that is refused is charged on three days; each is written to who pays, then the invoice has an ordinary page', async () => {
  const of = await withCard()
  const invoice = await of.owe(5)
  const open = await charge(of, invoice, byCard)
  asaas.refuseCards(open.customer)
  for (const tries of [1, 2, 3]) {
    await page.cardDay(invoice)
    await until(async () => paidBy(open.id).length === tries)
    await until(async () => (await page.tries(invoice)) >= tries)
  }
  const ordinary = await charge(of, invoice, one => !byCard(one))
  expect(ordinary.billingType).toBe('PIX')
  expect((await shown(of)).autopay).toMatchObject({
    ...{ state: 'active', problem: expect.stringContaining('não autorizada'), next: null },
  })
  there.pay(ordinary.id)
  await there.eventsDelivered()
  expect([await statusOf(of, invoice), paidBy(open.id).length]).toEqual(['RECEIVED', 3])
})

test('once it is ended no card is charged: pages are ordinary again, and the token is gone', async () => {
  const of = await withCard()
  const invoice = await of.owe(5)
  const open = await charge(of, invoice, byCard)
  expect((await end(of)).autopay).toMatchObject({ state: 'ended', reason: 'byCompany' })
  expect((await charge(of, invoice, one => !byCard(one))).billingType).toBe('PIX')
  await page.cardDay(invoice)
  expect(
    await page.sqlOf(page.tag`select from autopay_ways where company_id = ${of.companyId} and token <> ''`),
  ).toEqual([])
  expect(paidBy(open.id)).toEqual([])
})

test('a provider that keeps no cards for the account is named, and invoices are paid as before', async () => {
  const of = await page.company()
  const invoice = await of.owe(3)
  await charge(of, invoice)
  await choose(of, 'card')
  asaas.options.keepsCards = false
  there.pay((await charge(of, invoice, byCard)).id)
  await there.eventsDelivered()
  asaas.options.keepsCards = true
  expect((await reaches(of, 'ended')).reason).toBe('notKept')
  expect(await statusOf(of, invoice)).toBe('CONFIRMED')
})
