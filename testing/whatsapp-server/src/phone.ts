import { randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import { edit, type MessageKey, reaction, revoke, text } from './contents.ts'
import {
  type Account,
  type Addressing,
  type Device,
  type DeviceKeys,
  deviceJid,
  jidOf,
  makeDevice,
} from './directory.ts'
import { historyMessage, NO_HISTORY } from './history.ts'
import { takeKeys } from './key-queries.ts'
import { removeDevice } from './login.ts'
import { type Attrs, type BinaryNode, node, seconds } from './nodes.ts'
import type { Participant } from './participant.ts'
import { PhoneInbox, type Received, type SentStatus } from './phone-inbox.ts'
import { linkByCode, linkByQr } from './phone-link.ts'
import { takeFromDevice } from './stanzas.ts'
import type { World } from './world.ts'

export interface WriteOptions {
  /** Send under this id; the same id twice is how a customer's phone repeats itself. */
  id?: string
  /** The id of the message that is answered. */
  quote?: string
  /** Without Signal, to companions only: for load, where hundreds of messages a second are wanted. */
  plain?: boolean
  /** How the chat is addressed; the phone's own way unless said. */
  addressing?: Addressing
}

export interface LinkOptions {
  /** The chats that the phone hands to the new companion; none unless said. */
  history?: proto.IHistorySync[]
}

/**
 * A phone: device 0 of an account and a real Signal participant. The owner of a company's number links companions
 * with it and writes by hand; a customer is a phone that has none.
 */
export class Phone {
  readonly account: Account
  readonly addressing: Addressing
  readonly #world: World
  readonly #device: Device
  readonly #signal: Participant
  readonly #inbox: PhoneInbox
  #work: Promise<unknown> = Promise.resolve()

  constructor(world: World, account: Account, signal: Participant, addressing: Addressing) {
    this.#world = world
    this.account = account
    this.addressing = addressing
    this.#signal = signal
    this.#device = makeDevice(account, 0, { keys: signal.keys })
    this.#inbox = new PhoneInbox(world, this.#device, signal, {
      inOrder: step => this.#inOrder(step),
      sendAgain: (id, device, keys, count) => this.#sendAgain(id, device, keys, count),
    })
    account.devices.set(0, this.#device)
    this.goOnline()
  }

  get number(): string {
    return this.account.number
  }

  /** Links the client that shows this QR code. Resolves when it is registered; it comes back by itself (515). */
  async scan(qr: string, { history = NO_HISTORY }: LinkOptions = {}): Promise<Device> {
    return this.#welcome(await linkByQr(this.#world, this.account, this.#signal.creds, qr), history)
  }

  /** Links the client that shows this pairing code for this number. */
  async enterCode(code: string, { history = NO_HISTORY }: LinkOptions = {}): Promise<Device> {
    return this.#welcome(await linkByCode(this.#world, this.account, this.#signal.creds, code), history)
  }

  /** Takes a companion off the list of linked devices; all of them unless one is named. */
  unlink(companion?: Device): void {
    for (const device of companion ? [companion] : this.companions()) removeDevice(device)
  }

  companions(): Device[] {
    return [...this.account.devices.values()].filter(device => device.id !== 0)
  }

  /** Writes a text to a number. Resolves with the message's id when the server has it. */
  write(to: string, body: string, options: WriteOptions = {}): Promise<string> {
    const quoted = options.quote ? this.#quoted(options.quote) : undefined
    return this.send(to, text(body, quoted), options)
  }

  /** Sends any message: location, contact card, poll. */
  async send(to: string, message: proto.IMessage, options: WriteOptions = {}): Promise<string> {
    const id = options.id ?? `AC${randomBytes(15).toString('hex').toUpperCase()}`
    await this.#inOrder(() => this.#post(id, this.#peer(to), message, options, {}))
    return id
  }

  /** Puts an emoji on a message of the chat with this number; an empty one takes it back. */
  react(to: string, id: string, emoji: string): Promise<string> {
    return this.send(to, reaction(this.#key(to, id), emoji))
  }

  /** Changes an own message. Resolves with the id of the change. */
  edit(to: string, id: string, body: string): Promise<string> {
    return this.#change(to, edit(this.#key(to, id), body), '1')
  }

  /** Deletes an own message for everyone. Resolves with the id of the deletion. */
  revoke(to: string, id: string): Promise<string> {
    return this.#change(to, revoke(this.#key(to, id)), '7')
  }

  /** Marks received messages as read, for their sender to see. Throws when one was never received. */
  read(...ids: string[]): void {
    for (const id of ids) {
      const message = this.#inbox.find(id)
      if (!message) throw new Error(`${this.number} never received ${id}`)
      const to = this.#chat(this.#peer(message.chat))
      this.#tell(node('receipt', { id, to, type: 'read', t: seconds() }))
    }
  }

  /** Shows this number that the phone is typing, recording, or has paused. */
  type(to: string, state: 'composing' | 'recording' | 'paused'): void {
    const media = state === 'recording' ? 'audio' : undefined
    const content = [node(state === 'recording' ? 'composing' : state, { media })]
    this.#tell(node('chatstate', { to: this.#chat(this.#peer(to)) }, content))
  }

  /** Calls a number. The returned function hangs up, or lets it ring until it times out. */
  call(to: string, { video = false } = {}): { id: string; end(how: 'timeout' | 'terminate'): void } {
    const id = randomBytes(16).toString('hex').toUpperCase()
    const chat = this.#chat(this.#peer(to))
    const attrs = { 'call-id': id, 'call-creator': deviceJid(this.#device, this.addressing) }
    const ring = (part: BinaryNode) =>
      this.#tell(node('call', { id: randomBytes(8).toString('hex'), to: chat, t: seconds() }, [part]))
    ring(node('offer', attrs, [node(video ? 'video' : 'audio')]))
    const end = (how: 'timeout' | 'terminate') =>
      ring(node('terminate', { ...attrs, reason: how === 'timeout' ? 'timeout' : undefined }))
    return { id, end }
  }

  /** What the phone shows, oldest first, its own account's messages from companions included. */
  received(): Received[] {
    return this.#inbox.received
  }

  /** Who is typing to this phone at the moment, and how. */
  typing(): Map<string, string> {
    return this.#inbox.typing
  }

  /** What happened to calls on the other side: offer, reject, accept, terminate. */
  calls(): { id: string; event: string }[] {
    return this.#inbox.calls
  }

  /** What this phone wrote, oldest first, and how far it has come. */
  sent(): { id: string; to: string; status: SentStatus }[] {
    return [...this.#inbox.sent].map(([id, { to, status }]) => ({ id, to, status }))
  }

  /** How far a message of this phone has come. */
  statusOf(id: string): SentStatus {
    return this.#inbox.sent.get(id)?.status ?? 'unknown'
  }

  /** Out of reach: what is sent to it waits at the server and stays undelivered. */
  goOffline(): void {
    this.#device.mailbox.shut()
    this.#device.say = undefined
  }

  goOnline(): void {
    this.#device.say = stanza => this.#inbox.hear(stanza)
    const { faults } = this.#world
    this.#device.mailbox.open(stanza => this.#inbox.take(faults.garble(this.#device, stanza)))
  }

  /** Resolves when everything that was handed to the phone so far is worked off. */
  async settled(): Promise<void> {
    await this.#work
  }

  close(): void {
    this.goOffline()
    this.#signal.close()
  }

  #welcome(companion: Device, history: proto.IHistorySync[]): Device {
    // Handed over once the companion is online: as an offline message Baileys would not take it for the first sync.
    const handOver = companion.mailbox.opened.then(async () => {
      for (const chunk of history) await this.#inOrder(() => this.#handOver(companion, chunk))
    })
    handOver.catch(error => this.#world.errors.push(error))
    return companion
  }

  async #handOver(companion: Device, chunk: proto.IHistorySync): Promise<void> {
    const enc = await this.#encryptFor(companion, historyMessage(chunk))
    const id = randomBytes(10).toString('hex').toUpperCase()
    this.#tell(node('message', { id, to: deviceJid(companion, 'pn'), type: 'text', category: 'peer' }, [enc]))
  }

  async #post(id: string, to: Account, message: proto.IMessage, options: WriteOptions, attrs: Attrs) {
    if (!this.#device.mailbox.isOpen) throw new Error(`${this.number} is offline`)
    const chat = jidOf(to, options.addressing ?? this.addressing)
    const addressed = [...new Set([...to.devices.values(), ...this.companions()])]
    const others = addressed.filter(device => device !== this.#device && !(options.plain && device.id === 0))
    const copies = []
    for (const device of others) {
      const part = options.plain
        ? node('plaintext', {}, proto.Message.encode(message).finish())
        : await this.#encryptFor(device, this.#copyFor(device, chat, message))
      copies.push(node('to', { jid: deviceJid(device, 'lid') }, [part]))
    }
    this.#inbox.sent.set(id, { to: to.number, message, status: 'pending' })
    this.#tell(node('message', { id, to: chat, type: 'text', ...attrs }, [node('participants', {}, copies)]))
  }

  /** Somebody could not read a message: encrypts it once more, for that device alone. */
  async #sendAgain(id: string, device: Device, keys: DeviceKeys | undefined, count: string): Promise<void> {
    const sent = this.#inbox.sent.get(id)
    if (!sent) return
    const chat = this.#chat(this.#peer(sent.to))
    const enc = await this.#encryptFor(
      device,
      this.#copyFor(device, chat, sent.message),
      keys ?? takeKeys(device),
    )
    const recipient = device.account === this.account ? chat : undefined
    const attrs = {
      id,
      to: deviceJid(device, this.addressing),
      type: 'text',
      device_fanout: 'false',
      recipient,
    }
    this.#tell(node('message', attrs, [node('enc', { ...enc.attrs, count }, enc.content)]))
  }

  #encryptFor(device: Device, message: proto.IMessage, renewed?: DeviceKeys): Promise<BinaryNode> {
    const keys = () => renewed ?? takeKeys(device)
    return this.#signal.encrypt(deviceJid(device, 'lid'), message, keys, renewed !== undefined)
  }

  #copyFor(device: Device, destinationJid: string, message: proto.IMessage): proto.IMessage {
    return device.account === this.account ? { deviceSentMessage: { destinationJid, message } } : message
  }

  async #change(to: string, message: proto.IMessage, kind: string): Promise<string> {
    const id = `AC${randomBytes(15).toString('hex').toUpperCase()}`
    await this.#inOrder(() => this.#post(id, this.#peer(to), message, {}, { edit: kind }))
    return id
  }

  #quoted(id: string) {
    const message = this.#inbox.find(id)
    if (message) return { id, author: this.#chat(this.#peer(message.from)), message: message.message }
    const sent = this.#inbox.sent.get(id)
    if (sent) return { id, author: jidOf(this.account, this.addressing), message: sent.message }
    throw new Error(`${this.number} knows no message ${id}`)
  }

  #key(to: string, id: string): MessageKey {
    return { remoteJid: this.#chat(this.#peer(to)), id, fromMe: this.#inbox.sent.has(id) }
  }

  #chat(peer: Account): string {
    return jidOf(peer, this.addressing)
  }

  #peer(number: string): Account {
    const account = this.#world.directory.account(number)
    if (!account) throw new Error(`there is no phone with the number ${number}`)
    return account
  }

  #tell(stanza: BinaryNode): void {
    takeFromDevice(this.#world, this.#device, stanza)
  }

  // One step at a time: Signal sessions do not bear two at once.
  #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#work.then(step)
    this.#work = done.catch(() => {})
    return done
  }
}
