import { randomBytes } from 'node:crypto'
import { decodeBinaryNode, encodeBinaryNode, type proto, S_WHATSAPP_NET } from 'baileys'
import type { WebSocket } from 'ws'
import type { Device } from './directory.ts'
import { frame, makeFrameReader } from './frames.ts'
import { attr, type BinaryNode, node } from './nodes.ts'
import { type Handshake, startHandshake, type Transport } from './noise.ts'
import type { Pairing } from './pairing.ts'
import type { State } from './state.ts'
import { count } from './tally.ts'

/** Events of a connection, in order; each is awaited before the next. */
export interface SocketEvents {
  login(socket: ClientSocket, payload: proto.ClientPayload): void | Promise<void>
  stanza(socket: ClientSocket, stanza: BinaryNode): void | Promise<void>
  closed(socket: ClientSocket): void
}

/** One WebSocket connection of a client, from the Noise handshake on. */
export class ClientSocket {
  clientStatic: Buffer = Buffer.alloc(0)
  /** Set while the client waits to be paired. */
  pairing: Pairing | undefined
  /** Set once the client has logged in. */
  device: Device | undefined
  isClosed = false
  readonly #ws: WebSocket
  readonly #state: State
  readonly #events: SocketEvents
  readonly #frames = makeFrameReader()
  readonly #awaited = new Map<string, { resolve(answer: BinaryNode): void; reject(why: Error): void }>()
  #handshake: Handshake | undefined
  #transport: Transport | undefined
  #work: Promise<void> = Promise.resolve()

  constructor(ws: WebSocket, state: State, events: SocketEvents) {
    this.#ws = ws
    this.#state = state
    this.#events = events
    ws.on('message', bytes => this.#receive(bytes as Buffer))
    ws.on('error', () => {})
    ws.on('close', () => this.#closed())
  }

  /** Writes a stanza, unless the connection is gone. */
  send(stanza: BinaryNode): void {
    if (this.isClosed || !this.#transport) return
    const { device } = this
    const sent = device ? this.#state.faults.garble(device, stanza) : stanza
    this.#ws.send(frame(this.#transport.encrypt(encodeBinaryNode(sent))))
    if (sent.tag === 'message') count(this.#state.tally.delivered, attr(sent, 'id'))
    if (device && this.#state.faults.isLastFrame(device, 'out')) this.drop()
  }

  /** Sends an IQ and waits for the client's answer. Rejects when the connection ends first. */
  ask(type: 'get' | 'set', xmlns: string, content: BinaryNode[]): Promise<BinaryNode> {
    const id = randomBytes(6).toString('hex')
    return new Promise((resolve, reject) => {
      this.#awaited.set(id, { resolve, reject })
      this.send(node('iq', { from: S_WHATSAPP_NET, type, id, xmlns }, content))
    })
  }

  /** Ends the connection the polite way. */
  close(last?: BinaryNode): void {
    if (last) this.send(last)
    this.#closed()
    this.#ws.close()
  }

  /** Ends the connection as a broken network does. */
  drop(): void {
    this.#closed()
    this.#ws.terminate()
  }

  #closed(): void {
    if (this.isClosed) return
    this.isClosed = true
    for (const { reject } of this.#awaited.values()) reject(new Error('the client went away'))
    this.#events.closed(this)
  }

  #receive(bytes: Buffer): void {
    if (this.isClosed) return
    try {
      for (const body of this.#frames.push(bytes)) this.#inOrder(() => this.#takeFrame(body))
    } catch (error) {
      this.#fail(error)
    }
  }

  #inOrder(step: () => void | Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (!this.isClosed) await step()
    })
    this.#work = this.#work.catch(error => this.#fail(error))
  }

  async #takeFrame(body: Buffer): Promise<void> {
    if (!this.#handshake) {
      const header = this.#frames.header()!
      this.#handshake = startHandshake(header, this.#state.staticKey, this.#state.certificate)
      this.#ws.send(frame(this.#handshake.hello(body)))
    } else if (!this.#transport) {
      const { clientStatic, payload, transport } = this.#handshake.finish(body)
      this.clientStatic = clientStatic
      this.#transport = transport
      await this.#events.login(this, payload)
    } else {
      await this.#receiveStanza(await decodeBinaryNode(this.#transport.decrypt(body)))
    }
  }

  async #receiveStanza(stanza: BinaryNode): Promise<void> {
    const awaited = stanza.tag === 'iq' ? this.#awaited.get(attr(stanza, 'id')) : undefined
    if (awaited) {
      this.#awaited.delete(attr(stanza, 'id'))
      awaited.resolve(stanza)
    } else {
      await this.#events.stanza(this, stanza)
    }
    if (this.device && this.#state.faults.isLastFrame(this.device, 'in')) this.drop()
  }

  /** A client that ends in the middle of its handshake may send what is none; as WhatsApp does, the socket is closed. */
  #fail(error: unknown): void {
    if (this.#transport) this.#state.errors.push(error as Error)
    this.drop()
  }
}
