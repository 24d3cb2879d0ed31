import { createHash } from 'node:crypto'
import type { PastChat } from '@balcao/whatsapp-server/past.ts'
import { inventPast } from '@balcao/whatsapp-server/past.ts'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trust } from '@balcao/whatsapp-server/trust.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { proto } from 'baileys'
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

test('an old message comes as it is now: edited, with receipt, reactions and votes; a status is none', async () => {
  const at = Math.floor(now / 1_000) - 3_600
  const ms = at * 1_000 + 5_000
  const chat = `${ANA}@s.whatsapp.net`
  const key = (id: string, fromMe = false) => ({ remoteJid: chat, fromMe, id })
  const old = (message: proto.IWebMessageInfo) => ({ message: { messageTimestamp: at, ...message } })
  const edit = {
    ...{ type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT, key: key('EDITED'), timestampMs: ms },
    editedMessage: { extendedTextMessage: { text: 'quero dois' } },
  }
  const vote = [createHash('sha256').update('Sábado').digest()]
  const messages = [
    old({ key: key('EDITED'), message: { editedMessage: { message: { protocolMessage: edit } } } }),
    old({
      ...{ key: key('READ', true), message: { conversation: 'Bom dia' }, status: 4 },
      reactions: [{ key: key('R1'), text: '👍', senderTimestampMs: ms }],
    }),
    old({
      key: key('POLL', true),
      message: {
        pollCreationMessage: {
          name: 'Que dia?',
          options: [{ optionName: 'Sexta' }, { optionName: 'Sábado' }],
        },
      },
      pollUpdates: [
        { pollUpdateMessageKey: key('V1'), vote: { selectedOptions: vote }, senderTimestampMs: ms },
      ],
    }),
    old({ key: key('CODE'), message: { placeholderMessage: { type: 0 } } }),
  ]
  const statusKey = { remoteJid: 'status@broadcast', fromMe: false, id: 'STATUS', participant: chat }
  const status = { messages: [old({ key: statusKey, message: { conversation: 'promoção' } })] }
  const bia = '5511922222222@s.whatsapp.net'
  const listed = { message: { conversation: 'Aberto no feriado' } }
  const inList = (id: string) => ({ remoteJid: '1700@broadcast', fromMe: true, id })
  const userReceipt = [{ userJid: chat }, { userJid: bia }]
  const toList = old({ ...listed, key: inList('LIST'), userReceipt })
  const changed = { ...edit, key: inList('LIST3') }
  const editedList = old({
    ...{ key: inList('LIST3'), userReceipt },
    message: { editedMessage: { message: { protocolMessage: changed } } },
  })
  const conversations = [
    { id: chat, name: 'Ana', username: 'Ana.Dias', messages },
    { id: 'status@broadcast', ...status },
    { id: '1700@broadcast', messages: [toList, editedList] },
    {
      id: bia,
      messages: [old({ ...listed, key: { remoteJid: bia, fromMe: true, id: 'LIST2' }, broadcast: true })],
    },
  ]
  const phoneNumberToLidMappings = [{ pnJid: chat, lidJid: '77000001@lid' }]
  const part = { chunkOrder: 1, progress: 100, conversations, phoneNumberToLidMappings }
  const history = [{ syncType: proto.HistorySync.HistorySyncType.RECENT, ...part }]
  const settings = { webUrl: server.url, version: null, log: pino({ level: 'silent' }), historyQuietMs: 500 }
  session = await createBaileysDriver(settings).open(host)
  await phone.scan(await until('a QR code', () => host.state.qrcode || null), { history })
  await until('the end of the past', () => ended > 0)
  const person = { fromMe: false, name: 'Ana', at: new Date(ms).toISOString() }
  const sent = { ack: 2, reactions: [], answers: [] }
  expect(staged.map(({ externalId, body, past }) => [externalId, body, past])).toEqual([
    ['EDITED', 'quero dois', { ack: 2, editedAt: expect.any(String), reactions: [], answers: [] }],
    ['READ', 'Bom dia', { ack: 4, reactions: [{ ...person, emoji: '👍' }], answers: [] }],
    [
      'POLL',
      'Que dia?',
      { ack: 2, reactions: [], answers: [{ ...person, answer: { to: 'poll', choices: [1] } }] },
    ],
    ['CODE', '', { ack: 2, reactions: [], answers: [] }],
    // by LID where that is known
    ...['77000001', '5511922222222'].map(to => [`LIST ${to}`, 'Aberto no feriado', sent]),
    ...['77000001', '5511922222222'].map(to => [
      `LIST3 ${to}`,
      'quero dois',
      { ...sent, editedAt: expect.any(String) },
    ]),
    ['LIST2 5511922222222', 'Aberto no feriado', sent],
  ])
  expect(staged.map(({ isToList }) => isToList === true)).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    true,
    true,
    true,
  ])
  expect(new Set(staged.slice(0, 4).map(one => one.chat.username))).toEqual(new Set(['ana.dias']))
  expect(host.counted).toContain('no chat of ours')
})
