import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { auth } from '@balcao/contract/auth.ts'
import { bots } from '@balcao/contract/bots.ts'
import { clients } from '@balcao/contract/clients.ts'
import { companies } from '@balcao/contract/companies.ts'
import { connections } from '@balcao/contract/connections.ts'
import { flows } from '@balcao/contract/flows.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { messages } from '@balcao/contract/messages.ts'
import { plans } from '@balcao/contract/plans.ts'
import { publicApi } from '@balcao/contract/publicApi.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { userChannel, users } from '@balcao/contract/users.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../../testing/campaigns.ts'
import { newNumber, type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { settleAccountStatus } from '../companies/companies.status.actions.ts'
import { billAll } from './invoices.jobs.ts'

let app: TestApp
let master: Person
let admin: Person
let attendant: Person
let rows: Rows
let shop: Campaigns
let planId: number
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  admin = await app.as('admin@balcao.test')
  attendant = await app.as('atendente@balcao.test')
  rows = rowsOf(app, admin)
  shop = await openCampaigns(app, admin, rows)
  planId = await planOf(admin.user.companyId)
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())
const owed: number[] = []
afterEach(async () => {
  for (const id of owed.splice(0)) await pay(id)
  await grace(0)
})

const planOf = async (companyId: number) =>
  (await master.get(plans.ofCompany, { params: { companyId } }))[0]!.id
const grace = (days: number) =>
  master.get(companies.changeSetting, { params: { settingKey: 'graceDays' }, body: { value: String(days) } })
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format()
const pay = (invoiceId: number) =>
  master.get(invoices.pay, { params: { invoiceId }, body: { payDate: today() } })

async function owe(dueDate: string, plan = planId): Promise<number> {
  const period = { startInvoicePeriod: dueDate, endInvoicePeriod: daysFrom(dueDate, 30), dueDate }
  const body = { ...period, valueBrl: '99,00', billingType: 'PIX' as const, recurrence: 1 as const }
  const { id } = await master.get(invoices.create, { params: { planId: plan }, body })
  owed.push(id)
  return id
}
/** Nothing of the demo company is sent from here on. */
async function suspend(): Promise<number> {
  await grace(3)
  const id = await owe(daysFrom(today(), -4))
  expect(await accountState()).toMatchObject({ suspended: true })
  return id
}
const accountState = async (who = admin) =>
  (await who.get(users.show, { params: { userId: who.user.id } })).company

/** A company of its own, with a plan and who pays for it. */
async function client(timeZone = 'America/Sao_Paulo') {
  const email = `${unique()}@cliente.test`
  const body = { name: 'Cliente', email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { company } = await master.get(clients.create, { body })
  const [offered] = (await master.get(plans.public)).plans
  const own = await master.get(plans.assign, { params: { companyId: company.id, planId: offered!.id } })
  const dona = await app.as(email)
  await dona.get(companies.change, { params: { companyId: company.id }, body: { timeZone } })
  return { companyId: company.id, planId: own.id, email, dona }
}

describe('a company that owes', () => {
  const look = (moment: string) => billAll(app.platform.scopes, app.platform.config, new Date(moment))

  test('is not suspended over less than the payment provider charges', async () => {
    await suspend()
    await app.database.script(`update invoices set payment_problem = 'belowLeast' where id = ${owed[0]}`)
    await grace(2)
    expect(await accountState()).toMatchObject({ suspended: false, payBy: null })
  })

  test('is suspended by the first grace that is ever granted, though its invoice is made at that very moment', async () => {
    const { companyId, planId, dona } = await client()
    const scope = app.platform.scopes.inCompany(companyId)
    let granting: Promise<unknown> | undefined
    let isGranted = false
    const waits = async () => {
      const blocked = tag`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await app.database.transaction('', sql => rowsFrom(sql, blocked))).length > 0
    }
    await scope.transaction(async tx => {
      await tx.sql.execute(tag`
        insert into invoices (company_id, plan_id, start_invoice_period, end_invoice_period, value, billing_type, due_date, recurrence, anchor)
        values (${companyId}, ${planId}, '2026-01-01', '2026-01-31', 100, 'PIX', '2026-01-01', 1, 1)`)
      await settleAccountStatus(tx, new Date())
      granting = grace(1).then(() => {
        isGranted = true
      })
      await until(async () => isGranted || (await waits()))
    })
    await granting
    expect(await accountState(dona)).toMatchObject({ suspended: true })
  })

  test('is suspended when its oldest invoice is overdue by more days of its own clock than the operator grants', async () => {
    await grace(5)
    const here = await client()
    const there = await client('Pacific/Auckland')
    for (const { planId } of [here, there]) {
      await owe('2031-03-20', planId)
      await owe('2031-03-10', planId)
    }
    const stand = async () => [await accountState(here.dona), await accountState(there.dona)]
    const free = { suspended: false, payBy: null }
    const warned = { suspended: false, payBy: '2031-03-15' }
    const off = { suspended: true, payBy: '2031-03-15' }
    await look('2031-03-10T10:59:00Z')
    expect(await stand()).toMatchObject([free, free])
    // in Auckland the eleventh begins sixteen hours before
    await look('2031-03-10T11:01:00Z')
    expect(await stand()).toMatchObject([free, warned])
    await look('2031-03-11T03:01:00Z')
    expect(await stand()).toMatchObject([warned, warned])
    await look('2031-03-15T11:01:00Z')
    expect(await stand()).toMatchObject([warned, off])
    await look('2031-03-16T02:59:00Z')
    expect(await stand()).toMatchObject([warned, off])
    await look('2031-03-16T03:01:00Z')
    expect(await stand()).toMatchObject([off, off])
    const { companies: listed } = await master.get(clients.list, { query: { searchParam: here.email } })
    expect(listed).toMatchObject([{ status: 1, suspendedAt: expect.any(String) }])
    // the other invoice is not due by today's clock
    await pay(owed[1]!)
    expect(await stand()).toMatchObject([free, off])
  })

  test('is never suspended where the operator grants no days, which is how it begins, nor is the operator’s own', async () => {
    expect(await master.get(companies.settings)).toContainEqual(
      expect.objectContaining({ key: 'graceDays', value: '0' }),
    )
    await owe('2025-01-10')
    expect(await accountState()).toMatchObject({ suspended: false, payBy: null })
    await owe('2025-01-10', await planOf(master.user.companyId))
    await grace(1)
    expect(await accountState()).toMatchObject({ suspended: true })
    expect(await accountState(master)).toMatchObject({ suspended: false, payBy: null })
  })

  test('comes back in the commit that grants it more days', async () => {
    await suspend()
    const until = daysFrom(today(), 6)
    await grace(10)
    expect(await accountState()).toMatchObject({ suspended: false, payBy: until })
    await grace(3)
    expect(await accountState()).toMatchObject({ suspended: true })
    await grace(0)
    expect(await accountState()).toMatchObject({ suspended: false, payBy: null })
  })

  test('comes back when its invoice is deleted', async () => {
    await grace(3)
    const id = await owe(daysFrom(today(), -4))
    // not reported as overdue yet
    expect(await accountState()).toMatchObject({ suspended: true })
    await master.get(invoices.remove, { params: { invoiceId: id } })
    owed.pop()
    expect(await accountState()).toMatchObject({ suspended: false, payBy: null })
  })

  test('comes back at once when all is paid, also when two pay at the same moment; another company never knew', async () => {
    const stranger = await app.as('admin@outra.test')
    for (let round = 0; round < 5; round++) {
      const first = await suspend()
      const second = await owe(daysFrom(today(), -9))
      expect(await accountState(stranger)).toMatchObject({ suspended: false, payBy: null })
      await Promise.all([pay(first), pay(second), pay(first)])
      expect(await accountState()).toMatchObject({ suspended: false, payBy: null })
    }
    const first = await suspend()
    await owe(daysFrom(today(), -9))
    await pay(first)
    expect(await accountState()).toMatchObject({ suspended: true })
  })

  test('whose payment is taken back is suspended again', async () => {
    const invoiceId = await suspend()
    await pay(invoiceId)
    await master.get(invoices.pay, { params: { invoiceId }, body: { payDate: null } })
    expect(await accountState()).toMatchObject({ suspended: true })
  })

  test('is told live, whoever looks; until when it may pay only who pays', async () => {
    const notified = async (who: Person) => ({ who, received: await who.subscribe(userChannel) })
    const people = await Promise.all([admin, attendant].map(notified))
    const last = (of: (typeof people)[number]) => of.received.at(-1)?.user.company
    const began = Date.now()
    const invoiceId = await suspend()
    await until(() => people.every(one => last(one)?.suspended))
    expect(people.map(one => last(one)?.payBy)).toEqual([daysFrom(today(), -1), null])
    expect((await accountState(attendant)).payBy).toBeNull()
    await pay(invoiceId)
    await until(() => people.every(one => last(one)?.suspended === false))
    expect(Date.now() - began).toBeLessThan(5_000)
  })

  test('and was switched off by hand stays off when it pays [OP-45]', async () => {
    const { companyId, planId, email } = await client()
    await grace(3)
    const id = await owe(daysFrom(today(), -4), planId)
    await master.get(clients.change, { params: { companyId }, body: { status: 0 } })
    await pay(id)
    expect(await master.get(clients.show, { params: { companyId } })).toMatchObject({
      status: 0,
      suspendedAt: null,
    })
    const login = await app.anonymous.call(auth.login, { body: { email, password: 'balcao-demo' } })
    expect([login.status, login.body.error]).toEqual([403, 'ERR_COMPANY_OFF'])
  })

  test.each(['', '-1', '61', '07', 'x', 'enabled'])('grace of „%s“ days is refused', async value => {
    const params = { settingKey: 'graceDays' }
    const refused = await master.call(companies.changeSetting, { params, body: { value: value as '1' } })
    expect([refused.status, refused.body.field]).toEqual([400, 'value'])
  })
})

describe('while a company is suspended', () => {
  const write = (number: string, body: string, line = whatsappId) =>
    admin.get(simulator.write, { params: { whatsappId: line }, body: { number, body } })
  const chat = async (number: string, line = whatsappId) =>
    (await admin.get(simulator.chat, { params: { whatsappId: line, number } })).flatMap(one =>
      one.fromMe ? one.body : [],
    )
  const ticketOf = (number: string) =>
    until(async () =>
      (await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.find(
        one => one.contact.number === number,
      ),
    )
  const numberOf = async (ticketId: number) =>
    (await admin.get(tickets.show, { params: { ticketId } })).contact.number
  const say = (ticketId: number, body: string) =>
    admin.call(messages.send, { params: { ticketId, companyId: admin.user.companyId }, body: { body } })
  const SUSPENDED = [402, 'ERR_COMPANY_SUSPENDED']

  test('whatever would send is refused with that reason, and what people look at and pay is not', async () => {
    const ticketId = await rows.ticket()
    const [failedId, sentId] = [await rows.failedMessage(), await rows.sentMessage()]
    const { id: token } = await admin.get(apiTokens.create, { body: { name: 'Loja', whatsappId } })
    const flowId = await rows.flow()
    const campaign = await shop.make({ sendList: numbers(1) })
    const invoiceId = await suspend()
    const calls = {
      send: () => say(ticketId, 'Oi'),
      resend: () => admin.call(messages.resend, { params: { messageId: failedId } }),
      edit: () => admin.call(messages.edit, { params: { messageId: sentId }, body: { body: 'Outro' } }),
      react: () => admin.call(messages.react, { params: { messageId: sentId }, body: { emoji: '👍' } }),
      remove: () => admin.call(messages.remove, { params: { messageId: sentId, channel: 'whatsapp' } }),
      flow: () => admin.call(flows.start, { params: { ticketId }, body: { flowId } }),
      api: () =>
        app.anonymous.call(publicApi.text, {
          body: { number: newNumber(), body: 'Oi' },
          headers: { authorization: `Bearer ${token}` },
        }),
      campaign: () => shop.act(campaign.id, 'start'),
    }
    for (const [name, call] of Object.entries(calls)) {
      const { status, body } = await call()
      expect([name, status, body.error]).toEqual([name, ...SUSPENDED])
    }
    for (const one of [
      admin.call(tickets.show, { params: { ticketId } }),
      admin.call(messages.list, { params: { ticketId } }),
      admin.call(clients.show, { params: { companyId: admin.user.companyId } }),
      admin.call(invoices.list, { params: { planId } }),
      app.anonymous.call(auth.login, { body: { email: 'admin@balcao.test', password: 'balcao-demo' } }),
    ])
      expect((await one).status).toBe(200)
    await pay(invoiceId)
    const number = await numberOf(ticketId)
    expect((await say(ticketId, 'Voltamos')).status).toBe(200)
    await until(async () => (await chat(number)).includes('Voltamos'))
    expect((await shop.act(campaign.id, 'start')).status).toBe(200)
  })

  test('what customers write is received, and nobody greets them; it is greeted again afterwards', async () => {
    await admin.get(connections.change, { params: { whatsappId }, body: { greetingMessage: 'Bem-vindo' } })
    const invoiceId = await suspend()
    const [silent, greeted] = [newNumber(), newNumber()]
    await write(silent, 'Tem sofá?')
    const ticket = await ticketOf(silent)
    expect(ticket).toMatchObject({ lastMessage: 'Tem sofá?', unreadMessages: 1 })
    // accepting the ticket sends nothing
    const taken = { status: 'open' as const, userId: admin.user.id }
    const queueId = admin.user.queues[0]!.id
    await admin.get(tickets.change, { params: { ticketId: ticket.id }, body: { ...taken, queueId } })
    expect(await chat(silent)).toEqual([])
    await pay(invoiceId)
    await write(greeted, 'E mesa?')
    await until(async () => (await chat(greeted)).length > 0)
    expect(await chat(silent)).toEqual([])
    await admin.get(connections.change, { params: { whatsappId }, body: { greetingMessage: '' } })
  })

  test('a bot is silent and cannot be given a conversation; afterwards it speaks', async () => {
    const line = await rows.connection()
    const { companyId } = admin.user
    const { id: botSetupId } = await admin.get(bots.addSetup, {
      body: { name: `Loja ${unique()}`, typingTime: '1', whatsapps: [line] },
    })
    const body = {
      botSetupId,
      commandBot: '1',
      commandType: 1,
      descriptionBot: 'Isto',
      showMessage: 'É isto.',
    }
    await admin.get(bots.addCommand, { params: { companyId }, body })
    await until(
      async () =>
        (await admin.get(connections.show, { params: { whatsappId: line } })).status === 'CONNECTED',
    )
    const invoiceId = await suspend()
    const number = newNumber()
    await write(number, 'Oi', line)
    const { id: ticketId } = await ticketOf(number)
    const given = () => admin.call(bots.giveBack, { params: { ticketId } })
    const refused = await given()
    expect([refused.status, refused.body.error]).toEqual(SUSPENDED)
    expect(await admin.get(bots.showSession, { params: { ticketId } })).toEqual({ session: null })
    await pay(invoiceId)
    expect((await given()).status).toBe(200)
    await until(async () => (await chat(number, line)).length > 0)
  })

  test('what is in the outbox and what is scheduled waits, and leaves after the payment', async () => {
    const ticketId = await rows.ticket()
    const { contactId, contact } = await admin.get(tickets.show, { params: { ticketId } })
    await shop.fault('offline', whatsappId)
    expect((await say(ticketId, 'Antes')).status).toBe(200)
    const { id: scheduleId } = await admin.get(schedules.create, {
      params: { companyId: admin.user.companyId },
      body: {
        contactId,
        whatsappId,
        body: 'Na hora',
        sendAt: new Date(Date.now() + 3_600_000).toISOString(),
      },
    })
    const invoiceId = await suspend()
    await shop.fault('none', whatsappId)
    await app.database.script(`update schedules set next_at = now() where id = ${scheduleId}`)
    // what another company's connection does meanwhile shows that all were looked at
    const [number, line] = [newNumber(), await strangersLine()]
    await line.says(number)
    expect(await chat(contact.number)).toEqual([])
    await pay(invoiceId)
    await until(async () => (await chat(contact.number)).length === 2)
    expect(await chat(contact.number)).toEqual(['Antes', 'Na hora'])
  })

  test('a campaign stops where it is, one whose time comes does not begin; all go on after the payment', async () => {
    const [first, second, third, fourth] = numbers(4)
    const setup = await shop.setup({ tMin: 1, tMax: 10 }, false)
    const running = await shop.make({ sendList: [first, second].map(number => ({ number })) }, setup.id)
    const planned = await shop.make({ sendList: [{ number: third! }] })
    await shop.act(running.id, 'start')
    await until(async () => (await shop.heard(first!)).length > 0)
    const invoiceId = await suspend()
    await app.database.script(`update campaign_clocks set free_at = now(), look_at = now();
      update campaigns set status = 'scheduled', schedule = now() where id = ${planned.id}`)
    // one that would begin as soon as it is there
    const { id: begins } = await shop.setup({ autoStart: true })
    const added = await shop.make({ sendList: [{ number: fourth! }] }, begins)
    const line = await strangersLine()
    await line.says(newNumber())
    const three = [running, planned, added].map(({ id }) => shop.show(id))
    expect(await Promise.all(three)).toMatchObject([
      { status: 'start', counts: { pending: 1 } },
      { status: 'scheduled' },
      { status: 'scheduled' },
    ])
    await pay(invoiceId)
    await shop.stands(planned.id, 'finalized')
    await shop.stands(added.id, 'finalized')
    await shop.stands(running.id, 'finalized')
    expect(await shop.heard(second!)).toHaveLength(1)
  })

  /** A schedule of another company, which is not suspended, leaves while nothing of the first does. */
  async function strangersLine() {
    const stranger = await app.as('admin@outra.test')
    const line = stranger.user.whatsappId!
    return {
      async says(number: string) {
        const { companyId } = stranger.user
        const contactId = await rowsOf(app, stranger).contact()
        const { id } = await stranger.get(schedules.create, {
          params: { companyId },
          body: {
            ...{ contactId, whatsappId: line, body: number },
            sendAt: new Date(Date.now() + 3_600_000).toISOString(),
          },
        })
        await app.database.script(`update schedules set next_at = now() where id = ${id}`)
        await until(
          async () =>
            (await stranger.get(schedules.show, { params: { scheduleId: id } })).last?.state === 'sent',
        )
      },
    }
  }
})
