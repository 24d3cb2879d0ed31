import { businessHours } from '@balcao/contract/businessHours.ts'
import { companies } from '@balcao/contract/companies.ts'
import { connections } from '@balcao/contract/connections.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newNumber, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { receiveMessage } from './inbound/inbound.actions.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
let whatsappId: number
let queueId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  whatsappId = admin.user.whatsappId!
  queueId = marina.user.queues[0]!.id
  await setConnection({ greetingMessage: 'Olá!', queueIds: [queueId] })
})
beforeEach(() => setCompany({ thanksMinutes: 15, reopensOnThanks: false }))
afterAll(() => app.close())

const setConnection = (body: object) => admin.get(connections.change, { params: { whatsappId }, body })
const setCompany = (body: object, who = admin) =>
  who.get(companies.change, { params: { companyId: who.user.companyId }, body })
const move = (ticketId: number, body: object, who = marina) =>
  who.get(tickets.change, { params: { ticketId }, body })

/** A customer with a phone of his own. */
function customer() {
  const number = newNumber()
  const all = async () =>
    (await admin.get(tickets.list, { query: { tab: 'search', showAll: true, searchParam: number } })).tickets
  const chat = () => admin.get(simulator.chat, { params: { whatsappId, number } })
  const onPhone = (body: string, more: object) =>
    app.platform.scopes.inCompany(admin.user.companyId).transaction(tx =>
      receiveMessage(tx, whatsappId, {
        ...{ kind: 'message', chat: { kind: 'phone', value: number }, name: 'Ana', mediaType: null, body },
        ...{ externalId: unique(), fromMe: false, at: new Date().toISOString(), ...more },
      }),
    )
  return {
    chat,
    all,
    onPhone,
    /** Writes, and waits until the ticket has it. */
    async write(body: string) {
      await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body } })
      return until(async () => (await all()).find(one => one.lastMessage === body))
    },
    received: async () => (await chat()).filter(one => one.fromMe).map(one => one.body),
  }
}

/** One whose ticket Marina attended and resolved. */
async function served() {
  const ana = customer()
  const { id } = await ana.write('Oi')
  await move(id, { status: 'open' })
  await move(id, { status: 'closed' })
  await until(async () => (await ana.received()).length === 1)
  return { ...ana, id }
}

test('thanks after a closing join the closed ticket, and nobody greets; a question opens another', async () => {
  const ana = await served()
  expect(await ana.write('Obrigada! 🙏')).toMatchObject({
    id: ana.id,
    status: 'closed',
    unreadMessages: 0,
  })
  const asked = await ana.write('Obrigada, e quando chega?')
  expect(asked).toMatchObject({ status: 'pending', unreadMessages: 1 })
  await until(async () => (await ana.received()).length === 2)
  expect(await ana.all()).toHaveLength(2)
  // its own ticket is there now: the thanks are for that one
  expect((await ana.write('ok')).id).toBe(asked.id)
})

test('a company may have them reopen the ticket for its attendant, who is not greeted again', async () => {
  await setCompany({ reopensOnThanks: true })
  const ana = await served()
  expect(await ana.write('valeu')).toMatchObject({
    id: ana.id,
    status: 'open',
    userId: marina.user.id,
    unreadMessages: 1,
  })
  expect(await ana.received()).toEqual(['Olá!'])
})

test('an assent to what the company wrote since, or a tap on its button, opens a ticket; so does one to a message that a closed ticket began with', async () => {
  const ana = await served()
  await ana.onPhone('Confirma amanhã às 10h?', { fromMe: true })
  expect(await ana.write('ok')).toMatchObject({ status: 'pending', unreadMessages: 1 })
  const tapping = await served()
  expect(await tapping.onPhone('Certo', { tapId: 'confirm' })).not.toBe(tapping.id)
  const rui = customer()
  await rui.onPhone('Seu pedido está pronto.', { fromMe: true })
  expect(await rui.write('👍')).toMatchObject({ status: 'pending', unreadMessages: 1 })
})

test('thanks that come later, or to a company that switched it off, open a ticket like other words; another company decides for itself', async () => {
  await setCompany({ thanksMinutes: 0, reopensOnThanks: true }, stranger)
  const late = await served()
  await app.database.script(
    `update tickets set closed_at = now() - interval '16 minutes' where id = ${late.id}`,
  )
  expect((await late.write('Obrigada')).id).not.toBe(late.id)
  const soon = await served()
  expect((await soon.write('Obrigada')).id).toBe(soon.id)
  await setCompany({ thanksMinutes: 0 })
  expect((await soon.write('obrigada mesmo')).status).toBe('pending')
})

test('what a company decides about thanks has bounds', async () => {
  const params = { companyId: admin.user.companyId }
  const { status, body } = await admin.call(companies.change, { params, body: { thanksMinutes: 1_441 } })
  expect([status, body.field]).toEqual([400, 'thanksMinutes'])
  expect(await admin.get(companies.show, { params })).toMatchObject({
    thanksMinutes: 15,
    outOfHoursEvery: 12,
  })
})

test('who writes outside the hours is told so once a day, in the words of the queue or of the connection, until an attendant has the ticket', async () => {
  const weekday = (new Date().getUTCDay() + 3) % 7
  await admin.get(businessHours.change, {
    body: { hours: [{ weekday, opens: 0, closes: 60 }], holidays: [] },
  })
  await setConnection({ outOfHoursMessage: 'Estamos fechados, {{cliente}}.' })
  const ana = customer()
  const { id } = await ana.write('Oi')
  await until(async () => (await ana.received()).length === 2)
  await ana.write('tem alguém?')
  expect(await ana.received()).toEqual(['Olá!', 'Estamos fechados, Ana.'])
  const longAgo = () =>
    app.database.script(`update tickets set out_of_hours_at = now() - interval '25 hours' where id = ${id}`)
  await longAgo()
  await admin.get(queues.change, { params: { queueId }, body: { outOfHoursMessage: 'A fila abre amanhã.' } })
  await ana.write('e agora?')
  await until(async () => (await ana.received()).at(-1) === 'A fila abre amanhã.')
  await longAgo()
  const suspend = (at: string) =>
    app.database.script(`update companies set suspended_at = ${at} where id = ${admin.user.companyId}`)
  await suspend('now()')
  await ana.onPhone('alguém?', {})
  await suspend('null')
  await ana.write('olá?')
  await until(async () => (await ana.received()).length === 4)
  await longAgo()
  await move(id, { status: 'open' })
  await ana.write('alô')
  await admin.get(businessHours.change, { body: { hours: [], holidays: [] } })
  const rui = customer()
  await rui.write('Oi')
  await until(async () => (await rui.received()).length === 1)
  expect([(await ana.received()).length, await rui.received()]).toEqual([4, ['Olá!']])
  await setConnection({ outOfHoursMessage: null })
  await admin.get(queues.change, { params: { queueId }, body: { outOfHoursMessage: '' } })
})

test('an attendant greets a ticket once, however often it is accepted; a colleague greets it too', async () => {
  const greeting = (who: Person, enableGreeting: boolean) =>
    admin.get(users.change, {
      params: { userId: who.user.id },
      body: { greetingMessage: `Sou ${who.user.name}`, enableGreeting },
    })
  for (const who of [admin, marina]) await greeting(who, true)
  const ana = customer()
  const { id } = await ana.write('Oi')
  for (const who of [marina, marina, admin, marina]) {
    await move(id, { status: 'open', queueId }, who)
    await move(id, { status: 'pending' }, who)
    await move(id, { transf: true, queueId }, admin)
  }
  await until(async () => (await ana.received()).length === 3)
  expect(await ana.received()).toEqual(['Olá!', `Sou ${marina.user.name}`, `Sou ${admin.user.name}`])
  // the farewell in the name of a colleague is no greeting
  await setConnection({ farewellMessage: 'Até logo' })
  const caio = customer()
  const { id: other } = await caio.write('Oi')
  await move(other, { status: 'open', queueId })
  await move(other, { status: 'closed' }, admin)
  await move(other, { status: 'open' }, admin)
  await until(async () => (await caio.received()).length === 4)
  expect((await caio.received()).slice(1)).toEqual([
    `Sou ${marina.user.name}`,
    'Até logo',
    `Sou ${admin.user.name}`,
  ])
  await setConnection({ farewellMessage: '' })
  for (const who of [admin, marina]) await greeting(who, false)
})
