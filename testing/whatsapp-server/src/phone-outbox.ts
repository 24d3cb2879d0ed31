import { randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import { type Addressing, type Device, type DeviceKeys, deviceJid, jidOf } from './directory.ts'
import { devicesIn, type Group, groupJid } from './groups.ts'
import { historyMessage } from './history.ts'
import { takeKeys } from './key-queries.ts'
import { type Attrs, type BinaryNode, node } from './nodes.ts'
import type { PhoneLine } from './phone-line.ts'

const PROGRESS = ['unknown', 'pending', 'sent', 'delivered', 'read', 'played'] as const
export type SentStatus = (typeof PROGRESS)[number] | `error ${string}`

interface Sent {
  to: string
  message: proto.IMessage
  status: SentStatus
}

export interface WriteOptions {
  /** Send under this id; the same id twice is how a customer's phone repeats itself. */
  id?: string
  /** The id of the message that is answered. */
  quote?: string
  /** Without Signal, to companions only: for load, where many hundreds of messages a second are wanted. */
  plain?: boolean
  /** How the chat is addressed; the phone's own way unless said. */
  addressing?: Addressing
}

/** The sending half of a phone: encrypts for every device of both sides, and knows how far each message came. */
export class PhoneOutbox {
  readonly sent = new Map<string, Sent>()
  readonly #line: PhoneLine
  /** Who has this phone's key of which group, as `group device`. */
  readonly #shared = new Set<string>()

  constructor(line: PhoneLine) {
    this.#line = line
  }

  /** Sends a message; `attrs` mark changes and deletions. Resolves with its id when the server has it. */
  async send(to: string, message: proto.IMessage, options: WriteOptions, attrs: Attrs = {}): Promise<string> {
    const id = options.id ?? `AC${randomBytes(15).toString('hex').toUpperCase()}`
    await this.#line.inOrder(() => this.#post(id, to, message, options, attrs))
    return id
  }

  /** Somebody could not read a message: encrypts it once more, for that device alone. */
  sendAgain(id: string, device: Device, keys: DeviceKeys | undefined, count: string): Promise<void> {
    return this.#line.inOrder(async () => {
      const sent = this.sent.get(id)
      if (!sent) return
      const group = this.#line.group(sent.to)
      if (group) return this.#repeatInGroup(id, group, device, { keys, count })
      const chat = this.#line.chat(sent.to)
      const copy = this.#copyFor(device, chat, sent.message)
      const enc = await this.#encryptFor(device, copy, keys ?? takeKeys(device))
      const recipient = device.account === this.#line.account ? chat : undefined
      const to = deviceJid(device, this.#line.addressing)
      const attrs = { id, to, type: 'text', device_fanout: 'false', recipient }
      this.#line.tell(node('message', attrs, [node('enc', { ...enc.attrs, count }, enc.content)]))
    })
  }

  /** Gives an own companion a chunk of the phone's history. */
  handOver(companion: Device, chunk: proto.IHistorySync): Promise<void> {
    return this.#line.inOrder(async () => {
      const enc = await this.#encryptFor(companion, historyMessage(chunk))
      const id = randomBytes(10).toString('hex').toUpperCase()
      const attrs = { id, to: deviceJid(companion, 'pn'), type: 'text', category: 'peer' }
      this.#line.tell(node('message', attrs, [enc]))
    })
  }

  /** News of a message; it only moves forward, except into an error. */
  advance(id: string, to: SentStatus): void {
    const sent = this.sent.get(id)
    const rank = (status: SentStatus) => (PROGRESS as readonly string[]).indexOf(status)
    if (sent && (to.startsWith('error') || rank(to) > rank(sent.status))) sent.status = to
  }

  async #post(id: string, to: string, message: proto.IMessage, options: WriteOptions, attrs: Attrs) {
    const { account, device, addressing, peer, group, tell } = this.#line
    if (!device.mailbox.isOpen) throw new Error(`${account.number} is offline`)
    const found = group(to)
    if (found) return this.#postToGroup(id, found, message, attrs)
    const chat = jidOf(peer(to), options.addressing ?? addressing)
    const devices = new Set([...peer(to).devices.values(), ...account.devices.values()])
    const copies: BinaryNode[] = []
    for (const other of devices) {
      if (other === device || (options.plain && other.id === 0)) continue
      const part = options.plain
        ? node('plaintext', {}, proto.Message.encode(message).finish())
        : await this.#encryptFor(other, this.#copyFor(other, chat, message))
      copies.push(node('to', { jid: deviceJid(other, 'lid') }, [part]))
    }
    this.sent.set(id, { to: peer(to).number, message, status: 'pending' })
    tell(node('message', { id, to: chat, type: 'text', ...attrs }, [node('participants', {}, copies)]))
  }

  async #postToGroup(id: string, group: Group, message: proto.IMessage, attrs: Attrs) {
    const { device, signal, tell } = this.#line
    const jid = groupJid(group)
    const { enc, distribution } = await signal.encryptForGroup(jid, deviceJid(device, 'lid'), message)
    const copies: BinaryNode[] = []
    for (const other of devicesIn(group)) {
      const to = deviceJid(other, 'lid')
      if (other === device || this.#shared.has(`${jid} ${to}`)) continue
      this.#shared.add(`${jid} ${to}`)
      copies.push(node('to', { jid: to }, [await this.#encryptFor(other, distribution)]))
    }
    this.sent.set(id, { to: group.id, message, status: 'pending' })
    const part = copies.length > 0 ? [node('participants', {}, copies)] : []
    tell(node('message', { id, to: jid, type: 'text', addressing_mode: 'lid', ...attrs }, [...part, enc]))
  }

  async #repeatInGroup(
    id: string,
    group: Group,
    device: Device,
    { keys, count }: { keys: DeviceKeys | undefined; count: string },
  ) {
    const { signal, tell } = this.#line
    const jid = groupJid(group)
    const { message } = this.sent.get(id)!
    const { distribution } = await signal.encryptForGroup(jid, deviceJid(this.#line.device, 'lid'), {})
    const enc = await this.#encryptFor(device, { ...message, ...distribution }, keys ?? takeKeys(device))
    const attrs = { id, to: jid, type: 'text', participant: deviceJid(device, 'lid') }
    tell(node('message', attrs, [node('enc', { ...enc.attrs, count }, enc.content)]))
  }

  #encryptFor(device: Device, message: proto.IMessage, renewed?: DeviceKeys): Promise<BinaryNode> {
    const keys = () => renewed ?? takeKeys(device)
    return this.#line.signal.encrypt(deviceJid(device, 'lid'), message, keys, renewed !== undefined)
  }

  #copyFor(device: Device, destinationJid: string, message: proto.IMessage): proto.IMessage {
    const isOwn = device.account === this.#line.account
    return isOwn ? { deviceSentMessage: { destinationJid, message } } : message
  }
}
