import { invoices } from '@balcao/contract/invoices.ts'
import { payments } from '@balcao/contract/payments.ts'
import { afterAll, expect, test } from 'vitest'
import { openPayers } from '../../../testing/payers.ts'
import { until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { askForCharges } from './charges.listing.actions.ts'
import { runCharges } from './charges.worker.ts'

const { app, asaas, master, scene, paymentOf, charged, statusOf, open, eventsDelivered, notify, close } =
  await openPayers()
afterAll(close)

const sqlOf = <Row>(text: ReturnType<typeof tag>) =>
  app.platform.scopes.platform().transaction(sql => rowsFrom<Row>(sql, text))

test('a worker whose provider answers too late leaves the charge to the one who has it by now', async () => {
  const who = await scene.payer()
  const slow = Promise.withResolvers<void>()
  const asked = asaas.calls.length
  asaas.answerAfter(slow.promise, 'GET /v3/payments')
  const { id } = await who.invoice()
  await until(async () => {
    const [row] = await sqlOf<{ provider: string }>(
      tag`select provider from charges where invoice_id = ${id}`,
    )
    // the commit before the provider is called
    return row?.provider === 'asaas'
  })
  // its lease expires, which is not awaited here
  await scene.pass(id)
  await runCharges({ ...app.platform, stopping: () => false })
  const { paymentLink } = await scene.charged(who, id)
  slow.resolve()
  await open({}, who) // the worker goes on behind it
  const { externalReference } = paymentOf((await who.shown(id)).paymentLink)
  const made = asaas.calls.slice(asked).filter(({ method, path, body }) => {
    const isOfIt = (body as { externalReference?: string } | null)?.externalReference === externalReference
    return method === 'POST' && path === '/v3/payments' && isOfIt
  })
  expect(made).toHaveLength(1)
  expect((await who.shown(id)).paymentLink).toBe(paymentLink)
})

test('a card is confirmed, then received', async () => {
  const { who, id, payment } = await open({ billingType: 'CREDIT_CARD' })
  asaas.pay(payment.id)
  await eventsDelivered()
  expect(await statusOf(who, id)).toBe('CONFIRMED')
  asaas.settle(payment.id)
  await eventsDelivered()
  expect(await statusOf(who, id)).toBe('RECEIVED')
})

test('a charge is for what is owed: after a part was paid manually, another one is for the rest', async () => {
  const { who, id, payment } = await open()
  const pay = (valueBrl: string) =>
    master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate: '2030-01-05', valueBrl } })
  expect(await pay('40,00')).toMatchObject({ status: 'PENDING', state: 'partlyPaid', paidValue: 4_000 })
  await until(async () => payment.deleted)
  const rest = await charged(who, id)
  expect(rest.value).toBe(59.9)
  expect(await pay('100,00')).toMatchObject({ status: 'RECEIVED', state: 'paid', paidValue: 9_990 })
  expect(await scene.balance(who)).toBe(4_010)
})

test('what is left is less than the provider charges: the invoice says so and no charge is asked for, until more is owed', async () => {
  const { who, id, payment } = await open()
  const pay = (body: { payDate: string | null; valueBrl?: string }) =>
    master.get(invoices.pay, { params: { invoiceId: id }, body })
  const made = () => asaas.calls.filter(({ method, path }) => `${method} ${path}` === 'POST /v3/payments')
  const before = made().length
  await pay({ payDate: '2030-01-05', valueBrl: '97,90' })
  await until(async () => payment.deleted)
  await scene.reaches(who, id, one => one.paymentProblem === 'belowLeast' && one.paymentLink === '')
  expect([made().length, await scene.balance(who)]).toEqual([before, -200])
  await pay({ payDate: null })
  const whole = await charged(who, id)
  expect([whole.value, (await who.shown(id)).paymentProblem]).toEqual([99.9, ''])

  // more is owed while it is decided that nothing is charged
  await app.database.script(`
    create function owe_more() returns trigger language plpgsql as $$ begin
      update payments set voided_at = now() where id in (
        select payment_id from payment_allocations where invoice_id = new.invoice_id);
      delete from payment_allocations where invoice_id = new.invoice_id;
      update invoices set paid_value = 0 where id = new.invoice_id;
      return new; end $$;
    create trigger owe_more before update on charges for each row
      when (new.invoice_id = ${id} and old.provider = '' and new.provider <> '') execute function owe_more()`)
  await pay({ payDate: '2030-01-05', valueBrl: '97,90' })
  await until(async () => whole.deleted)
  expect((await charged(who, id)).value).toBe(99.9)
  expect((await who.shown(id)).paymentProblem).toBe('')
  await app.database.script('drop function owe_more cascade')
})

test('what was paid manually, or is deleted, cannot be paid again; without that payment it is charged anew', async () => {
  const { who, id, payment } = await open()
  const pay = (payDate: string | null) =>
    master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate } })
  await pay('2030-01-05')
  await until(async () => payment.deleted)
  await eventsDelivered()
  expect(await statusOf(who, id)).toBe('RECEIVED')
  await scene.reaches(who, id, ({ paymentLink }) => paymentLink === '')
  await pay(null)
  const anew = await charged(who, id)
  expect(anew.id).not.toBe(payment.id)
  await master.get(invoices.remove, { params: { invoiceId: id } })
  await until(async () => anew.deleted)
})

test('a charge that somebody removes in the provider’s panel takes its address along, and comes back with it', async () => {
  const { who, id, payment } = await open()
  await fetch(`${asaas.url}/payments/${payment.id}`, {
    method: 'DELETE',
    headers: { access_token: asaas.token, 'user-agent': 'panel' },
  })
  await eventsDelivered()
  expect((await who.shown(id)).paymentLink).toBe('')
  asaas.restore(payment.id)
  await eventsDelivered()
  expect((await charged(who, id)).id).toBe(payment.id)
})

test('a hundred repeats of one event, all at once, change nothing and send no notice again', async () => {
  const { who, id, payment } = await open()
  asaas.pay(payment.id)
  await eventsDelivered()
  const event = asaas.webhooks.events.at(-1)!
  const state = () =>
    sqlOf<object>(
      tag`select (select json_agg(p) from payments p where p.company_id = ${who.companyId}) as payments,
        (select json_agg(a) from payment_allocations a where a.company_id = ${who.companyId}) as allocations,
        (select json_agg(r) from payment_refunds r where r.company_id = ${who.companyId}) as refunds,
        (select json_agg(i) from invoices i where i.company_id = ${who.companyId}) as invoices,
        (select json_agg(c) from charges c where c.company_id = ${who.companyId}) as charges,
        (select count(*)::int from billing_notices n where n.company_id = ${who.companyId}) as notices`,
    )
  const before = await state()
  expect(await statusOf(who, id)).toBe('RECEIVED')
  const answers = await Promise.all(Array.from({ length: 100 }, () => notify(event.body)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await state()).toEqual(before)
})

test('money for an invoice that was cancelled or deleted is assigned to another, or kept as credit that pays the next', async () => {
  const who = await scene.payer()
  const first = await open({}, who)
  const second = await open({ startInvoicePeriod: '2030-02-01', endInvoicePeriod: '2030-02-28' }, who)
  asaas.webhooks.loseNext()
  asaas.pay(first.payment.id)
  await master.get(invoices.cancel, { params: { invoiceId: first.id }, body: { reason: 'Cortesia' } })
  await eventsDelivered()
  expect(await who.shown(first.id)).toMatchObject({
    status: 'RECEIVED',
    state: 'cancelled',
    cancelReason: 'Cortesia',
  })
  await askForCharges(app.platform, new Date())
  const [waiting] = await scene.toReview(who)
  expect(waiting).toMatchObject({ review: 'cancelled', freeValue: 9_990 })
  const params = { paymentId: waiting!.id }
  const foreign = await open()
  const refused = await master.call(payments.assign, { params, body: { invoiceId: foreign.id } })
  expect(refused.body.error).toBe('ERR_PAYMENT_COMPANY')
  await master.get(payments.assign, { params, body: { invoiceId: second.id } })
  expect(await who.shown(second.id)).toMatchObject({ status: 'RECEIVED', state: 'paid' })
  await until(async () => second.payment.deleted)
  const again = await master.call(payments.credit, { params, body: {} })
  expect(again.body.error).toBe('ERR_PAYMENT_SPENT')
  // what was paid on an invoice is credit when it is cancelled
  await master.get(invoices.cancel, { params: { invoiceId: second.id }, body: { reason: 'Cortesia' } })
  expect(await scene.balance(who)).toBe(9_990)
  const { id: third } = await who.invoice({ valueBrl: '120,00' })
  expect(await who.shown(third)).toMatchObject({ status: 'PENDING', state: 'partlyPaid', paidValue: 9_990 })
  expect((await charged(who, third)).value).toBe(20.1)
  expect(await scene.balance(who)).toBe(-2_010)
})

const customerOf = (email: string) => asaas.customers.find(one => one.email === email)?.id

test('an event that comes before the answer that names its charge counts; the charge is not cancelled behind it', async () => {
  const who = await scene.payer()
  const slow = Promise.withResolvers<void>()
  asaas.answerAfter(slow.promise, 'POST /v3/payments')
  const { id } = await who.invoice()
  const made = await until(async () =>
    asaas.payments.find(one => one.customer === customerOf(who.email) && one.status === 'PENDING'),
  )
  asaas.pay(made.id)
  await eventsDelivered()
  expect(await who.shown(id)).toMatchObject({ status: 'RECEIVED', state: 'paid' })
  slow.resolve()
  const next = await open({}, who) // the worker goes on behind it
  const [charge] = await sqlOf<{ state: string; chargeId: string }>(
    tag`select state, charge_id as "chargeId" from charges where invoice_id = ${id}`,
  )
  expect(charge).toEqual({ state: 'paid', chargeId: made.id })
  expect(asaas.calls.some(({ method, path }) => method === 'DELETE' && path.endsWith(made.id))).toBe(false)
  expect(next.payment.status).toBe('PENDING')
})

test('two charges of one reference are two payments: the second waits for a master, and when it is cancelled the first can be paid', async () => {
  const { who, id, payment } = await open()
  const twin = { ...payment, id: `${payment.id}b` }
  const event = (kind: string, more: object) => ({
    ...{ id: `evt_${kind}_${payment.id}`, event: kind, payment: { ...twin, ...more } },
  })
  expect((await notify(event('PAYMENT_DELETED', { deleted: true }))).status).toBe(200)
  expect((await who.shown(id)).paymentLink).not.toBe('')
  asaas.pay(payment.id)
  await eventsDelivered()
  expect((await notify(event('PAYMENT_RECEIVED', { status: 'RECEIVED' }))).status).toBe(200)
  expect(await who.shown(id)).toMatchObject({ state: 'paid', paidValue: 9_990 })
  expect(await scene.toReview(who)).toMatchObject([
    { providerId: twin.id, review: 'twice', freeValue: 9_990 },
  ])
})

test('an event that says no refunds keeps its own sum, and is of all where the charge was given back by now', async () => {
  const report = (payment: { id: string }) =>
    notify({
      ...{ id: `evt_told_${payment.id}`, event: 'PAYMENT_PARTIALLY_REFUNDED' },
      payment: { ...payment, status: 'RECEIVED', refunds: null },
    })
  const gone = await orphan()
  const reported = { ...gone.payment }
  gone.payment.id = 'pay_gone' // it is not found any more
  await report(reported)
  gone.payment.id = reported.id
  expect(await gone.waiting()).toMatchObject([{ freeValue: 9_990, refundedValue: 0 }])
  const { who, id, payment } = await open()
  asaas.webhooks.loseNext(2)
  asaas.pay(payment.id)
  asaas.refund(payment.id)
  payment.refunds = null
  await report(payment)
  const refunds = tag`select state, value from payment_refunds where company_id = ${who.companyId}`
  expect(await sqlOf(refunds)).toEqual([{ state: 'done', value: 9_990 }])
  expect([(await who.shown(id)).paidValue, await scene.balance(who)]).toEqual([0, 0])
})

test('money that another company has already changes nothing and is not sent again', async () => {
  const { who, id, payment } = await open()
  const other = await scene.payer()
  await app.database.script(`insert into payments (company_id, source, value, paid_on, provider, provider_id)
    values (${other.companyId}, 'provider', 100, '2030-01-01', 'asaas', '${payment.id}')`)
  asaas.pay(payment.id)
  await eventsDelivered()
  expect([await statusOf(who, id), asaas.webhooks.attempts.at(-1)!.outcome]).toEqual(['PENDING', 200])
})

test('a charge that cannot be settled delays no other', async () => {
  const [bad, good] = [await open(), await open()]
  for (const { payment } of [bad, good]) {
    asaas.webhooks.loseNext()
    asaas.pay(payment.id)
  }
  await app.database.script(`create function refuse_payment() returns trigger language plpgsql as 'begin raise exception ''no''; end';
    create trigger refuse_payment before insert on payments for each row
      when (new.provider_id = '${bad.payment.id}') execute function refuse_payment()`)
  await expect(askForCharges(app.platform, new Date())).rejects.toThrow()
  await app.database.script('drop function refuse_payment cascade')
  expect([await statusOf(bad.who, bad.id), await statusOf(good.who, good.id)]).toEqual([
    'PENDING',
    'RECEIVED',
  ])
})

test('money without a sum changes nothing and is not sent again', async () => {
  const { who, id, payment } = await open()
  const event = { id: `evt_zero_${id}`, event: 'PAYMENT_RECEIVED' }
  const zero = { ...payment, status: 'RECEIVED', value: 0 }
  expect((await notify({ ...event, payment: zero })).status).toBe(200)
  expect(await statusOf(who, id)).toBe('PENDING')
})

/** The charge of a company that is gone, with its payment. */
async function orphan() {
  const { who, payment } = await open()
  await app.database.script(`delete from charges where company_id = ${who.companyId}`)
  const reported = (status: string, more: object = {}) =>
    notify({
      ...{ id: `evt_${status}_${payment.id}`, event: `PAYMENT_${status}` },
      payment: { ...payment, status, ...more },
    })
  const row = async () =>
    (
      await sqlOf<{ id: number; companyId: number | null; status: string; value: number }>(
        tag`select id, company_id as "companyId", status, value from payments where provider_id = ${payment.id}`,
      )
    )[0]
  const waiting = async () =>
    (await master.get(payments.toReview)).payments.filter(one => one.providerId === payment.id)
  return { who, payment, reported, row, waiting }
}

test('money of an unknown charge waits with its true sum, is received later, and is given back without a company', async () => {
  const { payment, reported, row, waiting } = await orphan()
  await reported('CONFIRMED', { value: null })
  expect(await row()).toMatchObject({ companyId: null, status: 'CONFIRMED', value: 9_990 })
  await reported('RECEIVED')
  expect(await waiting()).toMatchObject([{ status: 'RECEIVED', review: 'unknown', freeValue: 9_990 }])
  asaas.pay(payment.id)
  const paymentId = (await row())!.id
  await eventsDelivered()
  asaas.webhooks.loseNext()
  await master.get(payments.refund, { params: { paymentId }, body: { reason: 'Sem dono' } })
  expect(await waiting()).toEqual([])
  await until(async () => payment.status === 'REFUNDED')
  const refunds = tag`select state, value, done_at > created_at as "isLater" from payment_refunds
    where payment_id = ${paymentId}`
  await expect.poll(() => sqlOf(refunds)).toEqual([{ state: 'done', value: 9_990, isLater: true }])
})

test('of unknown money of which a part was given back the rest waits, and a further part is taken from the credit, then from the newest invoice', async () => {
  const { who, payment, reported, row, waiting } = await orphan()
  // credit would pay it
  await app.database.script(`delete from invoices where company_id = ${who.companyId}`)
  await reported('RECEIVED')
  let parts = 0
  const part = (value: number) => {
    const refunds = [{ status: 'DONE', value }]
    const changed = { ...payment, status: 'RECEIVED', refunds }
    return notify({
      id: `evt_${payment.id}_${++parts}`,
      event: 'PAYMENT_PARTIALLY_REFUNDED',
      payment: changed,
    })
  }
  await part(20)
  expect(await waiting()).toMatchObject([{ review: 'unknown', freeValue: 7_990, refundedValue: 2_000 }])
  const { id } = await who.invoice({ valueBrl: '60,00', paymentLink: 'https://banco.test/1' })
  const params = { paymentId: (await row())!.id }
  await master.get(payments.assign, { params, body: { invoiceId: id } })
  const newest = await who.invoice({ valueBrl: '10,00', paymentLink: 'https://banco.test/2' })
  const stand = async () => {
    const shown = [await who.shown(id), await who.shown(newest.id)]
    return shown.map(({ state, paidValue }) => [state, paidValue])
  }
  await part(29.9)
  expect(await stand()).toEqual([
    ['paid', 6_000],
    ['paid', 1_000],
  ])
  await part(30)
  expect(await stand()).toEqual([
    ['paid', 6_000],
    ['paid', 990],
  ])
  await part(45.5)
  expect(await stand()).toEqual([
    ['paid', 5_440],
    ['refunded', 0],
  ])
  await part(99.9)
  // its own place to pay stays
  expect(await who.shown(id)).toMatchObject({
    ...{ state: 'refunded', paidValue: 0, paymentLink: 'https://banco.test/1' },
  })
  await part(30)
  const refunds = tag`select value from payment_refunds where payment_id = ${params.paymentId} order by id`
  expect((await sqlOf<{ value: number }>(refunds)).map(({ value }) => value)).toEqual([
    2_000, 990, 10, 1_550, 5_440,
  ])
  // none of it was a gift: both ask for what they did
  await scene.reverse(who)
  expect([await stand(), await scene.balance(who)]).toEqual([
    [
      ['open', 0],
      ['open', 0],
    ],
    -7_000,
  ])
})

test('what another installation collected is given back manually: no provider here is called, and a refund that was wanted there waits for a master', async () => {
  const who = await scene.payer()
  const { id, payment } = await open({}, who)
  asaas.pay(payment.id)
  await eventsDelivered()
  await master.get(invoices.cancel, { params: { invoiceId: id }, body: { reason: 'Cortesia' } })
  const [came] = await sqlOf<{ id: number }>(
    tag`update payments set provider_id = '' where provider_id = ${payment.id} returning id`,
  )
  const [wanted] = await sqlOf<{ id: number }>(tag`
    with paid as (insert into payments (company_id, source, value, paid_on, provider)
      values (${who.companyId}, 'provider', 500, current_date, 'asaas') returning id)
    insert into payment_refunds (company_id, payment_id, value, state)
      select ${who.companyId}, id, 500, 'wanted' from paid returning payment_id as id`)
  const paymentId = came!.id
  const called = asaas.calls.length
  await master.get(payments.refund, { params: { paymentId }, body: { reason: 'Pago duas vezes' } })
  const refund = (of: number) => sqlOf(tag`select state, value from payment_refunds where payment_id = ${of}`)
  expect(await refund(paymentId)).toEqual([{ state: 'done', value: 9_990 }])
  const waiting = async () => (await scene.toReview(who)).filter(one => one.id === wanted!.id)
  await until(async () => (await waiting()).length === 1, 30_000)
  const refused = { review: 'refundRefused', freeValue: 500, refundProblem: 'refundElsewhere' }
  expect(await waiting()).toMatchObject([refused])
  expect(payment.status).not.toBe('REFUNDED')
  expect(asaas.calls.slice(called).filter(({ path }) => path.includes('refund'))).toEqual([])
})

test('a refund that the provider reports as denied is queried at once, and waits for a master', async () => {
  const { payment, reported, row, waiting } = await orphan()
  await reported('RECEIVED')
  asaas.pay(payment.id)
  await eventsDelivered()
  asaas.delayRefund(payment.id)
  const paymentId = (await row())!.id
  await master.get(payments.refund, { params: { paymentId }, body: { reason: 'Sem dono' } })
  await until(async () => (await waiting())[0]?.askedRefund)
  asaas.endRefund(payment.id, 'CANCELLED')
  await app.database.script(`update payment_refunds set due_at = now() where payment_id = ${paymentId}`)
  await reported('REFUND_DENIED', { status: 'RECEIVED' })
  expect(await waiting()).toMatchObject([
    { review: 'refundRefused', refundProblem: 'refundCancelled', askedRefund: null, freeValue: 9_990 },
  ])
})

test('unknown money is given to a company without a subscription while rows of the company are written elsewhere', async () => {
  const { who, reported, row } = await orphan()
  await reported('RECEIVED')
  await app.database.script(`delete from subscriptions where company_id = ${who.companyId}`)
  const params = { paymentId: (await row())!.id }
  await app.platform.scopes.platform().transaction(async sql => {
    // what a foreign key locks
    await rowsFrom(sql, tag`select id from companies where id = ${who.companyId} for key share`)
    await master.get(payments.credit, { params, body: { companyId: who.companyId } })
  })
  expect([(await row())!.companyId, await scene.balance(who)]).toEqual([who.companyId, 0])
})

test('an unknown payment that was given back is no credit, before and after a master names its company', async () => {
  const { who, reported, row, waiting } = await orphan()
  await reported('REFUNDED')
  await reported('RECEIVED')
  expect(await waiting()).toEqual([])
  const of = { params: { paymentId: (await row())!.id } }
  const owed = await who.invoice()
  // what is refused leaves the payment without a company
  for (const spent of [
    await master.call(payments.credit, { ...of, body: { companyId: who.companyId } }),
    await master.call(payments.assign, { ...of, body: { invoiceId: owed.id } }),
  ])
    expect([spent.body.error, (await row())!.companyId]).toEqual(['ERR_PAYMENT_SPENT', null])
  const second = await orphan()
  await second.reported('RECEIVED')
  const params = { paymentId: (await second.row())!.id }
  const paid = await who.invoice()
  await master.get(invoices.cancel, { params: { invoiceId: paid.id }, body: { reason: 'Cortesia' } })
  const refused = await master.call(payments.assign, { params, body: { invoiceId: paid.id } })
  expect([refused.body.error, (await second.row())!.companyId]).toEqual(['ERR_INVOICE_NOT_PENDING', null])
  await master.get(payments.credit, { params, body: { companyId: second.who.companyId } })
  expect(await scene.balance(second.who)).toBe(0)
  await second.reported('REFUNDED')
  expect(await scene.balance(second.who)).toBe(0)
  await scene.reverse(second.who)
  expect(await scene.balance(second.who)).toBe(-9_990)
})
