import { billingNotices } from '@balcao/contract/billingNotices.ts'
import { clients } from '@balcao/contract/clients.ts'
import { CollectorName, collectors } from '@balcao/contract/collectors.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { payments } from '@balcao/contract/payments.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChargedCompany, type ChargeScene, openCharges } from '../../../testing/charges.ts'
import { type PlayedCollector, playCollector } from '../../../testing/collectors.ts'
import { until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { askForRefunds } from '../payments/payments.worker.ts'
import { askForCharges } from './charges.listing.actions.ts'
import { runCharges } from './charges.worker.ts'

// What every payment provider has to do. All are set up; each collects during its own tests.

const played: PlayedCollector[] = []
let scene: ChargeScene
beforeAll(async () => {
  for (const name of CollectorName.options) played.push(await playCollector[name]())
  scene = await openCharges(...played)
})
afterAll(async () => {
  await scene.app.close()
  for (const one of played) await one.close()
})

describe.each(CollectorName.options)('%s', name => {
  let there: PlayedCollector
  beforeAll(async () => {
    there = played.find(one => one.name === name)!
    await scene.master.get(collectors.choose, { body: { name } })
  })

  const ofLink = (link: string) => there.charges().find(one => one.link === link)!
  const known = (id: string) => there.charges().find(one => one.id === id)!
  const charged = async (who: ChargedCompany, id: number) =>
    ofLink((await scene.charged(who, id)).paymentLink)
  const open = async (...given: Parameters<ChargeScene['open']>) => {
    const { who, id, link } = await scene.open(...given)
    return { who, id, charge: ofLink(link) }
  }
  const statusOf = async (who: ChargedCompany, id: number) => (await who.shown(id)).status
  /** What failed is due again now: a pause is shorter than a lease. */
  const retried = (id: number) =>
    until(async () => {
      const due = tag`update charges set due_at = now() where invoice_id = ${id}
        and due_at > now() and due_at < now() + interval '90 seconds' returning reference`
      const rows = await scene.app.platform.scopes.platform().transaction(sql => rowsFrom(sql, due))
      return rows.length > 0
    })
  const ask = () => askForCharges(scene.app.platform, new Date())
  /** What the ledger has as given back of a charge. */
  const refundsOf = ({ id }: { id: string }) =>
    scene.app.platform.scopes.platform().transaction(async sql => {
      const rows = await rowsFrom<{ state: string; value: number }>(
        sql,
        tag`select r.state, r.value from payment_refunds r join payments p on p.id = r.payment_id
          where p.provider = ${name} and p.provider_id = ${id} order by r.id`,
      )
      return rows.map(({ state, value }) => [state, value])
    })
  const noticesOf = async ({ companyId }: ChargedCompany) => {
    const { notices } = await scene.master.get(billingNotices.listNotices, { params: { companyId } })
    return notices.map(({ kind }) => kind).toSorted()
  }
  const notify = ({ companyId, email }: ChargedCompany) =>
    scene.master.get(billingNotices.addContact, { body: { contactName: 'Rute', email, companyId } })

  test('an invoice that names no place to pay is charged once, and paid when the provider reports it (INVOICE-003, OP-126) [GEN-023, GEN-025]', async () => {
    const { who, id, charge } = await open()
    expect(charge).toMatchObject({
      ...{ cents: 9_990, state: 'open', document: '11222333000181', email: who.email },
    })
    await notify(who)
    there.pay(charge.id)
    await there.eventsDelivered()
    expect(await who.shown(id)).toMatchObject({
      status: 'RECEIVED',
      payDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      pixCode: '',
    })
    // received once more: nothing changes, and the confirmation is not sent twice
    there.again()
    await there.eventsDelivered()
    expect(await noticesOf(who)).toEqual(['invoiceConfirmedPayment', 'invoiceCreated'])
    expect(there.outcomes().every(outcome => outcome === 200)).toBe(true)
    // one with its own payment address is not charged
    const { id: own } = await who.invoice({ paymentLink: 'https://banco.test/1' })
    await runCharges({ ...scene.app.platform, stopping: () => false })
    expect(ofLink((await who.shown(own)).paymentLink)).toBeUndefined()
  })

  test('several workers, and an answer that was lost, make one charge', async () => {
    const who = await scene.payer()
    there.loseAnswer(there.making)
    const { id } = await who.invoice()
    await retried(id)
    const tools = { ...scene.app.platform, stopping: () => false }
    await Promise.all([runCharges(tools), runCharges(tools), runCharges(tools)])
    const { reference } = await charged(who, id)
    expect(there.charges().filter(one => one.reference === reference)).toHaveLength(1)
  })

  test('after a lost answer a part is paid manually: what was made is cancelled, and another charge is for the rest', async () => {
    const who = await scene.payer()
    there.loseAnswer(there.making)
    const { id } = await who.invoice()
    const made = await until(async () => there.charges().find(({ email }) => email === who.email))
    const body = { payDate: '2030-01-05', valueBrl: '40,00' }
    await scene.master.get(invoices.pay, { params: { invoiceId: id }, body })
    await retried(id)
    await until(async () => known(made.id).state === 'gone')
    expect(await charged(who, id)).toMatchObject({ cents: 5_990, state: 'open' })
    expect((await who.shown(id)).paymentProblem).toBe('')
  })

  test('after a lost answer the whole is paid manually: what was made is cancelled', async () => {
    const who = await scene.payer()
    there.loseAnswer(there.making)
    const { id } = await who.invoice()
    const made = await until(async () => there.charges().find(({ email }) => email === who.email))
    await scene.master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate: '2030-01-05' } })
    await retried(id)
    await until(async () => known(made.id).state === 'gone')
    await there.eventsDelivered()
    expect(await statusOf(who, id)).toBe('RECEIVED')
  })

  test('events in another order move an invoice forwards only', async () => {
    const { who, id, charge } = await open({ billingType: there.laterType })
    there.reversed(() => {
      there.payLater(charge.id)
      there.settle(charge.id)
    })
    await there.eventsDelivered()
    expect(await statusOf(who, id)).toBe('RECEIVED')
  })

  test('what was paid back is owed again in some days, is charged anew, and is announced; a late event of its payment changes nothing', async () => {
    const { who, id, charge } = await open()
    await notify(who)
    there.pay(charge.id)
    await there.eventsDelivered()
    there.refund(charge.id)
    await there.eventsDelivered()
    // until a master says that it was no gift nothing is charged again
    expect(await scene.toReview(who)).toMatchObject([{ review: 'returned', returnedValue: 9_990 }])
    expect([await scene.balance(who), (await who.shown(id)).state]).toEqual([0, 'refunded'])
    await scene.reverse(who)
    expect(await who.shown(id)).toMatchObject({
      status: 'PENDING',
      state: 'open',
      payDate: null,
      paidValue: 0,
    })
    there.again()
    await there.eventsDelivered()
    const anew = await charged(who, id)
    expect([anew.id === charge.id, anew.state]).toEqual([false, 'open'])
    expect(await noticesOf(who)).toEqual(['invoiceConfirmedPayment', 'invoiceCreated', 'paymentReturned'])
    there.pay(anew.id)
    await there.eventsDelivered()
    expect(await who.shown(id)).toMatchObject({ status: 'RECEIVED', state: 'paid' })
    // what was paid anew is credit
    const cancelled = { params: { invoiceId: id }, body: { reason: 'Cortesia' } }
    expect((await scene.master.get(invoices.cancel, cancelled)).state).toBe('cancelled')
    expect(await scene.balance(who)).toBe(9_990)
  })

  test('a part that was paid back is owed again, is charged anew and is announced; each further part adds its own cents', async () => {
    const { who, id, charge } = await open()
    await notify(who)
    there.pay(charge.id)
    there.refundPart(charge.id, 2_000)
    await there.eventsDelivered()
    await scene.reverse(who)
    expect(await who.shown(id)).toMatchObject({ status: 'PENDING', state: 'partlyPaid', paidValue: 7_990 })
    expect((await charged(who, id)).cents).toBe(2_000)
    there.again()
    await there.eventsDelivered()
    await ask()
    expect(await refundsOf(charge)).toEqual([['done', 2_000]])
    expect(await noticesOf(who)).toEqual(['invoiceConfirmedPayment', 'invoiceCreated', 'paymentReturned'])

    there.refundPart(charge.id, 990)
    await there.eventsDelivered()
    await scene.reverse(who)
    const rest = await until(async () => {
      const current = await charged(who, id)
      return current.cents === 2_990 && current
    })
    there.pay(rest.id)
    await there.eventsDelivered()
    expect(await who.shown(id)).toMatchObject({ status: 'RECEIVED', state: 'paid' })

    there.refund(charge.id)
    await there.eventsDelivered()
    await ask()
    await scene.reverse(who)
    expect(await refundsOf(charge)).toEqual([
      ['done', 2_000],
      ['done', 990],
      ['done', 7_000],
    ])
    expect(await who.shown(id)).toMatchObject({ state: 'partlyPaid', paidValue: 2_990 })
    expect([(await charged(who, id)).cents, await scene.balance(who)]).toEqual([7_000, -7_000])
  })

  test('events of parts that were paid back come in any order, and a lost one is found by the query; what is not carried out yet is none', async () => {
    const { who, id, charge } = await open({ billingType: there.laterType })
    there.reversed(() => {
      there.payLater(charge.id)
      there.refundPart(charge.id, 2_000)
      there.refundPart(charge.id, 1_000)
    })
    await there.eventsDelivered()
    const reaches = async () => [(await who.shown(id)).paidValue, await scene.balance(who)]
    expect(await reaches()).toEqual([6_990, 0])
    there.silently(() => there.beginRefund(charge.id, 500))
    await ask()
    expect(await reaches()).toEqual([6_990, 0])
    there.silently(() => there.endRefund(charge.id, true))
    await ask()
    await ask()
    expect(await reaches()).toEqual([6_490, 0])
    there.silently(() => there.settle(charge.id))
    there.silently(() => there.beginRefund(charge.id, 500))
    there.silently(() => there.endRefund(charge.id, false))
    await ask()
    expect(await reaches()).toEqual([6_490, 0])
    expect((await refundsOf(charge)).reduce((sum, [, value]) => sum + Number(value), 0)).toBe(3_500)
  })

  test('of money that waits for a master a part is given back in the panel, and the rest by the product: each once, and the invoice stays paid', async () => {
    const { who, id, charge } = await open()
    there.silently(() => there.pay(charge.id))
    await scene.master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate: '2030-01-05' } })
    await ask()
    there.refundPart(charge.id, 2_000)
    await there.eventsDelivered()
    const [waiting] = await scene.toReview(who)
    expect(waiting).toMatchObject({ review: 'twice', freeValue: 7_990, refundedValue: 2_000 })
    // its first answer is lost
    there.loseAnswer(there.refunding(charge.id))
    const params = { paymentId: waiting!.id }
    await scene.master.get(payments.refund, { params, body: { reason: 'Pago duas vezes' } })
    await until(async () => known(charge.id).state === 'refunded')
    await there.eventsDelivered()
    await ask()
    await until(async () => {
      await scene.app.database.script(`update payment_refunds set due_at = now() where state = 'wanted'`)
      return (await refundsOf(charge)).every(([state]) => state === 'done')
    })
    expect([await refundsOf(charge), known(charge.id).returned]).toEqual([
      [
        ['done', 2_000],
        ['done', 7_990],
      ],
      9_990,
    ])
    expect([await who.shown(id), await scene.toReview(who), await scene.balance(who)]).toMatchObject([
      { status: 'RECEIVED', payDate: '2030-01-05' },
      [],
      0,
    ])
  })

  test('a part that is given back in the panel while the product wants all of it back leaves the rest to be given back', async () => {
    const { who, id, charge } = await open()
    there.silently(() => there.pay(charge.id))
    await scene.master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate: '2030-01-05' } })
    await ask()
    const [waiting] = await scene.toReview(who)
    there.failNext(500, there.refunding(charge.id))
    const params = { paymentId: waiting!.id }
    await scene.master.get(payments.refund, { params, body: { reason: 'Pago duas vezes' } })
    await until(async () => there.calls.at(-1)!.status === 500)
    there.refundPart(charge.id, 2_000)
    await there.eventsDelivered()
    expect(await refundsOf(charge)).toEqual([
      ['wanted', 7_990],
      ['done', 2_000],
    ])
    await scene.app.database.script(
      `update payment_refunds set due_at = now() where payment_id = ${waiting!.id}`,
    )
    await until(async () => known(charge.id).state === 'refunded')
    await there.eventsDelivered()
    await until(async () => (await refundsOf(charge)).every(([state]) => state === 'done'))
    expect([known(charge.id).returned, await scene.balance(who)]).toEqual([9_990, 0])
  })

  test('states whose events never came are queried by page: a payment, its settlement, its refund', async () => {
    const { who, id, charge } = await open({ billingType: there.laterType })
    for (const [act, status] of [
      [there.payLater, 'CONFIRMED'],
      [there.settle, 'RECEIVED'],
      // nothing is owed until a master answers
      [there.refund, 'RECEIVED'],
    ] as const) {
      there.silently(() => act(charge.id))
      await ask()
      const first = await statusOf(who, id)
      await ask()
      expect([first, await statusOf(who, id)]).toEqual([status, status])
    }
  })

  test('a payment that arrives after the invoice was paid manually waits for a master; refunded at the provider, the invoice stays paid', async () => {
    const { who, id, charge } = await open()
    there.silently(() => there.pay(charge.id))
    await scene.master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate: '2030-01-05' } })
    await ask()
    const [waiting] = await scene.toReview(who)
    expect(waiting).toMatchObject({
      review: 'twice',
      freeValue: 9_990,
      provider: name,
      providerId: charge.id,
    })
    const params = { paymentId: waiting!.id }
    await scene.master.get(payments.refund, { params, body: { reason: 'Pago duas vezes' } })
    await until(async () => known(charge.id).state === 'refunded')
    await there.eventsDelivered()
    expect(await who.shown(id)).toMatchObject({ status: 'RECEIVED', payDate: '2030-01-05' })
    expect([await scene.toReview(who), await scene.balance(who)]).toEqual([[], 0])
  })

  test('a refund that the provider refuses waits for a master again, with the reason', async () => {
    const { who, id, charge } = await open()
    there.silently(() => there.pay(charge.id))
    await scene.master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate: '2030-01-05' } })
    await ask()
    const [waiting] = await scene.toReview(who)
    there.failNext(400, there.refunding(charge.id))
    const params = { paymentId: waiting!.id }
    await scene.master.get(payments.refund, { params, body: { reason: 'Pago duas vezes' } })
    const again = await until(async () => (await scene.toReview(who))[0] ?? false)
    const problem = { refundProblem: expect.stringMatching(/Asaas|Mercado Pago/) }
    expect(again).toMatchObject({ review: 'refundRefused', freeValue: 9_990, ...problem })
    // a part that is given back in the panel does not hide it
    there.refundPart(charge.id, 2_000)
    await there.eventsDelivered()
    expect(await scene.toReview(who)).toMatchObject([{ freeValue: 7_990, ...problem }])
  })

  test('a part of a paid invoice is given back as a gift, another so that it is owed again: each is asked for once', async () => {
    const { who, id, charge } = await open()
    there.pay(charge.id)
    await there.eventsDelivered()
    await scene.reaches(who, id, ({ state }) => state === 'paid')
    const giveBack = (valueBrl: string, isGift: boolean) =>
      scene.master.call(payments.refundInvoice, {
        params: { invoiceId: id },
        body: { reason: 'Cortesia', valueBrl, isGift },
      })
    expect((await giveBack('99,91', true)).body.error).toBe('ERR_PAYMENT_SPENT')
    await giveBack('30,00', true)
    await until(() => known(charge.id).returned === 3_000)
    await there.eventsDelivered()
    expect(await who.shown(id)).toMatchObject({ state: 'paid', value: 6_990, creditedValue: 3_000 })
    there.loseAnswer(there.refunding(charge.id))
    await giveBack('10,00', false)
    await until(() => known(charge.id).returned === 4_000)
    await scene.app.database.script(`update payment_refunds set due_at = now() where state = 'wanted'`)
    await until(async () => (await refundsOf(charge)).every(([state]) => state === 'done'))
    await there.eventsDelivered()
    expect([known(charge.id).returned, await refundsOf(charge)]).toEqual([
      4_000,
      [
        ['done', 3_000],
        ['done', 1_000],
      ],
    ])
    expect(await who.shown(id)).toMatchObject({ state: 'partlyPaid', value: 6_990, paidValue: 5_990 })
    expect(await scene.balance(who)).toBe(-1_000)
  })

  test('a refund that the provider accepts is asked for once, is done when it is carried out, and waits for a master where it is cancelled', async () => {
    const { who, id, charge } = await open()
    there.silently(() => there.pay(charge.id))
    await scene.master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate: '2030-01-05' } })
    await ask()
    const paymentId = (await scene.toReview(who))[0]!.id
    const giveBack = async () => {
      there.delayRefund(charge.id)
      const body = { reason: 'Pago duas vezes' }
      await scene.master.get(payments.refund, { params: { paymentId }, body })
      await until(async () => (await refundsOf(charge)).at(-1)![0] === 'asked')
    }
    const askAgain = async () => {
      await scene.app.database.script(
        `update payment_refunds set due_at = now() where payment_id = ${paymentId}`,
      )
      await askForRefunds(scene.app.platform)
    }
    await giveBack()
    await askAgain()
    expect(await refundsOf(charge)).toEqual([['asked', 9_990]])
    // until it is carried out the money is still here, and is shown as being given back
    expect([await scene.balance(who), await scene.toReview(who)]).toMatchObject([
      9_990,
      [{ review: null, freeValue: 0, askedRefund: { value: 9_990 } }],
    ])
    const asking = there.calls.filter(one => `${one.method} ${one.path}` === there.refunding(charge.id))
    expect(asking).toHaveLength(1)
    there.endRefund(charge.id, false)
    await there.eventsDelivered()
    await askAgain()
    expect(await scene.toReview(who)).toMatchObject([
      {
        ...{ review: 'refundRefused', freeValue: 9_990, askedRefund: null },
        refundProblem: 'refundCancelled',
      },
    ])
    // of a part that was given back meanwhile nothing is known here
    there.silently(() => there.refundPart(charge.id, 2_000))
    await giveBack()
    expect(await scene.toReview(who)).toMatchObject([{ refundProblem: '', askedRefund: { value: 9_990 } }])
    there.endRefund(charge.id, true)
    await there.eventsDelivered()
    expect([await refundsOf(charge), known(charge.id).returned]).toEqual([
      [
        ['failed', 9_990],
        ['done', 9_990],
      ],
      9_990,
    ])
    expect([await scene.toReview(who), await scene.balance(who)]).toEqual([[], 0])
    const dated = tag`select done_at > created_at as "isLater" from payment_refunds
      where payment_id = ${paymentId} order by id`
    const rows = await scene.app.platform.scopes.platform().transaction(sql => rowsFrom(sql, dated))
    expect(rows).toEqual([{ isLater: null }, { isLater: true }])
  })

  test('of a provider that does not answer no further refund is queried in a run', async () => {
    const ids = ['990001', '990002']
    const { companyId } = await scene.payer()
    await scene.app.database.script(`
      with paid as (insert into payments (company_id, source, value, paid_on, provider, provider_id)
        select ${companyId}, 'provider', 500, current_date, '${name}', id from unnest(array['${ids.join(`','`)}']) id
        returning id, provider_id)
      insert into payment_refunds (company_id, payment_id, value, state, due_at)
        select ${companyId}, id, 500, 'asked', now() - interval '1 day' from paid`)
    const queried = ids.map(id => there.refunding(id).replace(/^POST (.*)\/refunds?$/, 'GET $1'))
    for (const query of queried) there.failNext(500, query)
    await askForRefunds(scene.app.platform)
    const calls = there.calls.filter(({ method, path }) => queried.includes(`${method} ${path}`))
    expect(calls).toMatchObject([{ status: 500 }])
    await scene.app.database.script(`delete from payment_refunds where company_id = ${companyId}`)
  })

  test('what was paid manually cannot be paid again', async () => {
    const { who, id, charge } = await open()
    await scene.master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate: '2030-01-05' } })
    await until(async () => known(charge.id).state === 'gone')
    await there.eventsDelivered()
    expect(await statusOf(who, id)).toBe('RECEIVED')
    await scene.reaches(who, id, ({ paymentLink }) => paymentLink === '')
  })

  test('an invalid document is shown at the invoice in the provider’s text; corrected, the invoice is charged', async () => {
    const who = await scene.payer('')
    const { id } = await who.invoice()
    const { paymentProblem } = await scene.reaches(who, id, one => one.paymentProblem !== '')
    expect(paymentProblem).toMatch(there.wrongDocument)
    const { companyId } = who
    await scene.master.get(clients.change, {
      ...{ params: { companyId }, body: { documentNumber: '529.982.247-25' } },
    })
    const again = { params: { invoiceId: id } }
    expect((await (await scene.app.as('admin@outra.test')).call(invoices.ask, again)).status).toBe(404)
    expect((await scene.master.get(invoices.ask, again)).paymentProblem).toBe('')
    expect((await charged(who, id)).document).toBe('52998224725')
    expect((await who.shown(id)).paymentProblem).toBe('')
    await scene.master.get(invoices.pay, { ...again, body: { payDate: '2030-01-05' } })
    expect((await scene.master.call(invoices.ask, again)).body.error).toBe('ERR_INVOICE_NOT_PENDING')
  })

  test('a provider that is out of order is tried again', async () => {
    const who = await scene.payer()
    there.failNext(500, there.searching)
    const { id } = await who.invoice()
    await retried(id)
    expect((await who.shown(id)).paymentProblem).toBe('')
    await charged(who, id)
  })

  test('a forged event, one that cannot be read and one of no charge of ours change nothing', async () => {
    const { who, id, charge } = await open()
    const { webhookSecret: secret } = there.account
    const called = (how: Parameters<PlayedCollector['call']>[1]) =>
      there.call(`${scene.app.url}/payments/${name}`, how)
    there.silently(() => there.pay(charge.id))
    for (const wrong of [null, '', `${secret}x`]) expect(await called({ secret: wrong })).toBe(401)
    expect(await called({ secret, body: '{"id": 1}' })).toBe(400)
    expect(await called({ secret, body: 'nada' })).toBe(400)
    expect(await called({ secret, of: '999' })).toBe(200)
    expect(await statusOf(who, id)).toBe('PENDING')
    expect(await called({ secret })).toBe(200)
    expect(await statusOf(who, id)).toBe('RECEIVED')
  })
})
