import { companies } from '@balcao/contract/companies.ts'
import { connectionSessionChannel, connections } from '@balcao/contract/connections.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trust } from '@balcao/whatsapp-server/trust.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { ANA, SHOP } from '../../../testing/whatsapp.ts'

let server: WhatsAppServer
let app: TestApp
let admin: Person
let shop: Phone
let ana: Phone
let whatsappId: number

beforeAll(async () => {
  server = await startWhatsAppServer()
  trust(server)
  app = await openTestApp({ WHATSAPP_WEB_URL: server.url })
  admin = await app.as('admin@balcao.test')
  shop = await server.addPhone(SHOP, { name: 'Padaria Central' })
  ana = await server.addPhone(ANA, { name: 'Ana' })
})
afterAll(async () => {
  await app.close()
  await server.close()
  expect(server.errors).toEqual([])
  expect(server.unknown).toEqual([])
})

const show = () => admin.get(connections.show, { params: { whatsappId } })
const ticketOf = (status: 'pending' | 'open') =>
  until(async () =>
    (await admin.get(tickets.list, { query: { status, showAll: true } })).tickets.find(
      ticket => ticket.contact.number === ANA,
    ),
  )
const conversation = async (ticketId: number) =>
  (await admin.get(messages.list, { params: { ticketId } })).messages.map(({ body, fromMe, ack }) => ({
    body,
    fromMe,
    ack,
  }))

test('an admin connects a number by scanning the QR code on the screen', async () => {
  const made = await admin.get(connections.create, { body: { name: 'Loja', lib: 'baileys' } })
  whatsappId = made.id
  const sessions = await admin.subscribe(connectionSessionChannel)
  await admin.get(connections.renew, { params: { whatsappId }, body: {} })
  const { qrcode } = await until(async () => {
    const shown = await show()
    return shown.status === 'qrcode' && shown
  }, 5_000)
  await shop.scan(qrcode)
  await until(async () => (await show()).status === 'CONNECTED', 5_000)
  expect(await show()).toMatchObject({ whatsappNumber: SHOP, qrcode: '', statusReason: '' })
  const states = sessions
    .filter(({ session }) => session.id === whatsappId)
    .map(({ session }) => session.status)
  expect(states.filter((state, at) => state !== states[at - 1])).toEqual([
    'OPENING',
    'qrcode',
    'PAIRING',
    'CONNECTED',
  ])
})

test('a customer writes, an attendant answers, and the ticks turn blue', async () => {
  const pushes = await admin.subscribe(messageChannel)
  await ana.write(SHOP, 'Bom dia, tem pão de queijo?')
  const ticket = await ticketOf('pending')
  expect(ticket).toMatchObject({ contact: { name: 'Ana', number: ANA }, whatsappId, unreadMessages: 1 })
  await admin.get(tickets.change, {
    params: { ticketId: ticket.id },
    body: { status: 'open', queueId: admin.user.queues[0]?.id ?? null },
  })
  await admin.get(messages.send, {
    params: { ticketId: ticket.id, companyId: admin.user.companyId },
    body: { body: 'Temos, saindo do forno' },
  })
  const answer = await until(() => ana.received()[0], 5_000)
  expect(answer).toMatchObject({ from: SHOP, text: 'Temos, saindo do forno', times: 1 })
  ana.read(answer.id)
  await until(async () => (await conversation(ticket.id)).at(-1)?.ack === 4, 5_000)
  expect(await conversation(ticket.id)).toEqual([
    { body: 'Bom dia, tem pão de queijo?', fromMe: false, ack: 4 },
    { body: 'Temos, saindo do forno', fromMe: true, ack: 4 },
  ])
  expect(pushes.some(push => push.action === 'update' && push.message.ack === 4)).toBe(true)
})

test('what the attendant has read is read on the phone of the customer; what was only fetched ahead is not', async () => {
  const id = await ana.write(SHOP, 'Então quero dois')
  const ticket = await ticketOf('open')
  const params = { ticketId: ticket.id }
  await until(async () => {
    const { messages: ahead } = await admin.get(messages.list, { params, query: { ahead: true } })
    return ahead.at(-1)?.body === 'Então quero dois'
  }, 5_000)
  expect((await ticketOf('open')).unreadMessages).toBe(1)
  expect(ana.statusOf(id)).not.toBe('read')
  await until(async () => (await conversation(ticket.id)).at(-1)?.body === 'Então quero dois', 5_000)
  await until(() => ana.statusOf(id) === 'read', 5_000)
})

test('what is read on the phone is read here, up to there, unless the company counts only what is read here', async () => {
  const bia = await server.addPhone('5511933334444', { name: 'Bia' })
  const texts = ['um', 'dois', 'três']
  for (const text of texts) await bia.write(SHOP, text)
  const found = async () => {
    const { tickets: pending } = await admin.get(tickets.list, {
      query: { status: 'pending', showAll: true },
    })
    return pending.find(({ contact }) => contact.number === bia.number)
  }
  const unread = (count: number) => until(async () => (await found())?.unreadMessages === count)
  await unread(3)
  const idOf = (text: string) => shop.received().find(one => one.text === text)!.id
  await until(() => texts.every(text => shop.received().some(one => one.text === text)))
  shop.read(idOf('dois'))
  await unread(1)
  const change = (readsOnPhone: boolean) =>
    admin.get(companies.change, { params: { companyId: admin.user.companyId }, body: { readsOnPhone } })
  await change(false)
  shop.read(idOf('três'))
  await bia.write(SHOP, 'quatro')
  await unread(2)
  await change(true)
  await until(() => shop.received().some(one => one.text === 'quatro'))
  shop.read(idOf('quatro'))
  await unread(0)
})

test('what is typed on the phone stands in the same conversation', async () => {
  await shop.write(ANA, 'Guardei dois para você')
  const ticket = await ticketOf('open')
  await until(async () => (await conversation(ticket.id)).at(-1)?.body === 'Guardei dois para você', 5_000)
  expect((await conversation(ticket.id)).at(-1)).toMatchObject({ fromMe: true })
})

test('groups are not heard while the connection takes none (CONN-026) [CONN-026]', async () => {
  const bia = await server.addPhone('5511922222222', { name: 'Bia' })
  const group = server.addGroup('Entregas', [shop, ana, bia])
  const take = (disableGroupMessages: 0 | 1) =>
    admin.get(connections.change, { params: { whatsappId }, body: { disableGroupMessages } })
  await take(1)
  await ana.write(group.id, 'Isto ninguém ouve')
  await until(() => server.owed(SHOP) === 0, 5_000)
  await take(0)
  await bia.write(group.id, 'Isto sim')
  const ticket = await until(async () => {
    const query = { status: 'pending' as const, showAll: true }
    return (await admin.get(tickets.list, { query })).tickets.find(one => one.contact.name === 'Entregas')
  }, 5_000)
  expect((await conversation(ticket.id)).map(({ body }) => body)).toEqual(['Isto sim'])
})

test('logging out takes the device off the phone [CONN-006]', async () => {
  await admin.get(connections.disconnect, { params: { whatsappId } })
  await until(() => shop.companions().length === 0, 5_000)
  await until(async () => (await show()).status === 'DISCONNECTED', 5_000)
})
