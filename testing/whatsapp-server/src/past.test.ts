import { randomBytes } from 'node:crypto'
import { type BaileysEventMap, downloadMediaMessage, proto } from 'baileys'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, startClient } from './client.ts'
import { inventPast, type PastChat } from './past.ts'
import type { Phone } from './phone.ts'
import { ANA, SHOP } from './scene.ts'
import { startWhatsAppServer, type WhatsAppServer } from './server.ts'
import { until } from './wait.ts'

type Chunk = BaileysEventMap['messaging-history.set']

const { RECENT, FULL } = proto.HistorySync.HistorySyncType
const DAY = 86_400_000
const now = Math.floor(Date.now() / 1000) * 1000
const daysAgo = (days: number) => new Date(now - days * DAY)

let server: WhatsAppServer
let phone: Phone
let client: Client
let chunks: Chunk[]

beforeEach(async () => {
  server = await startWhatsAppServer()
  phone = await server.addPhone(SHOP, { name: 'Padaria Central' })
  await server.addPhone(ANA, { name: 'Ana' })
})

afterEach(async () => {
  await client.stop()
  await server.close()
  expect(server.errors).toEqual([])
  expect(server.unknown).toEqual([])
})

/** A client that requests the whole history, or the default one, is linked to a phone with a past. */
async function link(past: PastChat[], { full = true } = {}): Promise<void> {
  const config = { syncFullHistory: full, shouldSyncHistoryMessage: () => true }
  chunks = []
  client = startClient(server, {
    config,
    onSocket: sock => sock.ev.on('messaging-history.set', chunk => chunks.push(chunk)),
  })
  await phone.scan(await client.qr(), { past })
  await client.opened()
}

// Baileys merges chunks arbitrarily, keeps the fields of the last one, and drops what it has seen.
const messages = () => chunks.flatMap(chunk => chunk.messages)
const ids = () => new Set(messages().map(({ key }) => key.id!))
const words = () => messages().map(({ message }) => message?.conversation)

const isDone = (type: proto.HistorySync.HistorySyncType) =>
  chunks.some(({ syncType, progress }) => syncType === type && progress === 100)

test('old chats come with their times, their authors and their names', async () => {
  const past = [
    {
      with: ANA,
      unread: 2,
      messages: [
        { from: ANA, content: 'velha', at: daysAgo(200), id: 'VELHA' },
        { from: ANA, content: 'nova', at: daysAgo(3) },
        { from: SHOP, content: 'resposta', at: daysAgo(2) },
      ],
    },
  ]
  await link(past)
  await until('everything', () => isDone(FULL))
  const chat = `${server.phone(ANA).account.lid}@lid`
  const [shown] = chunks[0]!.chats
  expect(shown).toMatchObject({ id: chat, name: 'Ana', unreadCount: 2, pnJid: `${ANA}@s.whatsapp.net` })
  expect(messages()).toHaveLength(3)
  const [answer, recent, old] = messages().toSorted(
    (one, other) => Number(other.messageTimestamp) - Number(one.messageTimestamp),
  )
  expect(answer).toMatchObject({
    key: { remoteJid: chat, fromMe: true },
    status: 4,
    message: { conversation: 'resposta' },
  })
  expect(recent).toMatchObject({ key: { remoteJid: chat, fromMe: false }, pushName: 'Ana' })
  expect(old).toMatchObject({ key: { id: 'VELHA' }, message: { conversation: 'velha' } })
  expect(Number(old!.messageTimestamp) * 1000).toBe(daysAgo(200).getTime())
  expect(chunks.flatMap(({ contacts }) => contacts)).toContainEqual(
    expect.objectContaining({ id: chat, notify: 'Ana' }),
  )
  expect(await client.sock.signalRepository.lidMapping.getPNForLID(chat)).toBe(`${ANA}:0@s.whatsapp.net`)
})

test('a client that did not ask for everything gets what is recent', async () => {
  await link(inventPast({ of: SHOP, chats: 2, messages: 9, days: 400 }), { full: false })
  await until('the end', () => isDone(RECENT))
  await until('its receipts', () => server.owed(SHOP) === 0)
  expect(isDone(FULL)).toBe(false)
  expect(new Set(words())).toEqual(new Set(['mensagem 8', 'mensagem 9']))
})

test('n chats of m messages come in chunks that say how far they are', async () => {
  await link(inventPast({ of: SHOP, chats: 6, messages: 2_000, until: daysAgo(100) }))
  await until('everything', () => isDone(FULL), 10_000)
  expect(ids().size).toBe(12_000)
  // The last messages, the names, what is recent (nothing), and three times what is older.
  expect(server.media.downloads).toHaveLength(6)
  const full = chunks.filter(({ syncType }) => syncType === FULL).map(({ progress }) => progress!)
  expect(full).toEqual(full.toSorted((one, other) => one - other))
})

test('groups come with who wrote', async () => {
  const group = server.addGroup('Fornecedores', [phone, server.phone(ANA)])
  const members = group.members.map(({ number }) => ({ number }))
  await link(inventPast({ of: SHOP, chats: 0, messages: 4, groups: [{ id: group.id, members }], days: 3 }))
  await until('everything', () => isDone(FULL))
  expect(chunks[0]!.chats).toMatchObject([{ id: `${group.id}@g.us`, name: 'Fornecedores' }])
  const ana = `${server.phone(ANA).account.lid}@lid`
  const authors = messages().map(({ key }) => `${key.fromMe} ${key.participant}`)
  expect(authors.toSorted()).toEqual([`false ${ana}`, `false ${ana}`, 'true null', 'true null'])
})

test('a past that is told again has the same ids', async () => {
  await link(inventPast({ of: SHOP, chats: 3, messages: 50, until: daysAgo(100) }))
  await until('everything', () => isDone(FULL))
  const first = ids()
  server.dropSockets(SHOP)
  await until('the close', () => client.closes.includes(428))
  chunks = []
  client.restart()
  await client.opened()
  await phone.tellPast()
  await until('everything again', () => isDone(FULL))
  expect(ids()).toEqual(first)
})

test('files of the past are there, and are uploaded again when they expired', async () => {
  const bytes = randomBytes(3_000)
  await link([{ with: ANA, messages: [{ from: ANA, content: { image: bytes }, at: daysAgo(200) }] }])
  await until('everything', () => isDone(FULL))
  const [message] = messages()
  expect((await downloadMediaMessage(message!, 'buffer', {})).equals(bytes)).toBe(true)
  server.media.expire()
  const renewed = await client.sock.updateMediaMessage(message!)
  expect((await downloadMediaMessage(renewed, 'buffer', {})).equals(bytes)).toBe(true)
})

test('older messages of a chat come on demand', async () => {
  const past = inventPast({ of: SHOP, chats: 1, messages: 200, days: 199 })
  await link(past, { full: false })
  await until('what is recent', () => isDone(RECENT))
  const oldest = messages().toSorted(
    (one, other) => Number(one.messageTimestamp) - Number(other.messageTimestamp),
  )[0]!
  expect(oldest.message!.conversation).toBe('mensagem 111')
  const request = await client.sock.fetchMessageHistory(3, oldest.key, Number(oldest.messageTimestamp) * 1000)
  await until('the answer', () => chunks.at(-1)!.peerDataRequestSessionId === request)
  expect(words().slice(-3)).toEqual(['mensagem 110', 'mensagem 109', 'mensagem 108'])
})

test('a hundred thousand messages are handed over within a minute', async () => {
  const begin = performance.now()
  await link(inventPast({ of: SHOP, chats: 1_000, messages: 100, until: daysAgo(100) }))
  await until('everything', () => isDone(FULL), 60_000)
  expect(ids().size).toBe(100_000)
  console.log(`100,000 messages in ${Math.round(performance.now() - begin)} ms`)
}, 90_000)
