import type { PastChat } from '@balcao/whatsapp-server/past.ts'
import { inventPast } from '@balcao/whatsapp-server/past.ts'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trust } from '@balcao/whatsapp-server/trust.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, type MemoryHost, openHost, SHOP } from '../../../../testing/whatsapp.ts'
import { type ChannelSession, type InboundEvent, LeaseLost } from '../../../driver.ts'
import { createBaileysDriver } from '../index.ts'

const DAY = 86_400_000
const now = Math.floor(Date.now() / 1000) * 1000
const daysAgo = (days: number) => new Date(now - days * DAY)

let server: WhatsAppServer
let phone: Phone
let ana: Phone
let host: MemoryHost
let session: ChannelSession
let staged: Extract<InboundEvent, { kind: 'message' }>[]
let ended: number
/** What staging does first. */
let fault: () => void

beforeEach(async () => {
  server = await startWhatsAppServer()
  trust(server)
  phone = await server.addPhone(SHOP, { name: 'Padaria Central' })
  ana = await server.addPhone(ANA, { name: 'Ana' })
  staged = []
  ended = 0
  fault = () => {}
  host = Object.assign(openHost(), {
    history: async () => ({
      from: daysAgo(400).toISOString(),
      until: daysAgo(0).toISOString(),
      groups: true,
    }),
    async stage(old: typeof staged, isLast: boolean) {
      fault()
      staged.push(...structuredClone(old))
      if (isLast) ended++
    },
  })
})

afterEach(async () => {
  await session.close({ logout: false })
  await server.close()
  expect(server.errors).toEqual([])
})

async function link(past: PastChat[], historyQuietMs = 1_500) {
  const settings = { webUrl: server.url, version: null, log: pino({ level: 'silent' }), historyQuietMs }
  session = await createBaileysDriver({ ...settings, pace: { firstMs: 20, mostMs: 100, restMs: 400 } }).open(
    host,
  )
  await phone.scan(await until('a QR code', () => host.state.qrcode || null), { past })
  await until('the connection', () => host.state.status === 'CONNECTED')
}

test('the past of a phone is handed over with its times, its authors and its names, and then it is said to be whole', async () => {
  await link([
    {
      with: ANA,
      name: 'Ana do Centro',
      unread: 2,
      messages: [
        { from: ANA, content: 'velha', at: daysAgo(200), id: 'VELHA' },
        { from: ANA, content: 'nova', at: daysAgo(3), id: 'NOVA' },
        { from: SHOP, content: 'resposta', at: daysAgo(2), id: 'RESPOSTA' },
      ],
    },
  ])
  await until('the end of the past', () => ended > 0)
  const known = new Map(staged.map(one => [one.externalId, one]))
  expect([...known.keys()].sort()).toEqual(['NOVA', 'RESPOSTA', 'VELHA'])
  expect(known.get('VELHA')).toMatchObject({
    body: 'velha',
    fromMe: false,
    name: 'Ana do Centro',
    at: daysAgo(200).toISOString(),
  })
  expect(known.get('VELHA')!.chat.also ?? known.get('VELHA')!.chat).toMatchObject({
    kind: 'phone',
    value: ANA,
  })
  expect(known.get('RESPOSTA')).toMatchObject({ body: 'resposta', fromMe: true })
  expect(host.messages()).toEqual([])
})

test('a part that cannot be written down at first is written down later', async () => {
  let failures = 2
  fault = () => {
    if (failures-- > 0) throw new Error('the database is away')
  }
  await link(inventPast({ of: SHOP, chats: 2, messages: 40, days: 200 }))
  await until('the end of the past', () => ended > 0, 30_000)
  expect(new Set(staged.map(one => one.externalId)).size).toBe(80)
})

test('who no longer owns the connection stages nothing more', async () => {
  let refusals = 1
  fault = () => {
    if (refusals-- > 0) throw new LeaseLost()
  }
  await link(inventPast({ of: SHOP, chats: 4, messages: 300, days: 30 }), 1).catch(() => {})
  await until('the refusal', () => refusals < 1)
  await until('the session to end', () => !session.ready())
  await session.close({ logout: false })
  expect([staged.length, ended]).toEqual([0, 0])
})

test('nothing is asked for when no past is wanted', async () => {
  host.history = async () => null
  await link(inventPast({ of: SHOP, chats: 2, messages: 5, days: 30 }), 1)
  await until('the history to be confirmed', () => server.owed(SHOP) === 0)
  await ana.write(SHOP, 'Oi')
  await until('what is written now', () => host.messages().length === 1)
  expect([staged.length, ended]).toEqual([0, 0])
})
