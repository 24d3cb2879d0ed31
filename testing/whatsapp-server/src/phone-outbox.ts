import { randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import { type Circumstances, stanzaType } from './contents.ts'
import { type Addressing, type Device, type DeviceKeys, deviceJid, jidOf } from './directory.ts'
import { devicesIn, type Group, groupJid, isShared, STATUS } from './groups.ts'
import { storeKeys } from './key-queries.ts'
import { type Attrs, type BinaryNode, node } from './nodes.ts'
import type { PhoneLine } from './phone-line.ts'
import { deviceSent, withSecret } from './secrets.ts'

const PROGRESS = ['unknown', 'pending', 'sent', 'delivered', 'read', 'played'] as const
export type SentStatus = (typeof PROGRESS)[number] | `error ${string}`

interface Sent {
  to: string
  message: proto.IMessage
  status: SentStatus
}

export interface WriteOptions extends Pick<Circumstances, 'forwarded' | 'ad' | 'expires'> {
  /** Send under this id; the same id twice is how a customer's phone repeats itself. */
  id?: string
  /** The id of the message that is answered. */
  quote?: string
  /** Without Signal, to companions only: for load, where many hundreds of messages a second are wanted. */
  plain?: boolean
  /** The numbers of people who are mentioned. */
  mentions?: string[]
  /** View-once: phones get it, companions get a placeholder; or `everywhere`. */
  viewOnce?: true | 'everywhere'
  /**
   * Companions get it without its content and have to ask their phone, as with answers to advertisements; `hosted`: as
   * from a business whose messages a provider handles. Or with a type, such as `view_once_unavailable_fanout`.
   */
  withheld?: boolean | 'hosted' | `${string}_unavailable_fanout`
  /** How the chat is addressed; default: the phone's own way. */
  addressing?: Addressing
}

/** A message, or how to make it: files are uploaded when their turn has come. */
type Draft = proto.IMessage | (() => Promise<proto.IMessage>)

/** A message into a chat that many share. */
interface ToMany {
  id: string
  to: string
  chat: string
  message: proto.IMessage
  attrs: Attrs
}

const newId = () => `AC${randomBytes(15).toString('hex').toUpperCase()}`

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
  async send(to: string, message: Draft, options: WriteOptions, attrs: Attrs = {}): Promise<string> {
    const id = options.id ?? newId()
    await this.#line.inOrder(async () => {
      const written = typeof message === 'function' ? await message() : message
      await this.#post(id, to, withSecret(written), options, attrs)
    })
    return id
  }

  /** Sends to these numbers as a status, or as a list of recipients. Resolves with its id when the server has it. */
  async post(message: Draft, numbers: string[], chat: string = STATUS): Promise<string> {
    const id = newId()
    await this.#line.inOrder(async () => {
      const { account, peer } = this.#line
      const accounts = [account, ...numbers.map(peer)]
      const receivers = accounts.flatMap(({ devices }) => [...devices.values()])
      const written = typeof message === 'function' ? await message() : message
      await this.#postToMany({ id, to: chat, chat, message: written, attrs: {} }, receivers)
    })
    return id
  }

  /** A device could not decrypt a message: encrypts it once more, for that device alone. */
  sendAgain(id: string, device: Device, keys: DeviceKeys | undefined, count: string): Promise<void> {
    return this.#line.inOrder(async () => {
      const sent = this.sent.get(id)
      if (!sent) return
      const chat = this.#line.chat(sent.to)
      if (isShared(this.#line.state, chat)) return this.#repeatToMany(id, chat, device, { keys, count })
      const copy = this.#copyFor(device, chat, sent.message)
      const enc = await this.#encryptFor(device, copy, keys ?? storeKeys(device))
      const recipient = device.account === this.#line.account ? chat : undefined
      const to = deviceJid(device, this.#line.addressing)
      const attrs = { id, to, type: stanzaType(sent.message), device_fanout: 'false', recipient }
      this.#line.tell(node('message', attrs, [node('enc', { ...enc.attrs, count }, enc.content)]))
    })
  }

  /** Sends an own companion a private message: a chunk of the history, a mapping. */
  tellCompanion(companion: Device, message: proto.IMessage): Promise<void> {
    return this.#line.inOrder(async () => {
      const enc = await this.#encryptFor(companion, message)
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
    if (found) return this.#postToGroup(id, found, message, options, attrs)
    const chat = jidOf(peer(to), options.addressing ?? addressing)
    const devices = new Set([...peer(to).devices.values(), ...account.devices.values()])
    const copies: BinaryNode[] = []
    for (const other of devices) {
      if (other === device || (options.plain && other.id === 0)) continue
      const part = await this.#partFor(other, chat, message, options)
      copies.push(node('to', { jid: deviceJid(other, 'lid') }, [part]))
    }
    this.sent.set(id, { to: peer(to).number, message, status: 'pending' })
    const type = stanzaType(message)
    tell(node('message', { id, to: chat, type, ...attrs }, [node('participants', {}, copies)]))
  }

  async #partFor(other: Device, chat: string, message: proto.IMessage, options: WriteOptions) {
    const { plain, viewOnce, withheld } = options
    if (plain) return node('plaintext', {}, proto.Message.encode(message).finish())
    if (viewOnce === true && other.id !== 0) return node('unavailable', { type: 'view_once' })
    if (withheld && other.id !== 0)
      return node('unavailable', withheld === true ? {} : withheld === 'hosted' ? HOSTED : { type: withheld })
    return this.#encryptFor(other, this.#copyFor(other, chat, message))
  }

  async #postToGroup(
    id: string,
    group: Group,
    message: proto.IMessage,
    { plain }: WriteOptions,
    more: Attrs,
  ) {
    const chat = groupJid(group)
    const attrs = { addressing_mode: 'lid', ...more }
    if (plain) {
      this.sent.set(id, { to: group.id, message, status: 'pending' })
      const part = node('plaintext', {}, proto.Message.encode(message).finish())
      this.#line.tell(node('message', { id, to: chat, type: stanzaType(message), ...attrs }, [part]))
      return
    }
    const lacksKey = (other: Device) => !this.#shared.has(`${chat} ${deviceJid(other, 'lid')}`)
    const receivers = devicesIn(group).filter(lacksKey)
    for (const other of receivers) this.#shared.add(`${chat} ${deviceJid(other, 'lid')}`)
    await this.#postToMany({ id, to: group.id, chat, message, attrs }, receivers)
  }

  async #postToMany({ id, to, chat, message, attrs }: ToMany, receivers: Device[]) {
    const { device, signal, tell } = this.#line
    const { enc, distribution } = await signal.encryptForGroup(chat, deviceJid(device, 'lid'), message)
    markHidden(enc, message)
    const copies: BinaryNode[] = []
    for (const other of receivers) {
      if (other === device) continue
      copies.push(node('to', { jid: deviceJid(other, 'lid') }, [await this.#encryptFor(other, distribution)]))
    }
    this.sent.set(id, { to, message, status: 'pending' })
    const keys = copies.length > 0 ? [node('participants', {}, copies)] : []
    tell(node('message', { id, to: chat, type: stanzaType(message), ...attrs }, [...keys, enc]))
  }

  async #repeatToMany(
    id: string,
    chat: string,
    device: Device,
    { keys, count }: { keys: DeviceKeys | undefined; count: string },
  ) {
    const { signal, tell } = this.#line
    const { message } = this.sent.get(id)!
    const { distribution } = await signal.encryptForGroup(chat, deviceJid(this.#line.device, 'lid'), {})
    const enc = await this.#encryptFor(device, { ...message, ...distribution }, keys ?? storeKeys(device))
    const attrs = { id, to: chat, type: stanzaType(message), participant: deviceJid(device, 'lid') }
    tell(node('message', attrs, [node('enc', { ...enc.attrs, count }, enc.content)]))
  }

  async #encryptFor(device: Device, message: proto.IMessage, renewed?: DeviceKeys): Promise<BinaryNode> {
    const keys = () => renewed ?? storeKeys(device)
    const renew = renewed !== undefined
    const enc = await this.#line.signal.encrypt(deviceJid(device, 'lid'), message, keys, { renew })
    return markHidden(enc, message.deviceSentMessage?.message ?? message)
  }

  #copyFor(device: Device, destinationJid: string, message: proto.IMessage): proto.IMessage {
    const isOwn = device.account === this.#line.account
    return isOwn ? deviceSent(destinationJid, message) : message
  }
}

const HOSTED = { hosted: 'true' }
const HIDDEN = [
  'reactionMessage',
  'protocolMessage',
  'editedMessage',
  'secretEncryptedMessage',
  'pollUpdateMessage',
]

/** Of what is about another message no trace is shown when it cannot be decrypted (whatsmeow: `decrypt-fail`). */
function markHidden(enc: BinaryNode, message: proto.IMessage): BinaryNode {
  if (HIDDEN.some(field => message[field as keyof proto.IMessage])) enc.attrs['decrypt-fail'] = 'hide'
  return enc
}
