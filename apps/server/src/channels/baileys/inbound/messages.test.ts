import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { owned, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.end())

let number: string
let last = 0
/** Each test has a customer of its own, whom the session does not know. */
beforeEach(async () => {
  number = `5511911${String(++last).padStart(6, '0')}`
  scene.ana = await scene.server.addPhone(number, { name: 'Ana' })
  scene.host.heard.length = 0
})

const texts = () => scene.host.messages().map(({ body }) => body)
const acksOf = (id: string) => scene.host.acks(id).map(({ ack }) => ack)
const journalRows = () => [...scene.host.rows.keys()].filter(key => key.startsWith('inbox-journal'))

test('what a customer writes is heard once, in order, with who wrote it', async () => {
  const lines = Array.from({ length: 20 }, (_, n) => `linha ${n}`)
  for (const line of lines) await scene.ana.write(SHOP, line)
  await until('all of them', () => texts().length >= 20)
  expect(texts()).toEqual(lines)
  expect(scene.host.messages()[0]).toMatchObject({
    chat: {
      kind: 'lid',
      value: scene.ana.account.lid,
      also: { kind: 'phone', value: number },
    },
    fromMe: false,
    name: 'Ana',
    mediaType: null,
  })
  expect(Math.abs(Date.parse(scene.host.messages()[0]!.at) - Date.now())).toBeLessThan(5_000)
  await until('an empty journal', () => journalRows().length === 0)
  expect(scene.server.tally.retries.size).toBe(0)
})

test('what was written while the session was closed is heard in order when it opens', async () => {
  await scene.session.close({ logout: false })
  const lines = ['um', 'dois', 'três']
  for (const line of lines) await scene.ana.write(SHOP, line)
  await scene.reopen()
  await until('all of them', () => texts().length >= 3)
  expect(texts()).toEqual(lines)
})

test('a message that is sent is acknowledged by the server, delivered and read', async () => {
  const { id, outcome } = await scene.say('Bom dia, https://example.com')
  expect(outcome).toEqual({ is: 'sent' })
  const received = await until('the message', () => scene.ana.received()[0])
  expect(received).toMatchObject({ id, from: SHOP, text: 'Bom dia, https://example.com', times: 1 })
  await until('the delivery', () => acksOf(id).includes(3))
  scene.ana.read(id)
  await until('the reading', () => acksOf(id).includes(4))
  expect(scene.host.acks(id)[0]!.chat).toMatchObject({ kind: 'lid', value: scene.ana.account.lid })
})

test('an answer quotes what it answers, both ways [MSG-018]', async () => {
  const question = await scene.ana.write(SHOP, 'Tem pão?')
  await until('the question', () => texts().length === 1)
  const chat = { kind: 'lid' as const, value: scene.ana.account.lid }
  const quoted = { externalId: question, fromMe: false, body: 'Tem pão?' }
  const externalId = '3EB0AAAAAAAAAAAAAAAAAA'
  await scene.session.send(
    { chat, externalId, body: 'Tem', content: { kind: 'text' }, quoted, again: false },
    owned,
  )
  const answer = await until('the answer', () => scene.ana.received()[0])
  expect(answer.quotes).toBe(question)
  await scene.ana.write(SHOP, 'Quero dois', { quote: externalId })
  await until('the quote', () => scene.host.messages()[1])
  expect(scene.host.messages()[1]).toMatchObject({ body: 'Quero dois', quotedExternalId: externalId })
})

test('what the attendant reads is read for the customer', async () => {
  const id = await scene.ana.write(SHOP, 'Olá')
  const { chat } = await until('the message', () => scene.host.messages()[0])
  await scene.session.markRead(chat, [{ externalId: id, fromMe: false }])
  await until('the blue ticks', () => scene.ana.statusOf(id) === 'read')
})

test('what is typed on the phone itself is ours', async () => {
  scene.phone.goOnline()
  await scene.ana.write(SHOP, 'Oi')
  await until('the first', () => texts().length === 1)
  const id = await scene.phone.write(number, 'Respondi pelo celular')
  const typed = await until('the message', () => scene.host.messages().find(({ fromMe }) => fromMe))
  expect(typed).toMatchObject({
    externalId: id,
    body: 'Respondi pelo celular',
    chat: { kind: 'lid', value: scene.ana.account.lid, also: { kind: 'phone', value: number } },
  })
  scene.phone.goOffline()
})

test('writing first to a number finds its LID and tells that both are one person', async () => {
  const { outcome } = await scene.say('Promoção', { kind: 'phone', value: number })
  expect(outcome).toEqual({ is: 'sent' })
  await until('the message', () => scene.ana.received().length === 1)
  const identity = await until('the identity', () => scene.host.heard.find(({ kind }) => kind === 'identity'))
  expect(identity.chat).toEqual({
    kind: 'phone',
    value: number,
    also: { kind: 'lid', value: scene.ana.account.lid },
  })
  const { outcome: second } = await scene.say('De novo', { kind: 'phone', value: number })
  expect(second).toEqual({ is: 'sent' })
})

test('an account that refuses its number gets its messages by LID', async () => {
  const eva = await scene.server.addPhone('5521933333333', { lidOnly: true })
  const { outcome } = await scene.say('Oi, Eva', { kind: 'phone', value: '5521933333333' })
  expect(outcome).toEqual({ is: 'sent' })
  await until('the message', () => eva.received().length === 1)
})

test('a number is written to under the spelling that WhatsApp knows', async () => {
  const bia = await scene.server.addPhone('551188887777', { aliases: ['5511988887777'] })
  const { outcome } = await scene.say('Oi, Bia', { kind: 'phone', value: '5511988887777' })
  expect(outcome).toEqual({ is: 'sent' })
  await until('the message', () => bia.received().length === 1)
})

test('a number without WhatsApp is refused', async () => {
  const { outcome } = await scene.say('Alô?', { kind: 'phone', value: '5511900000404' })
  expect(outcome).toEqual({ is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' })
})

test('a message that WhatsApp refuses is refused with its reason', async () => {
  await scene.ana.write(SHOP, 'Oi')
  await until('the first', () => texts().length === 1)
  scene.server.faults.failAcks(463, 1)
  const { outcome } = await scene.say('campanha')
  expect(outcome).toEqual({ is: 'refused', reason: 'ERR_WAPP_STRANGER' })
  expect((await scene.say('resposta')).outcome).toEqual({ is: 'sent' })
})

test('a message whose fate is unknown goes out again under its id and is shown once', async () => {
  const acks = scene.server.faults.holdAcks()
  const sending = scene.say('Oi')
  await until('the message', () => scene.ana.received().length === 1)
  acks.forget()
  scene.server.dropSockets(SHOP)
  const { id, outcome } = await sending
  expect(outcome).toMatchObject({ is: 'unknown' })
  await until('the connection', () => scene.session.ready())
  const chat = { kind: 'lid' as const, value: scene.ana.account.lid }
  expect(
    await scene.session.send(
      { chat, externalId: id, body: 'Oi', content: { kind: 'text' }, again: true },
      owned,
    ),
  ).toEqual({ is: 'sent' })
  await until('the second copy', () => scene.ana.received()[0]!.times === 2)
  expect(scene.ana.received()).toHaveLength(1)
})

test('a message that the customer cannot decrypt is given again', async () => {
  scene.server.faults.corrupt(number)
  const { id } = await scene.say('estragada')
  const received = await until('the repetition', () => scene.ana.received()[0])
  expect(received).toMatchObject({ id, text: 'estragada', times: 1 })
  expect(scene.server.tally.retries.get(id)).toBe(1)
})

test('a message that arrives damaged is a placeholder, asked for again, and heard once', async () => {
  await scene.ana.write(SHOP, 'primeira')
  await until('the first', () => texts().length === 1)
  scene.server.faults.corrupt(SHOP)
  const id = await scene.ana.write(SHOP, 'estragada')
  await scene.ana.write(SHOP, 'depois')
  await until('both', () => texts().includes('estragada') && texts().includes('depois'))
  expect(texts().sort()).toEqual(['', 'depois', 'estragada', 'primeira'])
  const itself = scene.host.messages().filter(({ externalId }) => externalId === id)
  expect(itself.map(({ mediaType }) => mediaType)).toEqual(['ciphertext', null])
})

test('what the phone sends to a list of recipients is in the chat of each, also after a start of the session', async () => {
  const bia = await scene.server.addPhone(`${number}9`.slice(-13), { name: 'Bia' })
  scene.phone.goOnline()
  const people = [scene.ana, bia].map(({ account }) => account.lid)
  const listed = () => scene.host.messages().filter(one => one.isToList && people.includes(one.chat.value))
  const first = await scene.phone.sendToList('1700000000', 'Aberto no feriado', [number, bia.number])
  await until('both', () => listed().length === 2)
  expect(
    listed().map(({ chat, externalId, fromMe, body }) => [chat.value, externalId, fromMe, body]),
  ).toEqual(people.map(lid => [lid, `${first} ${lid}`, true, 'Aberto no feriado']))
  expect(texts()).toHaveLength(2)
  scene.host.fault = what => {
    if (what === 'hear') throw new Error('the database is down')
  }
  await scene.phone.sendToList('1700000000', 'Fechado', [number, bia.number])
  await until('its row', () => journalRows().length > 0 && scene.server.owed(SHOP) === 0)
  await scene.session.close({ logout: false })
  scene.host.fault = () => {}
  await scene.reopen()
  await until('both', () => listed().filter(({ body }) => body === 'Fechado').length === 2)
  scene.phone.goOffline()
})
