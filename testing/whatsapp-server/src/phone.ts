import { randomBytes } from 'node:crypto'
import type { proto } from 'baileys'
import { edit, type MessageKey, reaction, revoke, text } from './contents.ts'
import { type Account, type Addressing, type Device, deviceJid, jidOf } from './directory.ts'
import { NO_HISTORY } from './history.ts'
import { removeDevice } from './login.ts'
import { type BinaryNode, node, seconds } from './nodes.ts'
import type { Participant } from './participant.ts'
import { PhoneInbox, type Received } from './phone-inbox.ts'
import { openLine, type PhoneLine } from './phone-line.ts'
import { linkByCode, linkByQr } from './phone-link.ts'
import { PhoneOutbox, type SentStatus, type WriteOptions } from './phone-outbox.ts'
import type { World } from './world.ts'

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
  readonly #line: PhoneLine
  readonly #outbox: PhoneOutbox
  readonly #inbox: PhoneInbox

  constructor(world: World, account: Account, signal: Participant, addressing: Addressing) {
    this.account = account
    this.#line = openLine(world, account, signal, addressing)
    this.#outbox = new PhoneOutbox(this.#line)
    this.#inbox = new PhoneInbox(this.#line, this.#outbox)
    this.goOnline()
  }

  get number(): string {
    return this.account.number
  }

  /** Links the client that shows this QR code. Resolves when it is registered; it comes back by itself (515). */
  async scan(qr: string, { history = NO_HISTORY }: LinkOptions = {}): Promise<Device> {
    return this.#welcome(await linkByQr(this.#line, qr), history)
  }

  /** Links the client that shows this pairing code for this number. */
  async enterCode(code: string, { history = NO_HISTORY }: LinkOptions = {}): Promise<Device> {
    return this.#welcome(await linkByCode(this.#line, code), history)
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
  send(to: string, message: proto.IMessage, options: WriteOptions = {}): Promise<string> {
    return this.#outbox.send(to, message, options)
  }

  /** Puts an emoji on a message of the chat with this number; an empty one takes it back. */
  react(to: string, id: string, emoji: string): Promise<string> {
    return this.send(to, reaction(this.#key(to, id), emoji))
  }

  /** Changes an own message. Resolves with the id of the change. */
  edit(to: string, id: string, body: string): Promise<string> {
    return this.#outbox.send(to, edit(this.#key(to, id), body), {}, { edit: '1' })
  }

  /** Deletes an own message for everyone. Resolves with the id of the deletion. */
  revoke(to: string, id: string): Promise<string> {
    return this.#outbox.send(to, revoke(this.#key(to, id)), {}, { edit: '7' })
  }

  /** Marks received messages as read, for their sender to see. Throws when one was never received. */
  read(...ids: string[]): void {
    for (const id of ids) {
      const message = this.#inbox.find(id)
      if (!message) throw new Error(`${this.number} never received ${id}`)
      const to = this.#line.chat(message.chat)
      const participant = message.chat === message.from ? undefined : this.#line.chat(message.from)
      this.#line.tell(node('receipt', { id, to, participant, type: 'read', t: seconds() }))
    }
  }

  /** Shows this number that the phone is typing, recording, or has paused. */
  type(to: string, state: 'composing' | 'recording' | 'paused'): void {
    const media = state === 'recording' ? 'audio' : undefined
    const content = [node(state === 'recording' ? 'composing' : state, { media })]
    this.#line.tell(node('chatstate', { to: this.#line.chat(to) }, content))
  }

  /** Calls a number. The returned function hangs up, or lets it ring until it times out. */
  call(to: string, { video = false } = {}): { id: string; end(how: 'timeout' | 'terminate'): void } {
    const id = randomBytes(16).toString('hex').toUpperCase()
    const chat = this.#line.chat(to)
    const attrs = { 'call-id': id, 'call-creator': deviceJid(this.#line.device, this.#line.addressing) }
    const ring = (part: BinaryNode) =>
      this.#line.tell(node('call', { id: randomBytes(8).toString('hex'), to: chat, t: seconds() }, [part]))
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
    return [...this.#outbox.sent].map(([id, { to, status }]) => ({ id, to, status }))
  }

  /** How far a message of this phone has come. */
  statusOf(id: string): SentStatus {
    return this.#outbox.sent.get(id)?.status ?? 'unknown'
  }

  /** Out of reach: what is sent to it waits at the server and stays undelivered. */
  goOffline(): void {
    this.#line.device.mailbox.shut()
    this.#line.device.say = undefined
  }

  goOnline(): void {
    const { device, world } = this.#line
    device.say = stanza => this.#inbox.hear(stanza)
    device.mailbox.open(stanza => this.#inbox.take(world.faults.garble(device, stanza)))
  }

  close(): void {
    this.goOffline()
    this.#line.signal.close()
  }

  #welcome(companion: Device, history: proto.IHistorySync[]): Device {
    // Handed over once the companion is online: as an offline message Baileys would not take it for the first sync.
    const handOver = companion.mailbox.opened.then(async () => {
      for (const chunk of history) await this.#outbox.handOver(companion, chunk)
    })
    handOver.catch(error => this.#line.world.errors.push(error))
    return companion
  }

  #quoted(id: string) {
    const message = this.#inbox.find(id)
    if (message) return { id, author: this.#line.chat(message.from), message: message.message }
    const sent = this.#outbox.sent.get(id)
    if (sent) return { id, author: jidOf(this.account, this.#line.addressing), message: sent.message }
    throw new Error(`${this.number} knows no message ${id}`)
  }

  #key(to: string, id: string): MessageKey {
    return { remoteJid: this.#line.chat(to), id, fromMe: this.#outbox.sent.has(id) }
  }
}
