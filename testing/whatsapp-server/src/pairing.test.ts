import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, startClient } from './client.ts'
import type { Phone } from './phone.ts'
import { SHOP } from './scene.ts'
import { startWhatsAppServer, type WhatsAppServer } from './server.ts'
import { until } from './wait.ts'

let server: WhatsAppServer
let phone: Phone
let client: Client

beforeEach(async () => {
  server = await startWhatsAppServer()
  phone = await server.addPhone(SHOP, { name: 'Padaria Central' })
  client = startClient(server)
})

afterEach(async () => {
  await client.stop()
  await server.close()
  expect(server.errors).toEqual([])
  expect(server.unknown).toEqual([])
})

test('a client is paired by QR code, restarts and is open', async () => {
  await phone.scan(await client.qr())
  await client.opened()
  expect(client.closes).toEqual([515])
  expect(client.sock.user?.id).toBe(`${SHOP}:1@s.whatsapp.net`)
  expect(client.sock.user?.lid).toBe(`${phone.account.lid}:1@lid`)
})

test('a client is paired by a code that is typed on the phone', async () => {
  await client.qr()
  await phone.enterCode(await client.sock.requestPairingCode(SHOP))
  await client.opened()
  expect(client.closes).toEqual([515])
  expect(client.auth.creds.registered).toBe(true)
})

test('a wrong pairing code is refused', async () => {
  await client.qr()
  await client.sock.requestPairingCode(SHOP, 'ABCD1234')
  await expect(phone.enterCode('ABCD1235')).rejects.toThrow('wrong pairing code')
  expect(phone.companions()).toEqual([])
})

test('a QR code that no client shows is refused', async () => {
  await client.qr()
  await expect(phone.scan('https://wa.me/settings/linked_devices#old,AA==,AA==,AA==,1')).rejects.toThrow(
    'a client that can be paired',
  )
})

test('the phone hands over its name and the end of its history, so that events flow at once', async () => {
  await phone.scan(await client.qr())
  await client.opened()
  await until('the name', () => client.auth.creds.me?.name === 'Padaria Central')
  await until('the end of the first sync', () => client.auth.creds.accountSyncCounter === 1)
})

test('the old chats that a phone hands over arrive as history', async () => {
  const chats: string[] = []
  const jid = '5511911111111@s.whatsapp.net'
  const old = { key: { remoteJid: jid, id: 'OLD1', fromMe: false }, message: { conversation: 'antiga' } }
  const conversations = [{ id: jid, name: 'Ana', messages: [{ message: { ...old, messageTimestamp: 1 } }] }]
  await phone.scan(await client.qr(), {
    history: [{ syncType: 3, progress: 100, chunkOrder: 1, conversations }],
  })
  await client.opened()
  client.sock.ev.on('messaging-history.set', ({ messages }) => {
    chats.push(...messages.map(({ message }) => message?.conversation ?? ''))
  })
  await until('the old message', () => chats.includes('antiga'))
})

test('a login is refused with the code that the test asks for', async () => {
  await phone.scan(await client.qr())
  await client.opened()
  for (const code of [403, 405, 503]) {
    server.faults.refuse(code)
    server.dropSockets()
    client.restart()
    await until(`a close with ${code}`, () => client.closes.includes(code))
  }
  server.faults.refuse(undefined)
  client.restart()
  await client.opened()
})

test('a client that was unlinked while offline is refused with 401', async () => {
  await phone.scan(await client.qr())
  await client.opened()
  server.dropSockets()
  await until('the close', () => client.closes.includes(428))
  phone.unlink()
  client.restart()
  await until('the refusal', () => client.closes.includes(401))
})

test('unlinking on the phone ends the connection with 401', async () => {
  await phone.scan(await client.qr())
  await client.opened()
  phone.unlink()
  await until('the removal', () => client.closes.includes(401))
  expect(phone.companions()).toEqual([])
})

test('a client that logs out is taken off the list', async () => {
  await phone.scan(await client.qr())
  await client.opened()
  await client.sock.logout()
  await until('the removal', () => phone.companions().length === 0)
})

test('a second login with the same keys replaces the first with 440', async () => {
  await phone.scan(await client.qr())
  await client.opened()
  const second = startClient(server, { auth: client.auth })
  await second.opened()
  await until('the replacement', () => client.closes.includes(440))
  await second.stop()
})

test('a number can be paired again after it was unlinked', async () => {
  await phone.scan(await client.qr())
  await client.opened()
  phone.unlink()
  const again = startClient(server)
  await phone.scan(await again.qr())
  await again.opened()
  expect(again.sock.user?.id).toBe(`${SHOP}:2@s.whatsapp.net`)
  await again.stop()
})
