import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from './scene.ts'
import { doubled } from './tally.ts'
import { until } from './wait.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

test('a message that the client cannot decrypt is asked for again and arrives', async () => {
  const { server, ana, client } = scene
  await ana.write(SHOP, 'primeira')
  await until('the first', () => client.texts().length === 1)
  server.faults.corrupt(SHOP)
  const id = await ana.write(SHOP, 'estragada')
  await until('the repetition', () => client.texts().includes('estragada'))
  expect(server.tally.retries.get(id)).toBe(1)
  await ana.write(SHOP, 'depois')
  await until('the next', () => client.texts().includes('depois'))
})

test('a message that the customer cannot decrypt is asked for again and arrives once', async () => {
  const { server, ana, client } = scene
  server.faults.corrupt(ANA)
  const id = await client.say(scene.anaLid, 'estragada')
  await until('the repetition', () => ana.received().length === 1)
  expect(server.tally.retries.get(id)).toBe(1)
  expect(ana.received()[0]).toMatchObject({ text: 'estragada', times: 1 })
  expect(server.tally.asked).toEqual([{ by: ANA, id }])
  expect(server.tally.unreadable).toEqual([{ by: ANA, id }])
})

test('a customer who does not honour retries never sees what he cannot decrypt, nor sends again what others cannot', async () => {
  const { server, client } = scene
  const leo = await server.addPhone('5511944444444', { honoursRetries: false })
  await leo.write(SHOP, 'Oi')
  await until('the first', () => client.texts().length === 1)
  server.faults.corrupt(leo.number)
  const unseen = await client.say(`${leo.account.lid}@lid`, 'estragada')
  await client.say(`${leo.account.lid}@lid`, 'depois')
  await until('the next', () => leo.received().length === 1)
  server.faults.corrupt(SHOP)
  const lost = await leo.write(SHOP, 'estragada também')
  await until('the question', () => server.tally.asked.length === 1)
  await leo.write(SHOP, 'mais uma')
  await until('the next', () => client.texts().includes('mais uma'))
  expect(leo.received().map(({ text }) => text)).toEqual(['depois'])
  expect(client.texts()).toEqual(['Oi', 'mais uma'])
  expect(server.tally.unreadable).toEqual([
    { by: leo.number, id: unseen },
    { by: SHOP, id: lost },
  ])
  expect(server.tally.asked).toEqual([{ by: SHOP, id: lost }])
})

test('what was written while the client was offline arrives in order when it comes back', async () => {
  const { server, ana, client } = scene
  server.dropSockets(SHOP)
  await until('the close', () => client.closes.includes(428))
  const lines = ['um', 'dois', 'três', 'quatro', 'cinco']
  for (const line of lines) await ana.write(SHOP, line)
  expect(server.owed(SHOP)).toBe(5)
  client.restart()
  await until('all of them', () => client.texts().length === 5)
  expect(client.texts()).toEqual(lines)
  await until('their receipts', () => server.owed(SHOP) === 0)
  expect(doubled(server.tally.delivered)).toEqual([])
})

test('receipts that came while the client was offline arrive when it comes back', async () => {
  const { server, ana, client } = scene
  const id = await client.say(scene.anaLid, 'Oi')
  await until('the delivery', () => client.statuses.get(id) === 3)
  server.dropSockets(SHOP)
  await until('the close', () => client.closes.includes(428))
  ana.read(id)
  expect(client.statuses.get(id)).toBe(3)
  client.restart()
  await until('the reading', () => client.statuses.get(id) === 4)
})

test('what was sent into a dying socket stays with the server until its receipt', async () => {
  const { server, ana, client } = scene
  const confirmed = () => ids.filter(id => server.tally.confirmed.has(id)).length
  const ids: string[] = []
  server.faults.dropAfter(SHOP, 100)
  for (let n = 0; n < 200; n++) ids.push(await ana.write(SHOP, `linha ${n}`, { plain: true }))
  await until('the close', () => client.closes.includes(428))
  expect(server.owed(SHOP)).toBe(200 - confirmed())
  expect(confirmed()).toBeLessThan(101)
  client.restart()
  await until('the end', () => server.owed(SHOP) === 0, 10_000)
  expect(confirmed()).toBe(200)
  expect(doubled(server.tally.accepted)).toEqual([])
  expect(doubled(server.tally.delivered).length).toBeGreaterThan(0)
})

test('twenty broken connections during 200 encrypted messages leave nothing at the server', async () => {
  await scene.end()
  scene = await setScene({ reconnect: true })
  const { server, ana } = scene
  const ids: string[] = []
  for (let n = 0; n < 200; n++) {
    if (n % 10 === 5) server.dropSockets(SHOP)
    ids.push(await ana.write(SHOP, `linha ${n}`))
  }
  await until('all to be settled', () => server.online(SHOP) && server.owed(SHOP) === 0, 15_000)
  const { confirmed, nacks } = server.tally
  const settled = new Set([...confirmed.keys(), ...nacks.map(({ id }) => id)])
  expect(ids.filter(id => !settled.has(id))).toEqual([])
})

test('a refused message is not delivered and says why', async () => {
  const { server, ana, client } = scene
  server.faults.failAcks(463, 1)
  const id = await client.say(scene.anaLid, 'campanha')
  await until('the refusal', () => client.statuses.get(id) === 0)
  await client.say(scene.anaLid, 'resposta')
  await until('the next', () => ana.received().length === 1)
  expect(ana.received()[0]!.text).toBe('resposta')
})

test('a message that came without its content is asked of the phone', async () => {
  const { ana, client, phone } = scene
  phone.goOnline()
  const id = await ana.write(SHOP, 'vim pelo anúncio', { withheld: true })
  const withId = () => client.messages.filter(({ key }) => key.id === id)
  await until('the placeholder', () => withId()[0]?.messageStubType === 2)
  const resent = await until('the content', () => withId().find(({ message }) => message))
  expect(resent).toMatchObject({
    key: { remoteJid: scene.anaLid },
    message: { conversation: 'vim pelo anúncio' },
  })
})

test('an account that moved to its LID refuses its phone number with 463', async () => {
  const { server, client } = scene
  const eva = await server.addPhone('5521933333333', { lidOnly: true })
  const refused = await client.say('5521933333333@s.whatsapp.net', 'pelo número')
  await until('the refusal', () => client.statuses.get(refused) === 0)
  const id = await client.say(`${eva.account.lid}@lid`, 'pelo LID')
  await until('the delivery', () => client.statuses.get(id) === 3)
})

test('a message whose ack is lost and that is sent again counts twice and is shown once', async () => {
  const { server, ana, client } = scene
  const acks = server.faults.holdAcks()
  const id = await client.say(scene.anaLid, 'Oi')
  await until('the message', () => ana.received().length === 1)
  acks.forget()
  await client.say(scene.anaLid, 'Oi', id)
  await until('the second', () => ana.received()[0]!.times === 2)
  expect(ana.received()).toHaveLength(1)
  expect(doubled(server.tally.accepted)).toEqual([id])
})

test('a number without WhatsApp is not found', async () => {
  expect(await scene.client.sock.onWhatsApp('5511900000404')).toEqual([])
})

test('a number is found under its other spelling', async () => {
  const { server, client } = scene
  await server.addPhone('551188887777', { aliases: ['5511988887777'] })
  expect(await client.sock.onWhatsApp('5511988887777')).toEqual([
    { jid: '551188887777@s.whatsapp.net', exists: true },
  ])
})

test('a client whose one-time keys run low is asked for more', async () => {
  const { ana, phone } = scene
  const device = phone.companions()[0]!
  device.keys.preKeys.splice(0, device.keys.preKeys.length - 5)
  await ana.write(SHOP, 'Oi')
  await until('the upload', () => device.keys.preKeys.length === 9)
})

test('a query that the server does not know is answered with 501 and written down', async () => {
  const { server, client } = scene
  const query = { tag: 'iq', attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:biz' }, content: [] }
  await expect(client.sock.query(query)).rejects.toThrow('feature-not-implemented')
  expect(server.unknown.splice(0)).toMatchObject([{ from: SHOP, stanza: { attrs: { xmlns: 'w:biz' } } }])
})

test('a stanza that the server does not know is written down', async () => {
  const { server, client } = scene
  await client.sock.sendNode({ tag: 'riddle', attrs: { id: '1' } })
  await until('the note', () => server.unknown.length > 0)
  expect(server.unknown.splice(0)).toMatchObject([{ from: SHOP, stanza: { tag: 'riddle' } }])
})
