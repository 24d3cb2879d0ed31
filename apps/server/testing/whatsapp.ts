import { setTimeout as sleep } from 'node:timers/promises'
import type { Typing } from '@balcao/contract/messages.ts'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trust } from '@balcao/whatsapp-server/trust.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import pino from 'pino'
import { expect } from 'vitest'
import { createBaileysDriver } from '../src/channels/baileys/index.ts'
import type { Pace } from '../src/channels/baileys/reconnect.ts'
import type {
  Chat,
  Deed,
  Driver,
  Heard,
  KeyRows,
  Outcome,
  Outgoing,
  Session,
  SessionDoor,
  SessionState,
  Target,
} from '../src/driver.ts'

export const SHOP = '5511900000001'
export const ANA = '5511911111111'

type Said = Pick<Outgoing, 'body' | 'content'>
type What = { what: 'delete' } | { what: 'edit'; body: string } | { what: 'react'; emoji: string }
type HeardMessage = Extract<Heard, { kind: 'message' }>
type HeardAck = Extract<Heard, { kind: 'ack' }>

/** A house that keeps in memory what a session tells and stores, as slowly as a database. */
export interface MemoryDoor extends SessionDoor {
  state: SessionState
  /** Every status that was reported, oldest first. */
  states: string[]
  heard: Heard[]
  messages(): HeardMessage[]
  acks(externalId: string): HeardAck[]
  rows: Map<string, string>
  /** What went out, by id. */
  said: Map<string, Said>
  /** What customers did, oldest first. */
  typed: { chat: Chat; state: Typing }[]
  /** Whether the lease is held. */
  isOwner: boolean
  /** Whether messages of groups are wanted. */
  groups: boolean
  /** How slow its storage is at most. */
  latencyMs: number
  /** Called before keys are written or news is heard; throwing makes them fail. */
  fault: (what: 'write' | 'hear') => void
}

export function openDoor({ pairNumber = '', latencyMs = 1, random = Math.random } = {}): MemoryDoor {
  const rows = new Map<string, string>()
  const wait = () => sleep(random() * door.latencyMs)
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
      door.fault('write')
      for (const { type, id, value } of changed)
        if (value === null) rows.delete(`${type} ${id}`)
        else rows.set(`${type} ${id}`, value)
    },
    clear: async () => rows.clear(),
  }
  const door: MemoryDoor = {
    companyId: 1,
    whatsappId: 1,
    pairNumber,
    owns: () => door.isOwner,
    isOwner: true,
    state: { status: 'DISCONNECTED', statusReason: '', qrcode: '', pairingCode: '', number: '', retries: 0 },
    states: [],
    heard: [],
    rows,
    said: new Map(),
    typed: [],
    groups: true,
    latencyMs,
    fault: () => {},
    messages: () => door.heard.filter(one => one.kind === 'message'),
    acks: id => door.heard.filter(one => one.kind === 'ack').filter(one => one.externalId === id),
    async hear(news) {
      await wait()
      door.fault('hear')
      door.heard.push(...news)
    },
    async report(state) {
      Object.assign(door.state, state)
      if (state.status) door.states.push(state.status)
    },
    async sent(externalId) {
      return door.said.get(externalId) ?? null
    },
    typing: (chat, state) => void door.typed.push({ chat, state }),
    takesGroups: async () => door.groups,
    history: async () => null,
    stage: async () => {},
    keys,
  }
  return door
}

/** A shop whose number a session of the driver runs, and a customer. */
export interface Scene {
  server: WhatsAppServer
  /** The shop's phone, with which the session was linked. */
  phone: Phone
  ana: Phone
  door: MemoryDoor
  session: Session
  /** The session ends without a word; the same door is opened again. */
  reopen(): Promise<void>
  /** Sends a text under a new id. */
  say(text: string, chat?: Chat): Promise<{ id: string; outcome: Outcome }>
  /** Sends anything under a new id, to Ana unless another chat is named. */
  send(message: Partial<Outgoing>): Promise<{ id: string; outcome: Outcome }>
  /** Does something to a message, in the chat with Ana unless another is named. */
  act(deed: What & Partial<Deed> & { target: Target }): Promise<Outcome>
  end(): Promise<void>
}

export interface SceneOptions {
  latencyMs?: number
  /** What draws how slow it is. */
  random?: () => number
  by?: 'qr' | 'code'
  pace?: Pace
  /** In reach, the shop's phone confirms messages too. */
  phoneOnline?: boolean
}

let ids = 0
const newId = () => `3EB0${(Date.now() * 1000 + ++ids).toString(16).toUpperCase().padStart(18, '0')}`

/** The driver as it runs against a test server. */
export function newDriver(
  server: { url: string },
  pace?: Pace,
  version: [number, number, number] | null = null,
): Driver {
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' })
  return createBaileysDriver({ webUrl: server.url, version, log, pace })
}

/** Opens a session of the driver on a door, with what the door knows. */
export const newSession = (
  server: { url: string },
  door: SessionDoor,
  pace?: Pace,
  version?: [number, number, number],
): Promise<Session> => newDriver(server, pace, version).open(door)

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
  const { latencyMs, random, by = 'qr', pace = { firstMs: 20, mostMs: 100 }, phoneOnline = false } = options
  const server = await startWhatsAppServer()
  trust(server)
  const phone = await server.addPhone(SHOP, { name: 'Padaria Central' })
  const ana = await server.addPhone(ANA, { name: 'Ana' })
  const door = openDoor({ latencyMs, random, pairNumber: by === 'code' ? SHOP : '' })
  const scene: Scene = {
    server,
    phone,
    ana,
    door,
    session: await newSession(server, door, pace),
    async reopen() {
      await scene.session.close({ logout: false })
      scene.session = await newSession(server, door, pace)
    },
    say: (text, chat) => scene.send({ body: text, ...(chat && { chat }) }),
    async send(message) {
      const id = newId()
      const whole: Outgoing = {
        chat: { kind: 'lid', value: ana.account.lid },
        externalId: id,
        body: '',
        content: { kind: 'text' },
        again: false,
        ...message,
      }
      door.said.set(id, whole)
      return { id, outcome: await scene.session.send(whole) }
    },
    act: deed =>
      scene.session.act({ chat: { kind: 'lid', value: ana.account.lid }, externalId: newId(), ...deed }),
    async end() {
      await scene.session.close({ logout: false })
      await server.close()
      expect(server.errors).toEqual([])
      expect(server.unknown).toEqual([])
    },
  }
  if (by === 'qr') await phone.scan(await until('a QR code', () => door.state.qrcode || null))
  else await phone.enterCode(await until('a pairing code', () => door.state.pairingCode || null))
  await until('the connection', () => door.state.status === 'CONNECTED')
  await until('the history to be confirmed', () => server.owed(SHOP) === 0)
  if (!phoneOnline) phone.goOffline()
  return scene
}
