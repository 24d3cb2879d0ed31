import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, startClient } from './client.ts'
import { startWhatsAppServer, type WhatsAppServer } from './server.ts'

let server: WhatsAppServer
let client: Client

beforeEach(async () => {
  server = await startWhatsAppServer()
  client = startClient(server)
})

afterEach(async () => {
  await client.stop()
  await server.close()
  expect(server.errors).toEqual([])
  expect(server.unknown).toEqual([])
})

test('a client is paired by QR code, restarts and is open', async () => {
  const phone = await server.phone('5511900000001', { name: 'Padaria Central' })
  await phone.scan(await client.qr())
  await client.opened()
  expect(client.closes).toEqual([515])
  expect(client.sock.user?.id).toBe('5511900000001:1@s.whatsapp.net')
})
