import { setTimeout as sleep } from 'node:timers/promises'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trust } from '@balcao/whatsapp-server/trust.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import pino from 'pino'
import { expect } from 'vitest'
import { createBaileysDriver } from '../src/channels/baileys/index.ts'
import type { Pace } from '../src/channels/baileys/reconnect.ts'
import type {
  Heard,
  KeyRows,
  Outcome,
  Outgoing,
  Session,
  SessionDoor,
  SessionState,
} from '../src/channels/driver.ts'

export const SHOP = '5511900000001'
export const ANA = '5511911111111'

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
  texts: Map<string, string>
  /** Called before keys are written or news is heard; throwing makes them fail. */
  fault: (what: 'write' | 'hear') => void
}

export function openDoor({ pairNumber = '', latencyMs = 1 } = {}): MemoryDoor {
  const rows = new Map<string, string>()
  const wait = () => sleep(Math.random() * latencyMs)
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
    state: { status: 'DISCONNECTED', statusReason: '', qrcode: '', pairingCode: '', number: '', retries: 0 },
    states: [],
    heard: [],
    rows,
    texts: new Map(),
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
      const body = door.texts.get(externalId)
      return body === undefined ? null : { body }
    },
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
  say(text: string, chat?: Outgoing['chat']): Promise<{ id: string; outcome: Outcome }>
  end(): Promise<void>
}

export interface SceneOptions {
  latencyMs?: number
  by?: 'qr' | 'code'
  pace?: Pace
  /** In reach, the shop's phone confirms messages too. */
  phoneOnline?: boolean
}

let ids = 0
const newId = () => `3EB0${(Date.now() * 1000 + ++ids).toString(16).toUpperCase().padStart(18, '0')}`

/** Opens a session of the driver on a door, with what the door knows. */
export function newSession(server: { url: string }, door: SessionDoor, pace?: Pace): Promise<Session> {
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' })
  return createBaileysDriver({ webUrl: server.url, version: null, log, pace }).open(door)
}

export async function setScene(options: SceneOptions = {}): Promise<Scene> {
  const { latencyMs, by = 'qr', pace = { firstMs: 20, mostMs: 100 }, phoneOnline = false } = options
  const server = await startWhatsAppServer()
  trust(server)
  const phone = await server.addPhone(SHOP, { name: 'Padaria Central' })
  const ana = await server.addPhone(ANA, { name: 'Ana' })
  const door = openDoor({ latencyMs, pairNumber: by === 'code' ? SHOP : '' })
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
    async say(text, chat = { kind: 'lid', value: ana.account.lid }) {
      const id = newId()
      door.texts.set(id, text)
      const outcome = await scene.session.send({ chat, externalId: id, body: text, again: false })
      return { id, outcome }
    },
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
