import { setTimeout as sleep } from 'node:timers/promises'
import type { Typing } from '@balcao/contract/messages.ts'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trust } from '@balcao/whatsapp-server/trust.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import pino from 'pino'
import { expect } from 'vitest'
import { createBaileysDriver } from '../src/channels/baileys/index.ts'
import type { Backoff } from '../src/channels/baileys/session/reconnect.ts'
import { openVoiceNotes } from '../src/channels/voice-notes/voice-notes.ts'
import type { LinkPreview } from '../src/driver.content.ts'
import type {
  BookEntry,
  ChannelSession,
  Chat,
  Driver,
  FallNote,
  InboundEvent,
  Incomplete,
  KeyRows,
  Operation,
  Outcome,
  Outgoing,
  SessionHost,
  SessionState,
  Silence,
} from '../src/driver.ts'

export const SHOP = '5511900000001'
export const ANA = '5511911111111'

type Said = Pick<Outgoing, 'body' | 'content'>
type InboundMessage = Extract<InboundEvent, { kind: 'message' }>
type InboundAck = Extract<InboundEvent, { kind: 'ack' }>

/** An application that keeps in memory the events and data of a session, as slowly as a database. */
export interface MemoryHost extends SessionHost {
  state: SessionState
  /** Every status that was reported, oldest first. */
  states: string[]
  falls: FallNote[]
  /** Until when the number begins no conversations. */
  restrictedUntil: string | null
  heard: InboundEvent[]
  messages(): InboundMessage[]
  acks(externalId: string): InboundAck[]
  rows: Map<string, string>
  /** What went out, by id. */
  said: Map<string, Said>
  /** Previews of texts. */
  previews: Map<string, LinkPreview>
  /** What the phone's address book calls people. */
  book: BookEntry[]
  /** What customers did, oldest first. */
  typed: { chat: Chat; state: Typing }[]
  /** Whether the lease is held. */
  isOwner: boolean
  /** What was counted as incomplete. */
  counted: (Incomplete | Silence)[]
  /** Whether messages of groups are wanted. */
  groups: boolean
  /** How slow its storage is at most. */
  latencyMs: number
  /** Called before keys are written or events are received; throwing makes them fail. */
  fault: (what: 'write' | 'hear') => void
}

const NEW: SessionState = {
  status: 'DISCONNECTED',
  statusReason: '',
  statusUntil: null,
  qrcode: '',
  pairingCode: '',
  number: '',
  retries: 0,
}

export function openHost({ pairNumber = '', latencyMs = 1, random = Math.random } = {}): MemoryHost {
  const rows = new Map<string, string>()
  const wait = () => sleep(random() * host.latencyMs)
  const keys: KeyRows = {
    async read(type, ids) {
      await wait()
      return new Map(ids.flatMap(id => (rows.has(`${type} ${id}`) ? [[id, rows.get(`${type} ${id}`)!]] : [])))
    },
    async readAll(type) {
      await wait()
      const own = [...rows].filter(([key]) => key.startsWith(`${type} `))
      return new Map(own.map(([key, value]) => [key.slice(type.length + 1), value]))
    },
    async write(changed) {
      await wait()
      host.fault('write')
      for (const { type, id, value } of changed)
        if (value === null) rows.delete(`${type} ${id}`)
        else rows.set(`${type} ${id}`, value)
    },
    clear: async () => rows.clear(),
  }
  const voiceNotes = openVoiceNotes({ recodeMs: 30_000, waitMs: 60_000 })
  const host: MemoryHost = {
    companyId: 1,
    whatsappId: 1,
    pairNumber,
    owns: () => host.isOwner,
    write: async () => Promise.reject(new Error('no rows are here')),
    isOwner: true,
    state: NEW,
    states: [],
    falls: [],
    restrictedUntil: null,
    heard: [],
    rows,
    said: new Map(),
    typed: [],
    groups: true,
    counted: [],
    latencyMs,
    fault: () => {},
    messages: () => host.heard.filter(one => one.kind === 'message'),
    acks: id => host.heard.filter(one => one.kind === 'ack').filter(one => one.externalId === id),
    async receive(incoming) {
      await wait()
      host.fault('hear')
      host.heard.push(...incoming)
    },
    async report({ fall, ...state }) {
      host.state = { ...host.state, ...state }
      if (fall) host.falls.push(fall)
      if (state.status) host.states.push(state.status)
    },
    restsUntil: async () => (host.state.status === 'DISCONNECTED' ? host.state.statusUntil : null),
    async restrict(until) {
      host.restrictedUntil = until
    },
    async sent(externalId) {
      return host.said.get(externalId) ?? null
    },
    voiceNote: ({ media, open }) => voiceNotes.voiceNote({ companyId: 1, type: media.type, open }),
    waveform: ({ media, open }) => voiceNotes.waveform({ companyId: 1, type: media.type, open }),
    linkPreview: async text => host.previews.get(text) ?? null,
    previews: new Map(),
    keepBook: async entries => void host.book.push(...entries),
    book: [],
    typing: (chat, state) => void host.typed.push({ chat, state }),
    acceptsGroups: async () => host.groups,
    count: what => void host.counted.push(what),
    recording: () => {},
    history: async () => null,
    stage: async () => {},
    keys,
  }
  return host
}

/** An operation whose chat and id may be left out. */
type Act = Operation extends infer One
  ? One extends Operation
    ? Omit<One, 'chat' | 'externalId'> & Partial<Pick<One, 'chat' | 'externalId'>>
    : never
  : never

/** A shop whose number a session of the driver runs, and a customer. */
export interface Scene {
  server: WhatsAppServer
  /** The shop's phone, with which the session was linked. */
  phone: Phone
  ana: Phone
  host: MemoryHost
  session: ChannelSession
  /** The session ends without a word; the same door is opened again. */
  reopen(): Promise<void>
  /** Sends a text under a new id. */
  say(text: string, chat?: Chat): Promise<{ id: string; outcome: Outcome }>
  /** Sends anything under a new id, to Ana unless another chat is named. */
  send(message: Partial<Outgoing>): Promise<{ id: string; outcome: Outcome }>
  /** Does something to a message, in the chat with Ana unless another is named. */
  act(operation: Act): Promise<Outcome>
  end(): Promise<void>
}

export interface SceneOptions {
  latencyMs?: number
  /** What draws how slow it is. */
  random?: () => number
  by?: 'qr' | 'code'
  pace?: Backoff
  /** In reach, the shop's phone confirms messages too. */
  phoneOnline?: boolean
}

/** A lease without contention. */
export const owned = async () => {}

let ids = 0
const newId = () => `3EB0${(Date.now() * 1000 + ++ids).toString(16).toUpperCase().padStart(18, '0')}`

/** The driver as it runs against a test server. */
export function newDriver(
  server: { url: string },
  pace?: Backoff,
  version: [number, number, number] | null = null,
): Driver {
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' })
  return createBaileysDriver({ webUrl: server.url, version, log, pace })
}

/** Opens a session of the driver on a door, with what the door knows. */
export const newSession = (
  server: { url: string },
  host: SessionHost,
  pace?: Backoff,
  version?: [number, number, number],
): Promise<ChannelSession> => newDriver(server, pace, version).open(host)

/** Numbers from 0 to 1 that are drawn anew the same for the same seed (mulberry32). */
export function draws(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export async function setScene(options: SceneOptions = {}): Promise<Scene> {
  const {
    latencyMs,
    random,
    by = 'qr',
    pace = { firstMs: 20, mostMs: 100, restMs: 400 },
    phoneOnline = false,
  } = options
  const server = await startWhatsAppServer()
  trust(server)
  const phone = await server.addPhone(SHOP, { name: 'Padaria Central' })
  const ana = await server.addPhone(ANA, { name: 'Ana' })
  const host = openHost({ latencyMs, random, pairNumber: by === 'code' ? SHOP : '' })
  const scene: Scene = {
    server,
    phone,
    ana,
    host,
    session: await newSession(server, host, pace),
    async reopen() {
      await scene.session.close({ logout: false })
      scene.session = await newSession(server, host, pace)
    },
    say: (text, chat) => scene.send({ body: text, ...(chat && { chat }) }),
    async send(message) {
      const id = newId()
      const whole: Outgoing = {
        chat: { kind: 'lid', value: scene.ana.account.lid },
        externalId: id,
        body: '',
        content: { kind: 'text' },
        again: false,
        ...message,
      }
      host.said.set(id, whole)
      return { id, outcome: await scene.session.send(whole, owned) }
    },
    act: operation =>
      scene.session.act(
        { chat: { kind: 'lid', value: scene.ana.account.lid }, externalId: newId(), ...operation },
        owned,
      ),
    async end() {
      await scene.session.close({ logout: false })
      await server.close()
      expect(server.errors).toEqual([])
      expect(server.unknown).toEqual([])
    },
  }
  if (by === 'qr') await phone.scan(await until('a QR code', () => host.state.qrcode || null))
  else await phone.enterCode(await until('a pairing code', () => host.state.pairingCode || null))
  await until('the connection', () => host.state.status === 'CONNECTED')
  await until('the history to be confirmed', () => server.owed(SHOP) === 0)
  if (!phoneOnline) phone.goOffline()
  return scene
}
