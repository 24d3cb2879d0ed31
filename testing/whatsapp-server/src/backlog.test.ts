import { randomBytes } from 'node:crypto'
import { downloadMediaMessage, getContentType, normalizeMessageContent } from 'baileys'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from './scene.ts'
import { until } from './wait.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

const bytes = randomBytes(4_001)

test('every kind of message waits for a client that is away, in order', async () => {
  const { server, client, ana, phone } = scene
  const group = server.addGroup('Entregas', [ana, phone])
  const known = await client.say(scene.anaLid, 'Bom dia')
  await until('the greeting', () => ana.received().length === 1)
  server.dropSockets(SHOP)
  await until('the close', () => client.closes.includes(428))
  client.messages.length = 0
  const ids = [
    await ana.write(SHOP, 'Oi'),
    await ana.write(SHOP, { image: bytes, caption: 'o bolo' }),
    await ana.write(SHOP, { voice: bytes, seconds: 2 }),
    await ana.write(SHOP, { document: bytes, fileName: 'pedido.pdf' }, { quote: known }),
    await ana.write(SHOP, { location: { latitude: -23.5, longitude: -46.6 } }),
    await ana.write(SHOP, { contacts: [{ name: 'Bia', numbers: ['5511922222222'] }] }),
    await ana.react(SHOP, known, '👍'),
    await ana.write(group.id, 'no grupo'),
    await ana.post('um status', [SHOP]),
  ]
  phone.goOnline()
  ids.push(await phone.write(ANA, 'pelo celular'))
  const [first] = ids
  ids.push(await ana.edit(SHOP, first!, 'Olá'), await ana.revoke(SHOP, first!))
  ana.call(SHOP).end('timeout')
  client.restart()
  await until('everything', () => server.owed(SHOP) === 0 && server.online(SHOP))
  await until('all messages', () => client.messages.filter(({ message }) => message).length >= ids.length)
  const arrived = client.messages.filter(({ key }) => ids.includes(key.id!))
  expect(arrived.map(({ key }) => key.id)).toEqual(ids)
  const kinds = arrived.map(({ message }) => getContentType(normalizeMessageContent(message)))
  expect(kinds).toEqual([
    'conversation',
    'imageMessage',
    'audioMessage',
    'documentMessage',
    'locationMessage',
    'contactMessage',
    'reactionMessage',
    'conversation',
    'conversation',
    'conversation',
    'secretEncryptedMessage',
    'protocolMessage',
  ])
  expect((await downloadMediaMessage(arrived[1]!, 'buffer', {})).equals(bytes)).toBe(true)
  expect(client.calls.map(({ status }) => status)).toEqual(['offer', 'timeout'])
})
