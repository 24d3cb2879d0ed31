import { expect } from 'vitest'
import { type Client, startClient } from './client.ts'
import type { Phone } from './phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from './server.ts'
import { until } from './wait.ts'

export const SHOP = '5511900000001'
export const ANA = '5511911111111'

/** The usual scene: a shop whose client is online, and a customer. */
export interface Scene {
  server: WhatsAppServer
  /** The shop's phone, with which the client was linked. */
  phone: Phone
  client: Client
  ana: Phone
  /** The addresses of the customer. */
  anaLid: string
  anaPn: string
  /** Stops everything, and fails when the server met anything it does not know. */
  end(): Promise<void>
}

/** Sets the scene. The shop's phone is offline by default, so that receipts come from the client alone. */
export async function setScene({ phoneOnline = false, reconnect = false } = {}): Promise<Scene> {
  const server = await startWhatsAppServer()
  const client = startClient(server, { reconnect })
  const phone = await server.addPhone(SHOP, { name: 'Padaria Central' })
  const ana = await server.addPhone(ANA, { name: 'Ana' })
  await phone.scan(await client.qr())
  await client.opened()
  await until('the client to have confirmed the history', () => client.auth.creds.accountSyncCounter === 1)
  await until('its receipts', () => server.owed(SHOP) === 0)
  if (!phoneOnline) phone.goOffline()
  return {
    server,
    phone,
    client,
    ana,
    anaLid: `${ana.account.lid}@lid`,
    anaPn: `${ANA}@s.whatsapp.net`,
    async end() {
      await client.stop()
      await server.close()
      expect(server.errors).toEqual([])
      expect(server.unknown).toEqual([])
    },
  }
}
