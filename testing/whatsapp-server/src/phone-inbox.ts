import { jidNormalizedUser, proto } from 'baileys'
import { quotedId, textOf } from './contents.ts'
import { deviceJid } from './directory.ts'
import { keysOf } from './key-queries.ts'
import { attr, type BinaryNode, child, children, firstChild, node } from './nodes.ts'
import type { PhoneLine } from './phone-line.ts'
import type { PhoneOutbox } from './phone-outbox.ts'
import { receiptIds } from './receipts.ts'

/** A message as the phone shows it. */
export interface Received {
  id: string
  /** Who wrote it, and whose chat it stands in, as numbers; a group by its id. */
  from: string
  chat: string
  fromMe: boolean
  text: string | undefined
  /** The id of the message it answers. */
  quotes: string | undefined
  message: proto.IMessage
  /** How often it came; a phone shows a message once however often it comes. */
  times: number
}

/** The receiving half of a phone: decrypts, confirms, asks again, and keeps what came. */
export class PhoneInbox {
  readonly received: Received[] = []
  readonly typing = new Map<string, string>()
  readonly calls: { id: string; event: string }[] = []
  readonly #shown = new Map<string, Received>()
  readonly #retries = new Map<string, number>()
  readonly #line: PhoneLine
  readonly #outbox: PhoneOutbox

  constructor(line: PhoneLine, outbox: PhoneOutbox) {
    this.#line = line
    this.#outbox = outbox
  }

  find(id: string): Received | undefined {
    return this.received.findLast(message => message.id === id)
  }

  /** A stanza from the mailbox. */
  take(stanza: BinaryNode): void {
    const step = () => (stanza.tag === 'message' ? this.#takeMessage(stanza) : this.#takeOther(stanza))
    this.#watch(this.#line.inOrder(step))
  }

  /** What the server says in passing: acks of own messages, and who is typing. */
  hear(stanza: BinaryNode): void {
    if (stanza.tag === 'chatstate') {
      const state = firstChild(stanza)
      const shown = state?.attrs.media === 'audio' ? 'recording' : (state?.tag ?? '')
      this.typing.set(this.#number(attr(stanza, 'from')), shown)
    }
    if (stanza.attrs.class !== 'message') return
    const { error } = stanza.attrs
    this.#outbox.advance(attr(stanza, 'id'), error ? `error ${error}` : 'sent')
  }

  async #takeMessage(stanza: BinaryNode): Promise<void> {
    const message = await this.#open(stanza).catch(() => undefined)
    if (!message) return this.#askAgain(stanza)
    const id = attr(stanza, 'id')
    const from = attr(stanza, 'from')
    const author = stanza.attrs.participant ?? from
    const isOwn = this.#number(author) === this.#line.account.number
    const isPeerWord = stanza.attrs.category === 'peer'
    if (!isPeerWord) this.#keep(stanza, message, isOwn)
    const type = isPeerWord ? 'peer_msg' : isOwn ? 'sender' : undefined
    const participant = stanza.attrs.participant && jidNormalizedUser(stanza.attrs.participant)
    this.#line.tell(node('receipt', { id, to: jidNormalizedUser(from), participant, type }))
  }

  async #open(stanza: BinaryNode): Promise<proto.IMessage> {
    const plain = child(stanza, 'plaintext')
    if (plain) return unwrap(proto.Message.decode(plain.content as Uint8Array))
    const sender = this.#line.world.directory.device(stanza.attrs.participant ?? attr(stanza, 'from'))
    const parts = children(stanza, 'enc')
    if (!sender || parts.length === 0) throw new Error('nothing to decrypt')
    let message: proto.IMessage = {}
    // In a group the sender's key comes first, when it is new, and what it opens comes last.
    for (const enc of parts)
      message = { ...message, ...(await this.#decrypt(deviceJid(sender, 'lid'), attr(stanza, 'from'), enc)) }
    return unwrap(message)
  }

  async #decrypt(from: string, chat: string, enc: BinaryNode): Promise<proto.IMessage> {
    const { signal } = this.#line
    if (enc.attrs.type === 'skmsg') return signal.decryptFromGroup(chat, from, enc)
    const message = await signal.decrypt(from, enc)
    if (message.senderKeyDistributionMessage) await signal.learn(from, message.senderKeyDistributionMessage)
    return message
  }

  #keep(stanza: BinaryNode, message: proto.IMessage, fromMe: boolean): void {
    const id = attr(stanza, 'id')
    const from = this.#number(stanza.attrs.participant ?? attr(stanza, 'from'))
    const known = this.#shown.get(`${id} ${from}`)
    if (known) {
      known.times++
      return
    }
    const chat = this.#number(stanza.attrs.recipient ?? attr(stanza, 'from'))
    const shown = { text: textOf(message), quotes: quotedId(message), message }
    const received = { id, from, chat, fromMe, ...shown, times: 1 }
    this.received.push(received)
    this.#shown.set(`${id} ${from}`, received)
  }

  #askAgain(stanza: BinaryNode): void {
    const id = attr(stanza, 'id')
    const from = attr(stanza, 'from')
    const count = (this.#retries.get(`${id} ${from}`) ?? 0) + 1
    this.#retries.set(`${id} ${from}`, count)
    const { keys } = this.#line.device
    const { participant } = stanza.attrs
    const retry = node('retry', { count: `${count}`, id, t: attr(stanza, 't'), v: '1', error: '0' })
    const registration = node('registration', {}, keys.registrationId)
    const { recipient } = stanza.attrs
    this.#line.tell(
      node('receipt', { id, to: from, participant, type: 'retry', recipient }, [retry, registration]),
    )
    this.#line.tell(node('ack', { class: 'message', id, to: from, participant }))
  }

  async #takeOther(stanza: BinaryNode): Promise<void> {
    this.#line.tell(node('ack', { class: stanza.tag, id: attr(stanza, 'id'), to: stanza.attrs.from }))
    const part = firstChild(stanza)
    if (stanza.tag === 'call' && part) this.calls.push({ id: attr(part, 'call-id'), event: part.tag })
    if (stanza.tag !== 'receipt') return
    const { type } = stanza.attrs
    if (type === 'retry') return this.#answerRetry(stanza)
    const status = type === 'read' || type === 'played' ? type : type ? undefined : 'delivered'
    if (status) for (const id of receiptIds(stanza)) this.#outbox.advance(id, status)
  }

  #answerRetry(stanza: BinaryNode): void {
    const device = this.#line.world.directory.device(stanza.attrs.participant ?? attr(stanza, 'from'))
    const { count = '1' } = child(stanza, 'retry')?.attrs ?? {}
    if (!device) return
    const keys = children(stanza, 'keys').map(bundle => keysOf(stanza, bundle))[0]
    // Not awaited: it queues behind the step that is running now.
    this.#watch(this.#outbox.sendAgain(attr(stanza, 'id'), device, keys, count))
  }

  #watch(work: Promise<void>): void {
    work.catch(error => this.#line.world.errors.push(error))
  }

  #number(jid: string): string {
    const { world, group } = this.#line
    return group(jid)?.id ?? world.directory.account(jid)?.number ?? jid
  }
}

const unwrap = (message: proto.IMessage): proto.IMessage => message.deviceSentMessage?.message ?? message
