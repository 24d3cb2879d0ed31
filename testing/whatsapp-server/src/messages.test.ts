import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from './scene.ts'
import { until } from './wait.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

test('a customer writes and the client reads it', async () => {
  const { ana, client } = scene
  await ana.write(SHOP, 'Bom dia')
  await until('the message', () => client.texts().length === 1)
  const [message] = client.messages.filter(({ key }) => !key.fromMe)
  expect(message).toMatchObject({
    key: { remoteJid: scene.anaLid, remoteJidAlt: scene.anaPn, addressingMode: 'lid' },
    message: { conversation: 'Bom dia' },
    pushName: 'Ana',
  })
})

test('the client answers and the customer sees the answer once, with what it quotes', async () => {
  const { ana, client } = scene
  const question = await ana.write(SHOP, 'Tem pão?')
  await until('the question', () => client.texts().length === 1)
  const [quoted] = client.messages.filter(({ key }) => key.id === question)
  await client.sock.sendMessage(scene.anaLid, { text: 'Tem', linkPreview: null }, { quoted })
  const answer = await until('the answer', () => ana.received()[0])
  expect(answer).toMatchObject({ from: SHOP, chat: SHOP, text: 'Tem', quotes: question, times: 1 })
})

test('the client learns that its message was accepted, delivered and read', async () => {
  const { ana, client } = scene
  ana.goOffline()
  const id = await client.say(scene.anaLid, 'Saiu para entrega')
  await until('the ack', () => client.statuses.get(id) === 2)
  ana.goOnline()
  await until('the delivery', () => client.statuses.get(id) === 3)
  ana.read(id)
  await until('the reading', () => client.statuses.get(id) === 4)
})

test('the customer learns that the client received and read its message', async () => {
  const { ana, client } = scene
  const id = await ana.write(SHOP, 'Oi')
  await until('the delivery', () => ana.statusOf(id) === 'delivered')
  const [message] = client.messages.filter(({ key }) => key.id === id)
  await client.sock.readMessages([message!.key])
  await until('the reading', () => ana.statusOf(id) === 'read')
})

test('what the owner writes on the phone reaches the customer and the client', async () => {
  const { ana, client, phone } = scene
  phone.goOnline()
  const id = await phone.write(ANA, 'Já volto')
  await until('the copy', () => client.messages.some(({ key }) => key.id === id))
  const [copy] = client.messages.filter(({ key }) => key.id === id)
  expect(copy).toMatchObject({
    key: { remoteJid: scene.anaLid, fromMe: true },
    message: { conversation: 'Já volto' },
  })
  await until('the message', () => ana.received().some(({ text }) => text === 'Já volto'))
})

test('what the client writes is shown on the phone of its owner', async () => {
  const { client, phone } = scene
  phone.goOnline()
  await client.say(scene.anaLid, 'Boa tarde')
  const copy = await until('the copy', () => phone.received()[0])
  expect(copy).toMatchObject({ from: SHOP, chat: ANA, fromMe: true, text: 'Boa tarde' })
})

test('a message addressed to the phone number arrives like one addressed to the LID', async () => {
  const { ana, client } = scene
  await client.say(scene.anaPn, 'pelo número')
  await until('the first', () => ana.received().length === 1)
  await client.say(scene.anaLid, 'pelo LID')
  await until('the second', () => ana.received().length === 2)
  expect(ana.received().map(({ from, text }) => [from, text])).toEqual([
    [SHOP, 'pelo número'],
    [SHOP, 'pelo LID'],
  ])
})

test('a customer who addresses by phone number is told apart by its LID', async () => {
  const { server, client } = scene
  const rui = await server.addPhone('5521922222222', { name: 'Rui', addressing: 'pn' })
  await rui.write(SHOP, 'Olá')
  await until('the message', () => client.texts().length === 1)
  const { key } = client.messages.at(-1)!
  expect(key).toMatchObject({
    remoteJid: '5521922222222@s.whatsapp.net',
    remoteJidAlt: `${rui.account.lid}@lid`,
    addressingMode: 'pn',
  })
  await client.say(key.remoteJid!, 'Oi, Rui')
  await until('the answer', () => rui.received().some(({ text }) => text === 'Oi, Rui'))
})

test('reactions, changes and deletions of a customer arrive', async () => {
  const { ana, client } = scene
  const id = await ana.write(SHOP, 'um')
  await ana.edit(SHOP, id, 'dois')
  await ana.react(SHOP, id, '👍')
  await ana.revoke(SHOP, id)
  const kinds = () => client.messages.flatMap(({ message }) => Object.keys(message ?? {}))
  await until('all four', () => client.messages.filter(({ key }) => !key.fromMe).length >= 4)
  expect(kinds()).toEqual(expect.arrayContaining(['conversation', 'protocolMessage', 'reactionMessage']))
})

test('what the owner reads on the phone is read at the client', async () => {
  const { ana, client, phone } = scene
  const read: string[] = []
  client.sock.ev.on('messages.update', updates => {
    for (const { key, update } of updates) if (!key.fromMe && update.status === 4) read.push(key.id!)
  })
  phone.goOnline()
  const id = await ana.write(SHOP, 'Oi')
  await until('the message on the phone', () => phone.received().length === 1)
  phone.read(id)
  await until('the reading', () => read.includes(id))
})

test('plain messages arrive at hundreds a second', async () => {
  const { ana, client } = scene
  const begin = performance.now()
  for (let n = 0; n < 300; n++) await ana.write(SHOP, `carga ${n}`, { plain: true })
  await until('all of them', () => client.texts().length === 300, 10_000)
  expect(client.texts()).toEqual(Array.from({ length: 300 }, (_, n) => `carga ${n}`))
  expect(performance.now() - begin).toBeLessThan(3_000)
})
