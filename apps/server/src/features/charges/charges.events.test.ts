import { publishedEvents } from '@balcao/asaas-server/events.ts'
import { collectors } from '@balcao/contract/collectors.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { payments } from '@balcao/contract/payments.ts'
import { publishedTopics } from '@balcao/mercadopago-server/webhooks.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChargeScene, openCharges } from '../../../testing/charges.ts'
import { playCollector } from '../../../testing/collectors.ts'
import { ASAAS_EVENTS } from '../../payments/asaas.catalogue.ts'
import type { EventMeaning } from '../../payments/catalogue.ts'
import { MERCADOPAGO_STATUSES, MERCADOPAGO_TOPICS } from '../../payments/mercadopago.catalogue.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { askForCharges } from './charges.listing.actions.ts'

const [asaas, mercadopago] = [await playCollector.asaas(), await playCollector.mercadopago()]
let scene: ChargeScene
beforeAll(async () => {
  scene = await openCharges(asaas, mercadopago)
})
afterAll(async () => {
  await scene.app.close()
  await asaas.close()
  await mercadopago.close()
})

const opened = async (there: typeof asaas | typeof mercadopago) => {
  await scene.master.get(collectors.choose, { body: { name: there.name } })
  const { who, id, link } = await scene.open()
  return { who, id, charge: there.charges().find(one => one.link === link)! }
}
const news = async () => (await scene.master.get(payments.news)).news
const readAll = async () => {
  for (const { id: newsId } of await news()) await scene.master.get(payments.readNews, { params: { newsId } })
}
const kindsOf = (invoiceId: number) =>
  scene.app.platform.scopes.platform().transaction(async sql => {
    const kind = tag`select kind from payment_events where invoice_id = ${invoiceId} order by created_at desc`
    return (await rowsFrom<{ kind: string }>(sql, kind)).map(one => one.kind)
  })

/** What an event did: of the invoice, and what a master reads. */
async function didBy(there: typeof asaas | typeof mercadopago, invoiceId: number, say: () => void) {
  // that a charge was made is an event, too
  await there.eventsDelivered()
  await readAll()
  const before = (await kindsOf(invoiceId)).length
  say()
  await there.eventsDelivered()
  const kinds = await kindsOf(invoiceId)
  return {
    outcome: there.outcomes().at(-1),
    settled: kinds.slice(0, kinds.length - before),
    shown: (await news()).map(({ kind, event }) => [kind, event]),
  }
}

const expected = (event: string, meaning: EventMeaning) => ({
  outcome: 200,
  settled: meaning.does === 'settles' ? [meaning.kind] : [],
  shown: meaning.does === 'shows' ? [[meaning.kind, event]] : [],
})

test('every event that Asaas publishes does what its table says; one that nobody knows is read by a master', async () => {
  expect(publishedEvents.toSorted()).toEqual(Object.keys(ASAAS_EVENTS).toSorted())
  const { id, charge } = await opened(asaas)
  const payment = asaas.server.payments.find(one => one.id === charge.id)!
  for (const [event, meaning] of Object.entries(ASAAS_EVENTS)) {
    // another sum than was asked for
    payment.value = event === 'PAYMENT_UPDATED' ? 120 : 99.9
    const did = await didBy(asaas, id, () => asaas.server.say(event, charge.id))
    expect({ event, ...did }).toEqual({ event, ...expected(event, meaning) })
  }
  const same = await didBy(asaas, id, () => asaas.server.say('PAYMENT_UPDATED', charge.id))
  expect(same).toEqual({ outcome: 200, settled: [], shown: [] })
  const strange = await didBy(asaas, id, () => asaas.server.say('PAYMENT_TELEPORTED', charge.id))
  expect(strange).toEqual({ outcome: 200, settled: [], shown: [['unknown', 'PAYMENT_TELEPORTED']] })
  asaas.again()
  await asaas.eventsDelivered()
  expect(await news()).toMatchObject([
    { times: 1, subject: charge.id, companyName: expect.stringMatching(/^Pagador/) },
  ])
})

test('every topic and status that Mercado Pago publishes does what its table says; what nobody knows is read by a master', async () => {
  expect(publishedTopics.toSorted()).toEqual(Object.keys(MERCADOPAGO_TOPICS).toSorted())
  const { id, charge } = await opened(mercadopago)
  const there = mercadopago.server
  for (const [topic, meaning] of [
    ...Object.entries(MERCADOPAGO_TOPICS).filter(([, { does }]) => does !== 'asks'),
    ['topic_of_tomorrow', { does: 'shows', kind: 'unknown', why: '' }] as [string, EventMeaning],
  ]) {
    const did = await didBy(mercadopago, id, () => there.say(topic, charge.id))
    expect({ topic, ...did }).toEqual({ topic, ...expected(topic, meaning) })
  }
  const DISPUTED: Record<string, string> = {
    in_mediation: 'dispute',
    charged_back: 'dispute',
    rejected: 'refused',
  }
  for (const [name] of Object.entries(MERCADOPAGO_STATUSES)) {
    const [status = '', detail = 'accredited'] = name.split('/')
    const did = await didBy(mercadopago, id, () => there.become(charge.id, status, detail))
    const shown = DISPUTED[status] ? [[DISPUTED[status], 'payment']] : []
    expect({ name, ...did }).toEqual({ name, outcome: 200, settled: [status], shown })
  }
  const strange = await didBy(mercadopago, id, () => there.become(charge.id, 'teleported', 'x'.repeat(2_000)))
  expect(strange).toEqual({ outcome: 200, settled: [], shown: [['unknown', 'payment']] })
})

test('a lost dispute over money whose charge is not known here, and that a master gave to a company, is owed again at once', async () => {
  const { who, id, charge } = await opened(mercadopago)
  await scene.app.database.script(`delete from charges where invoice_id = ${id}`)
  mercadopago.pay(charge.id)
  await mercadopago.eventsDelivered()
  const waiting = (await scene.master.get(payments.toReview)).payments.filter(one => one.review === 'unknown')
  const params = { paymentId: waiting.at(-1)!.id }
  await scene.master.get(payments.assign, { params, body: { invoiceId: id } })
  expect((await who.shown(id)).state).toBe('paid')
  mercadopago.server.chargeBack(charge.id, 'settled')
  await mercadopago.eventsDelivered()
  expect([(await who.shown(id)).state, await scene.toReview(who)]).toEqual(['open', []])
})

test('no text in an event of a provider is a failure here, and what a master reads of it is bounded', async () => {
  await readAll()
  const { charge } = await opened(asaas)
  const payment = asaas.server.payments.find(one => one.id === charge.id)!
  const texts = [
    '\0',
    '\ud800',
    'x'.repeat(9_000),
    '2026-99-99',
    'https://a.test/\0',
    "'; drop",
    '\u202eabc',
    '__proto__',
    '',
  ]
  const seen = new Set<number>()
  for (const text of texts)
    for (const field of [
      'id',
      'event',
      'payment.id',
      'payment.status',
      'payment.externalReference',
      'payment.paymentDate',
      'payment.transactionReceiptUrl',
    ])
      for (const event of ['PAYMENT_RECEIVED', 'PAYMENT_CHARGEBACK_REQUESTED', 'PAYMENT_UNHEARD']) {
        const said = {
          id: `evt_${seen.size}_${text.length}`,
          event,
          payment: { ...payment } as Record<string, unknown>,
        }
        const [name, inner] = field.split('.') as [string, string | undefined]
        if (inner) said.payment[inner] = text
        else Object.assign(said, { [name]: text })
        const body = JSON.stringify(said)
        seen.add(
          await asaas.call(`${scene.app.url}/payments/asaas`, { secret: asaas.account.webhookSecret, body }),
        )
      }
  expect([...seen].toSorted()).toEqual([200, 400])
  for (const { event, subject, detail } of await news()) {
    expect(Math.max(event.length - 100, subject.length - 255, detail.length - 500)).toBeLessThanOrEqual(0)
    expect(`${event}${subject}${detail}`).toMatch(/^[^\p{Cc}\p{Cf}]*$/u)
  }
})

describe('a payment in cash that the panel takes back', () => {
  const paidInCash = async () => {
    const made = await opened(asaas)
    asaas.server.receiveInCash(made.charge.id)
    await asaas.eventsDelivered()
    expect((await made.who.shown(made.id)).status).toBe('RECEIVED')
    return made
  }

  test('is owed again at the same page, and can be paid', async () => {
    const { who, id, charge } = await paidInCash()
    asaas.server.undoCash(charge.id)
    await asaas.eventsDelivered()
    expect(await who.shown(id)).toMatchObject({
      status: 'PENDING',
      paidValue: 0,
      payDate: null,
      paymentLink: charge.link,
    })
    expect(await scene.balance(who)).toBe(-9_990)
    asaas.pay(charge.id)
    await asaas.eventsDelivered()
    expect((await who.shown(id)).status).toBe('RECEIVED')
    expect([await scene.balance(who), await scene.toReview(who)]).toEqual([0, []])
  })

  test('is owed again when its event comes first, or never', async () => {
    const first = await opened(asaas)
    asaas.reversed(() => {
      asaas.server.receiveInCash(first.charge.id)
      asaas.server.undoCash(first.charge.id)
    })
    await asaas.eventsDelivered()
    expect(await first.who.shown(first.id)).toMatchObject({
      status: 'PENDING',
      paymentLink: first.charge.link,
    })
    const second = await paidInCash()
    asaas.silently(() => asaas.server.undoCash(second.charge.id))
    await askForCharges(scene.app.platform, new Date())
    expect((await second.who.shown(second.id)).status).toBe('PENDING')
    expect(await scene.balance(second.who)).toBe(-9_990)
  })

  test('makes no charge of an invoice that was cancelled meanwhile', async () => {
    const { who, id, charge } = await paidInCash()
    await scene.master.get(invoices.cancel, { params: { invoiceId: id }, body: { reason: 'Cortesia' } })
    asaas.server.undoCash(charge.id)
    await asaas.eventsDelivered()
    await scene.reaches(who, id, () => asaas.charges().find(one => one.id === charge.id)!.state === 'gone')
    expect([(await who.shown(id)).state, await scene.balance(who)]).toEqual(['cancelled', 0])
  })
})
