import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Curve } from 'baileys'
import { WebSocketServer } from 'ws'
import { ClientSocket } from './client-socket.ts'
import { type Account, type AccountOptions, type Addressing, Directory } from './directory.ts'
import { type Faults, makeFaults } from './faults.ts'
import { Group } from './groups.ts'
import { admit, leave } from './login.ts'
import { type Media, startMediaHost } from './media-host.ts'
import type { Order } from './orders.ts'
import { makeParticipant } from './participant.ts'
import { Phone } from './phone.ts'
import { type Pki, sharedPki } from './pki.ts'
import { quietLibsignal } from './quiet.ts'
import { receiveStanza } from './stanzas.ts'
import type { State, Unknown } from './state.ts'
import { makeTally, type Tally } from './tally.ts'

export interface ServerOptions {
  /** Default 0: any free port. */
  port?: number
  /** The authority that certifies this server; by default shared by all servers of a process. */
  pki?: Pki
  /** Pairing needs a third of the time, as clients make 5 one-time keys instead of 812: for many at once. */
  fewKeys?: boolean
}

export interface PhoneOptions extends AccountOptions {
  /** How the phone addresses chats: by LID, as most do today, or by phone number. */
  addressing?: Addressing
}

export interface WhatsAppServer {
  /** For Baileys' `waWebSocketUrl`. */
  url: string
  /** For `WA_CERT_DETAILS.PUBLIC_KEY`. */
  rootPublicKey: Buffer
  /** A new phone with this number: the owner of a connection, or a customer. Throws when the number exists. */
  addPhone(number: string, options?: PhoneOptions): Promise<Phone>
  /** The phone with this number. Throws when there is none. */
  phone(number: string): Phone
  /** A group of these phones, the first of which made it. They write to its id as they write to a number. */
  addGroup(subject: string, members: Phone[]): Group
  /** Keeps an order from a catalogue, for clients that ask for its items. */
  addOrder(id: string, order: Order): void
  /** Where files go and come from, and what goes wrong with them. */
  media: Media
  faults: Faults
  tally: Tally
  /** Stanzas that the server does not know, and failures inside it: every test asserts that both are empty. */
  unknown: Unknown[]
  errors: Error[]
  /** Breaks the connections of these numbers (default: all), as a network does. Returns how many. */
  dropSockets(number?: string): number
  /** Whether a companion of this number is logged in and has been sent what it missed. */
  online(number: string): boolean
  /** How many stanzas wait for the companions of this number. */
  owed(number: string): number
  close(): Promise<void>
}

/** Starts a server of the WhatsApp multi-device protocol on 127.0.0.1. */
export async function startWhatsAppServer({
  port = 0,
  pki = sharedPki(),
  fewKeys = false,
}: ServerOptions = {}): Promise<WhatsAppServer> {
  quietLibsignal()
  const state = await makeState(pki, fewKeys)
  const phones = new Map<string, Phone>()
  const http = createServer((request, response) => {
    const page = request.url === '/sw.js' ? state.faults.page() : undefined
    response.writeHead(page === undefined ? 404 : 200).end(page)
  })
  const listener = new WebSocketServer({ server: http, path: '/ws/chat' })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', resolve)
  })
  listener.on('connection', ws => {
    const socket = new ClientSocket(ws, state, {
      login: (client, payload) => admit(state, client, payload),
      stanza: (client, stanza) => receiveStanza(state, client, stanza),
      closed: client => {
        state.sockets.delete(client)
        leave(client)
      },
    })
    state.sockets.add(socket)
  })
  const companions = (number: string) => companionsOf(state.directory.account(number))

  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws/chat`,
    rootPublicKey: pki.rootPublicKey,
    media: state.media,
    faults: state.faults,
    tally: state.tally,
    unknown: state.unknown,
    errors: state.errors,
    async addPhone(number, { addressing = 'lid', ...about } = {}) {
      const account = state.directory.add(number, about)
      const phone = new Phone(state, account, await makeParticipant(), addressing)
      phones.set(number, phone)
      return phone
    },
    phone(number) {
      const phone = phones.get(number)
      if (!phone) throw new Error(`there is no phone with the number ${number}`)
      return phone
    },
    addGroup(subject, members) {
      const accounts = members.map(({ account }) => account)
      const group = new Group(subject, accounts)
      state.groups.set(group.id, group)
      return group
    },
    addOrder: (id, order) => void state.orders.set(id, order),
    dropSockets(number) {
      const dropped = [...state.sockets].filter(({ device }) => !number || device?.account.number === number)
      for (const socket of dropped) socket.drop()
      return dropped.length
    },
    online: number => companions(number).some(device => device.mailbox.isOpen),
    owed: number => companions(number).reduce((sum, device) => sum + device.mailbox.owed.length, 0),
    async close() {
      for (const phone of phones.values()) phone.close()
      for (const socket of state.sockets) socket.drop()
      await new Promise(resolve => listener.close(resolve))
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
      await state.media.close()
    },
  }
}

async function makeState(pki: Pki, fewKeys: boolean): Promise<State> {
  const errors: Error[] = []
  const staticKey = Curve.generateKeyPair()
  return {
    directory: new Directory(),
    groups: new Map(),
    orders: new Map(),
    faults: makeFaults(),
    fewKeys,
    tally: makeTally(),
    media: await startMediaHost(errors),
    unknown: [],
    errors,
    sockets: new Set(),
    staticKey,
    certificate: pki.certify(staticKey.public),
  }
}

function companionsOf(account: Account | undefined) {
  return [...(account?.devices.values() ?? [])].filter(device => device.id !== 0)
}
