import type { NoticeKind } from '@balcao/contract/billingNotices.rules.ts'
import { type BillingNotice, billingNotices } from '@balcao/contract/billingNotices.ts'
import { clients } from '@balcao/contract/clients.ts'
import { connections } from '@balcao/contract/connections.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendAllDueNotices } from '../../../testing/due-notices.ts'
import { newNumber, rowsOf, unique } from '../../../testing/rows.ts'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { remind } from './billingNotices.reminders.actions.ts'
import { sendDueNotices } from './billingNotices.worker.ts'

let office: PostOffice
let app: TestApp
let master: Person
let admin: Person
let stranger: Person
let centreId: number
beforeAll(async () => {
  office = await openPostOffice()
  app = await openTestApp({
    ...office.env,
    PIX_KEY: 'pix@balcao.test',
    PIX_NAME: 'Balcão',
    PIX_CITY: 'Recife',
  })
  master = await app.as('master@balcao.test')
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  // the operator’s own, as a rule; any company’s will do
  centreId = await rowsOf(app, admin).connection()
  await carry(true)
  await until(
    async () =>
      (await admin.get(connections.show, { params: { whatsappId: centreId } })).status === 'CONNECTED',
  )
})
const carry = (isCentre: boolean) =>
  app.database.script(`update whatsapps set saas_notification_center = ${isCentre} where id = ${centreId}`)
afterAll(async () => {
  await app.close()
  await office.close()
})

const today = () => new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10)
const aContact = (given: object = {}) => ({ contactName: 'Dona Rute', ...given })
const add = (companyId: number, given: object = {}, who = master) =>
  who.call(billingNotices.addContact, { body: { ...aContact(given), companyId } })

/** A separate company, the recipients of its notices, and how an invoice is made. */
async function payer(given: object = {}) {
  const email = `${unique()}@pagador.test`
  const body = { name: `Pagador ${unique()}`, email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  const offered = await master.get(plans.create, { body: { name: `Plano ${unique()}`, value1Month: 9_900 } })
  const { id: planId } = await master.get(plans.assign, { params: { companyId, planId: offered.id } })
  const { body: contact } = await add(companyId, { email: `rute${unique()}@pagador.test`, ...given })
  const invoice = (dueDate: string, more: object = {}) =>
    master.get(invoices.create, {
      params: { planId },
      body: {
        ...{ startInvoicePeriod: dueDate, endInvoicePeriod: daysFrom(dueDate, 30), dueDate },
        ...{ valueBrl: '99,90', billingType: 'PIX', recurrence: 1, ...more },
      },
    })
  return { companyId, planId, email, contact, invoice }
}
const noticesOf = async (companyId: number) =>
  (await master.get(billingNotices.listNotices, { params: { companyId } })).notices
/** Its hour comes. */
const come = (companyId: number) =>
  app.database.script(
    `update billing_notices set due_at = now() where company_id = ${companyId} and state = 'waiting'`,
  )
const settled = (companyId: number, count: number) =>
  until(async () => {
    await come(companyId)
    const notices = await noticesOf(companyId)
    const over = notices.filter(({ state }) => state === 'sent' || state === 'failed' || state === 'dropped')
    return over.length >= count && over
  }, 20_000)
const of = (notices: BillingNotice[], kind: NoticeKind) => notices.filter(notice => notice.kind === kind)

describe('contacts', () => {
  test('have the fields of the documents, all of them wanted until somebody says no (NSUB-001, NSUB-006, NSUB-007, NSUB-009, ENTITY-036, OP-124) [API-038 … API-040, ENTITY-036 … ENTITY-037, OP-123 … OP-124, NSUB-001 … NSUB-010]', async () => {
    const made = await add(admin.user.companyId, { whatsapp: '(11) 98888-7777' }, admin)
    expect(made.body).toEqual({
      ...{ id: expect.any(Number), companyId: admin.user.companyId, contactName: 'Dona Rute', email: '' },
      ...{ whatsapp: '5511988887777', whatsappVAlidatedNumber: '' },
      ...{ whatsappInvoiceCreated: true, whatsappInvoiceDay: true, whatsappDelayedPayment: true },
      ...{ whatsappInvoiceConfirmedPayment: true, emailInvoiceCreated: true, emailInvoiceDay: true },
      ...{ emailDelayedPayment: true, emailInvoiceConfirmedPayment: true },
      ...{ invoiceDaysBeforeExpiration: 5, invoiceDaysAfterExpiration: 5 },
    })
    const params = { id: made.body.id }
    const changes = {
      ...aContact({ contactName: 'Rute Dias' }),
      emailInvoiceDay: false,
      invoiceDaysAfterExpiration: 0,
    }
    const changed = await admin.get(billingNotices.changeContact, { params, body: changes })
    expect(changed).toMatchObject({
      contactName: 'Rute Dias',
      emailInvoiceDay: false,
      invoiceDaysAfterExpiration: 0,
    })
    expect(await admin.get(billingNotices.showContact, { params })).toEqual(changed)
    // without a company it is the own one; the master may change it (OP-16)
    const own = await admin.get(billingNotices.addContact, { body: aContact({ contactName: 'Beto' }) })
    expect(own.companyId).toBe(admin.user.companyId)
    await master.get(billingNotices.changeContact, { params, body: aContact() })
    await master.get(billingNotices.removeContact, { params })
    await admin.get(billingNotices.removeContact, { params: { id: own.id } })
    expect((await admin.call(billingNotices.showContact, { params })).status).toBe(404)
  })

  test.each([
    ['contactName', { contactName: '' }],
    ['contactName', { contactName: 'A' }],
    ['contactName', { contactName: 'A'.repeat(51) }],
    ['contactName', { contactName: 'Ana\nBcc: x@y.z' }],
    ['email', { email: 'nada' }],
    ['whatsapp', { whatsapp: 'meu número' }],
    ['whatsapp', { whatsapp: '98888-7777' }],
    ['invoiceDaysBeforeExpiration', { invoiceDaysBeforeExpiration: 11 }],
    ['invoiceDaysAfterExpiration', { invoiceDaysAfterExpiration: -1 }],
    ['invoiceDaysAfterExpiration', { invoiceDaysAfterExpiration: 1.5 }],
    ['emailInvoiceDay', { emailInvoiceDay: 'talvez' }],
  ])('a wrong %s is refused with its field: case %#', async (field, wrong) => {
    const refused = await add(admin.user.companyId, wrong, admin)
    expect([refused.status, refused.body.field]).toEqual([400, field])
  })

  test('a change to a number without WhatsApp is refused; it may be written down at first (NSUB-005)', async () => {
    const wrong = { whatsapp: '551100000000', whatsappVAlidatedNumber: 'invalido' as const }
    const { body } = await add(admin.user.companyId, wrong, admin)
    expect(body.whatsappVAlidatedNumber).toBe('invalido')
    const params = { id: body.id }
    const refused = await admin.call(billingNotices.changeContact, { params, body: aContact(wrong) })
    expect([refused.status, refused.body.field]).toEqual([400, 'whatsapp'])
    await admin.get(billingNotices.removeContact, { params })
  })

  test('of another company they are not there, and who does not pay has no way in', async () => {
    const { body: contact } = await add(admin.user.companyId, {}, admin)
    const [params, companyId] = [{ id: contact.id }, admin.user.companyId]
    expect((await stranger.call(billingNotices.showContact, { params })).status).toBe(404)
    expect((await stranger.call(billingNotices.changeContact, { params, body: aContact() })).status).toBe(404)
    expect((await stranger.call(billingNotices.removeContact, { params })).status).toBe(404)
    expect((await stranger.call(billingNotices.listContacts, { params: { companyId } })).status).toBe(404)
    expect((await stranger.call(billingNotices.listNotices, { params: { companyId } })).status).toBe(404)
    expect((await add(companyId, {}, stranger)).status).toBe(404)
    const attendant = await app.as('atendente@balcao.test')
    expect((await attendant.call(billingNotices.listContacts, { params: { companyId } })).status).toBe(403)
    expect((await admin.call(billingNotices.listTemplates)).status).toBe(403)
    expect((await admin.call(billingNotices.addTemplate, { body: { name: 'Meu' } })).status).toBe(403)
    await admin.get(billingNotices.removeContact, { params })
  })

  test('twenty are enough; of two who add the last at once one does', async () => {
    const { companyId } = await payer()
    for (let at = 2; at < 20; at++) await add(companyId)
    const both = await Promise.all([add(companyId), add(companyId)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })
})

test('a new invoice is told by letter and by WhatsApp, once each, and so is its payment (NTPL-004, OP-128) [OP-128, NTPL-001 … NTPL-005]', async () => {
  const number = newNumber()
  const { companyId, contact, invoice } = await payer({ whatsapp: number, contactName: 'Rute & Filhos' })
  const { id: invoiceId } = await invoice(daysFrom(today(), 9))
  const notified = await settled(companyId, 2)
  expect(notified.map(({ platform, kind, state }) => `${platform} ${kind} ${state}`).toSorted()).toEqual([
    'email invoiceCreated sent',
    'wpp invoiceCreated sent',
  ])
  const letter = await office.letterTo(contact.email)
  expect(letter.subject).toContain('Fatura de R$ 99,90')
  const [byMail, byPhone] = ['email', 'wpp'].map(way => notified.find(({ platform }) => platform === way)!)
  expect(letter.text).toContain(`https://balcao.test/n/email/${byMail!.id}`)
  expect(letter.text).toContain('Rute &amp; Filhos')
  expect(letter.text).toContain('Rute & Filhos')
  const received = async () =>
    (await admin.get(simulator.chat, { params: { whatsappId: centreId, number } })).filter(one => one.fromMe)
  await until(async () => (await received()).length === 1)
  expect((await received())[0]!.body).toContain(`https://balcao.test/n/wpp/${byPhone!.id}`)
  // on a ticket without unread messages or notifications
  const closed = await admin.get(tickets.list, { query: { status: 'closed', showAll: true } })
  expect(closed.tickets.some(ticket => ticket.contact.number === number)).toBe(true)

  await master.get(invoices.pay, { params: { invoiceId }, body: { payDate: today() } })
  const after = await settled(companyId, 4)
  expect(of(after, 'invoiceConfirmedPayment').map(({ state }) => state)).toEqual(['sent', 'sent'])
  // undone and reported again: a confirmation is not sent twice
  await master.get(invoices.pay, { params: { invoiceId }, body: { payDate: null } })
  await master.get(invoices.pay, { params: { invoiceId }, body: { payDate: today() } })
  expect(await noticesOf(companyId)).toHaveLength(4)
})

test('reminders come by the day, once, however often it is looked; who pays meanwhile hears no more (NSUB-008, OP-18) [OP-18, NSUB-001 … NSUB-010]', async () => {
  const { companyId, invoice } = await payer()
  const due = daysFrom(today(), 30)
  const { id: invoiceId } = await invoice(due)
  const scope = app.platform.scopes.platform().inCompany(companyId)
  const at = (days: number) => new Date(`${daysFrom(due, days)}T15:00:00Z`)
  for (let days = -8; days <= 0; days++) {
    await Promise.all([remind(scope, at(days)), remind(scope, at(days))])
    await remind(scope, at(days))
  }
  const kinds = async () => (await noticesOf(companyId)).map(({ kind }) => kind).toSorted()
  expect(await kinds()).toEqual(['invoiceBefore', 'invoiceCreated', 'invoiceDay'])
  await app.database.script(`update invoices set status = 'OVERDUE' where id = ${invoiceId}`)
  await remind(scope, at(1))
  await master.get(invoices.pay, { params: { invoiceId }, body: { payDate: due } })
  await remind(scope, at(5))
  const over = await settled(companyId, 5)
  const state = (kind: NoticeKind) => of(over, kind).map(notice => notice.state)
  expect(state('delayedPayment')).toEqual(['dropped'])
  expect(state('invoiceConfirmedPayment')).toEqual(['sent'])
  expect(await kinds()).not.toContain('delayedPaymentAgain')
})

test('who has not paid is told that the trial ends; who pays within it is not told any more', async () => {
  const { companyId, invoice } = await payer()
  const ends = daysFrom(today(), 50)
  await app.database.script(`insert into subscriptions (company_id, trial_ends_on) values (${companyId}, '${ends}')
    on conflict (company_id) do update set trial_ends_on = excluded.trial_ends_on`)
  const scope = app.platform.scopes.platform().inCompany(companyId)
  const at = (days: number) => new Date(`${daysFrom(ends, days)}T15:00:00Z`)
  const trialNotices = async () =>
    (await noticesOf(companyId)).flatMap(({ kind, state }) =>
      kind.startsWith('trial') ? [[kind, state]] : [],
    )
  const pay = async (dueDate: string) => {
    const { id: invoiceId } = await invoice(dueDate)
    await master.get(invoices.pay, { params: { invoiceId }, body: { payDate: today() } })
  }
  // of a time before the end of the trial
  await pay(daysFrom(ends, -40))
  await remind(scope, at(-3))
  expect(await trialNotices()).toEqual([['trialSoon', 'waiting']])
  await pay(ends)
  await sendAllDueNotices(app.platform, at(-3))
  await remind(scope, at(-1))
  expect(await trialNotices()).toEqual([['trialSoon', 'dropped']])
})

test('a reminder that was held up into the night waits for the morning; that an invoice is due today is said on no other day', async () => {
  const { companyId, invoice } = await payer()
  const due = daysFrom(today(), 40)
  await invoice(due)
  const scope = app.platform.scopes.platform().inCompany(companyId)
  const at = (days: number, time: string) => new Date(`${daysFrom(due, days)}T${time}:00Z`)
  const sendAt = (now: Date) => sendAllDueNotices(app.platform, now)
  const now = async (kind: NoticeKind) => of(await noticesOf(companyId), kind)[0]
  // 19:30 in São Paulo, and 20:31
  await remind(scope, at(0, '22:30'))
  await sendAt(at(0, '23:31'))
  expect(await now('invoiceDay')).toMatchObject({
    state: 'waiting',
    dueAt: at(1, '11:00').toISOString(),
  })
  await sendAt(at(1, '11:00'))
  expect((await now('invoiceDay'))!.state).toBe('dropped')
  await remind(scope, at(1, '22:30'))
  await sendAt(at(1, '23:31'))
  expect((await now('delayedPayment'))!.state).toBe('waiting')
  await sendAt(at(2, '11:00'))
  await until(async () => (await now('delayedPayment'))!.state === 'sent')
})

test('the night in which the clocks change ends at eight as well', async () => {
  const { companyId, invoice } = await payer({ emailInvoiceCreated: false })
  await app.database.script(`update companies set time_zone = 'Pacific/Auckland' where id = ${companyId}`)
  await invoice('2031-04-06')
  await invoice('2031-09-28')
  const scope = app.platform.scopes.platform().inCompany(companyId)
  for (const evening of ['2031-04-05T09:30:00Z', '2031-09-27T09:30:00Z'])
    await remind(scope, new Date(evening))
  const due = (await noticesOf(companyId)).map(({ dueAt }) => dueAt).toSorted()
  expect(due).toEqual(['2031-04-05T20:00:00.000Z', '2031-09-27T19:00:00.000Z'])
})

test('what a contact does not want to hear is not said; what waits goes with it', async () => {
  const quiet = { emailInvoiceCreated: false, emailInvoiceConfirmedPayment: false }
  const { companyId, contact, invoice } = await payer(quiet)
  const { id: invoiceId } = await invoice(daysFrom(today(), 20))
  await master.get(invoices.pay, { params: { invoiceId }, body: { payDate: today() } })
  expect(await noticesOf(companyId)).toEqual([])
  const { body: other } = await add(companyId, { email: 'ana@pagador.test' })
  await app.database.script(`update companies set time_zone = 'Asia/Tokyo' where id = ${companyId}`)
  await invoice(daysFrom(today(), 21))
  const [waiting] = await noticesOf(companyId)
  const hour = new Date(Date.parse(waiting!.dueAt) + 9 * 3_600_000).getUTCHours()
  expect(hour).toBeGreaterThanOrEqual(8)
  expect(hour).toBeLessThan(20)
  if (waiting!.state === 'waiting') {
    await master.get(billingNotices.removeContact, { params: { id: other.id } })
    expect(await noticesOf(companyId)).toEqual([])
  }
  await master.get(billingNotices.removeContact, { params: { id: contact.id } })
})

test('a mail server that refuses is written down with its words; without a centre WhatsApp says nothing (OP-128) [OP-128]', async () => {
  const email = `ninguem${unique()}@pagador.test`
  office.refused.add(email)
  const { companyId, invoice } = await payer({ email, whatsapp: newNumber() })
  await carry(false)
  await invoice(daysFrom(today(), 9))
  const over = await settled(companyId, 2)
  await carry(true)
  expect(over.find(({ platform }) => platform === 'wpp')).toMatchObject({
    state: 'dropped',
    reason: 'ERR_NO_DEF_WAPP_FOUND',
  })
  const letter = over.find(({ platform }) => platform === 'email')!
  expect(letter.state).toBe('failed')
  expect(letter.reason).toMatch(/5\d\d/)
})

test('two workers at once, and one that died behind the message, send it once', async () => {
  const number = newNumber()
  const { companyId, invoice } = await payer({ email: '', whatsapp: number })
  await invoice(daysFrom(today(), 9))
  const tools = { ...app.platform, stopping: () => false }
  await come(companyId)
  await Promise.all([sendDueNotices(tools), sendDueNotices(tools), sendDueNotices(tools)])
  const received = async () =>
    (await admin.get(simulator.chat, { params: { whatsappId: centreId, number } })).filter(one => one.fromMe)
  await until(async () => (await received()).length > 0)
  // it left, and the process died before it was written down
  await app.database.script(
    `update billing_notices set state = 'waiting', due_at = now() where company_id = ${companyId}`,
  )
  await settled(companyId, 1)
  expect(await received()).toHaveLength(1)
})

describe('a company', () => {
  /** The recipients of the notices of a new invoice. */
  async function notifiedOf(who: Awaited<ReturnType<typeof payer>>) {
    await who.invoice(daysFrom(today(), 9))
    const rows = await app.database.transaction('', sql =>
      rowsFrom<{ recipient: string }>(
        sql,
        tag`select platform || ' ' || coalesce(contact_id::text, address) as recipient from billing_notices
          where company_id = ${who.companyId} order by recipient`,
      ),
    )
    return rows.map(({ recipient }) => recipient)
  }

  test('is notified at its own addresses for notices, each once, beside its contacts and as they wish', async () => {
    const who = await payer({ email: 'rute@cliente.test', emailInvoiceCreated: false })
    const addresses = {
      emailsOfNotifications: 'Fin@Cliente.test; rute@cliente.test, fin@cliente.test',
      whatsappsOfNotifications: '+55 (11) 98888-7777',
    }
    await master.get(clients.change, { params: { companyId: who.companyId }, body: addresses })
    expect(await notifiedOf(who)).toEqual(['email fin@cliente.test', 'wpp 5511988887777'])
  })

  test('is notified at a number without a country code in its own country, and what is no address is ignored', async () => {
    const who = await payer()
    await master.get(billingNotices.removeContact, { params: { id: who.contact.id } })
    const named = async (addresses: object) => {
      await master.get(clients.change, { params: { companyId: who.companyId }, body: addresses })
      return notifiedOf(who)
    }
    const none = { emailsOfNotifications: 'não tem', whatsappsOfNotifications: 'não tem' }
    expect(await named(none)).toEqual([`email ${who.email}`])
    const found = await named({ whatsappsOfNotifications: '31 98765-4321; +55 31 98765-4321' })
    expect(found.filter(one => one.startsWith('wpp'))).toEqual(['wpp 5531987654321'])
  })

  test('without contacts and addresses is notified by its e-mail, and so are those who pay for it', async () => {
    const who = await payer()
    await master.get(billingNotices.removeContact, { params: { id: who.contact.id } })
    const { companies: found } = await master.get(clients.list, { query: { searchParam: who.email } })
    const email = `caixa${unique()}@pagador.test`
    await master.get(clients.change, { params: { companyId: found[0]!.id }, body: { email } })
    expect(await notifiedOf(who)).toEqual([`email ${email}`, `email ${who.email}`].toSorted())
    await settled(who.companyId, 2)
    expect((await office.letterTo(email)).subject).toContain('Fatura de R$ 99,90')
  })
})

test('without an address of the system a notice that leads to it is held with its reason, and fails after a day', async () => {
  const { companyId, invoice } = await payer({ whatsapp: newNumber(), email: '' })
  // it is after 22 o'clock there: the running product sends nothing before the morning
  const ahead = (22 - new Date().getUTCHours() + 24) % 24
  const zone = ahead > 12 ? `Etc/GMT+${24 - ahead}` : `Etc/GMT-${ahead}`
  await app.database.script(`update companies set time_zone = '${zone}' where id = ${companyId}`)
  await invoice(daysFrom(today(), 9))
  const config = { ...app.platform.config, backendUrl: '' }
  const opens = Date.parse((await noticesOf(companyId))[0]!.dueAt)
  const at = async (ms: number) => {
    await sendAllDueNotices({ ...app.platform, config }, new Date(opens + ms))
    return noticesOf(companyId)
  }
  expect(await at(1_000)).toMatchObject([{ platform: 'wpp', state: 'held', reason: 'noAddress' }])
  expect(await at(25 * 3_600_000)).toMatchObject([{ state: 'failed', reason: 'noAddress' }])
})

test('what could not leave for a day is not sent as if it were of today', async () => {
  const { companyId, invoice } = await payer({ whatsapp: newNumber(), email: '' })
  await app.database.script(`update companies set time_zone = 'Asia/Tokyo' where id = ${companyId}`)
  await invoice(daysFrom(today(), 9))
  await app.database.script(`update billing_notices set state = 'waiting', due_at = created_at - interval '3 days',
    created_at = created_at - interval '3 days' where company_id = ${companyId}`)
  await sendAllDueNotices(app.platform)
  expect(await noticesOf(companyId)).toMatchObject([{ state: 'dropped', reason: 'late' }])
})

describe('templates', () => {
  test('the one that was saved last goes out; an empty part of it is the product’s own (NTPL-001 … NTPL-005, ENTITY-037) [API-038 … API-040, ENTITY-036 … ENTITY-037, NTPL-001 … NTPL-005]', async () => {
    const body = { name: 'Cobrança', emailTitle: 'Oi, {{contactName}}', emailHtml: '<h1>{{valueBrl}}</h1>' }
    const older = await master.get(billingNotices.addTemplate, { body: { ...body, name: 'Antigo' } })
    const made = await master.get(billingNotices.addTemplate, { body })
    expect(made).toEqual({
      ...{ id: expect.any(Number), ...body, type: 'payments', thumbnailWpHtml: '', textWp: '' },
      ...{ isUsed: true, updatedAt: expect.any(String) },
    })
    const listed = await master.get(billingNotices.listTemplates)
    expect(listed.map(({ name, isUsed }) => [name, isUsed])).toEqual([
      ['Antigo', false],
      ['Cobrança', true],
    ])
    const { companyId, contact, invoice } = await payer()
    await invoice(daysFrom(today(), 9))
    await settled(companyId, 1)
    const letter = await office.letterTo(contact.email)
    expect(letter.subject).toBe('Oi, Dona Rute')
    expect(letter.text).toContain('<h1>R$ 99,90</h1>')
    const sample = `amostra${unique()}@balcao.test`
    await master.get(billingNotices.tryTemplate, { params: { id: made.id }, body: { email: sample } })
    expect((await office.letterTo(sample)).subject).toBe('Oi, Maria Souza')
    const number = newNumber()
    await master.get(billingNotices.tryTemplate, { params: { id: made.id }, body: { whatsapp: number } })
    await until(
      async () => (await admin.get(simulator.chat, { params: { whatsappId: centreId, number } })).length > 0,
    )
    for (const { id } of [older, made]) await master.get(billingNotices.removeTemplate, { params: { id } })
    expect((await master.call(billingNotices.showTemplate, { params: { id: made.id } })).status).toBe(404)
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: 'A' }],
    ['type', { type: 'greetings' }],
    ['emailTitle', { emailTitle: 'A\r\nBcc: x@y.z' }],
    ['textWp', { textWp: 'a'.repeat(4_001) }],
    ['emailHtml', { emailHtml: 'a'.repeat(100_001) }],
  ])('a wrong %s is refused with its field: case %#', async (field, wrong) => {
    const body = { name: 'Cobrança', ...wrong } as { name: string }
    const refused = await master.call(billingNotices.addTemplate, { body })
    expect([refused.status, refused.body.field]).toEqual([400, field])
  })
})

describe('the address in a notice', () => {
  test('leads to where the invoice is paid, without a login; what nobody wrote is not there (NREDIR-001, OP-123, API-040) [API-038 … API-040, OP-123 … OP-124, NREDIR-001]', async () => {
    const { companyId, invoice } = await payer({ whatsapp: newNumber() })
    const { id: invoiceId } = await invoice(daysFrom(today(), 9), {
      paymentLink: 'https://banco.test/pagar/1',
    })
    const notified = await noticesOf(companyId)
    for (const { platform, id } of notified) {
      const page = await app.anonymous.get(billingNotices.open, { params: { platform, id } })
      expect(page).toMatchObject({
        urlRedirect: 'https://banco.test/pagar/1',
        valueBrl: 'R$ 99,90',
        status: 'PENDING',
      })
      const other = platform === 'wpp' ? 'email' : 'wpp'
      expect(
        (await app.anonymous.call(billingNotices.open, { params: { platform: other, id } })).status,
      ).toBe(404)
    }
    const params = { platform: 'wpp' as const, id: notified.find(({ platform }) => platform === 'wpp')!.id }
    await master.get(invoices.pay, { params: { invoiceId }, body: { payDate: today() } })
    expect(await app.anonymous.get(billingNotices.open, { params })).toMatchObject({
      urlRedirect: '',
      status: 'RECEIVED',
      pixCode: '',
    })
  })

  test('without an address the page itself says how it is paid', async () => {
    const { companyId, invoice } = await payer({ whatsapp: newNumber(), contactName: '<b>Rute</b>' })
    await invoice(daysFrom(today(), 9))
    const { id } = (await noticesOf(companyId)).find(({ platform }) => platform === 'wpp')!
    const page = await app.anonymous.get(billingNotices.open, { params: { platform: 'wpp', id } })
    expect(page).toMatchObject({ urlRedirect: '', pixCode: expect.stringMatching(/^000201/) })
    expect(page.thumbnailHtml).not.toContain('<b>Rute')
  })
})
