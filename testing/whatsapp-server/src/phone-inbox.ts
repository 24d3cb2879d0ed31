import { jidNormalizedUser, proto } from 'baileys'
import type { CallEvent } from './calls.ts'
import { deviceJid, jidOf } from './directory.ts'
import { keysOf } from './key-queries.ts'
import { attr, type BinaryNode, child, children, firstChild, node } from './nodes.ts'
import { uploadAgain } from './phone-files.ts'
import type { PhoneLine } from './phone-line.ts'
import type { PhoneOutbox } from './phone-outbox.ts'
import type { PhonePast } from './phone-past.ts'
import { answerRequest } from './phone-requests.ts'
import { receiptIds } from './receipts.ts'
import { openEdit } from './secrets.ts'
import { type Shown, show } from './shown.ts'

/** A message as the phone shows it. */
export interface Received extends Shown {
  id: string
  /** The sender and the chat, as numbers; a group by its id. */
  from: string
  chat: string
  fromMe: boolean
  message: proto.IMessage
  /** When the server took it. */
  at: Date
  /** How often it came; a phone shows a message once however often it comes. */
  times: number
}

const { SecretEncType } = proto.Message.SecretEncryptedMessage

/** The receiving half of a phone: decrypts, confirms, asks again, and keeps what came. */
export class PhoneInbox {
  readonly received: Received[] = []
  readonly typing = new Map<string, string>()
  readonly presences = new Map<string, string>()
  readonly calls: CallEvent[] = []
  /** Files were deleted, so that they cannot be uploaded again. */
  hasFiles = true
  readonly #shown = new Map<string, Received>()
  readonly #retries = new Map<string, number>()
  readonly #line: PhoneLine
  readonly #outbox: PhoneOutbox
  readonly #past: PhonePast

  constructor(line: PhoneLine, outbox: PhoneOutbox, past: PhonePast) {
    this.#line = line
    this.#outbox = outbox
    this.#past = past
  }

  find(id: string): Received | undefined {
    return this.received.findLast(message => message.id === id)
  }

  /** A stanza from the mailbox. */
  take(stanza: BinaryNode): void {
    const step = () => (stanza.tag === 'message' ? this.#receiveMessage(stanza) : this.#takeOther(stanza))
    this.#watch(this.#line.inOrder(step))
  }

  /** Ephemeral stanzas: acks of own messages, presence and typing. */
  hear(stanza: BinaryNode): void {
    if (stanza.tag === 'chatstate') {
      const state = firstChild(stanza)
      const shown = state?.attrs.media === 'audio' ? 'recording' : (state?.tag ?? '')
      this.typing.set(this.#number(stanza.attrs.participant ?? attr(stanza, 'from')), shown)
    }
    if (stanza.tag === 'presence') {
      this.presences.set(this.#number(attr(stanza, 'from')), stanza.attrs.type ?? 'available')
    }
    if (stanza.attrs.class !== 'message') return
    const { error } = stanza.attrs
    this.#outbox.advance(attr(stanza, 'id'), error ? `error ${error}` : 'sent')
  }

  async #receiveMessage(stanza: BinaryNode): Promise<void> {
    const message = await this.#open(stanza).catch(() => undefined)
    if (!message) return this.#askAgain(stanza)
    const id = attr(stanza, 'id')
    const from = attr(stanza, 'from')
    const author = stanza.attrs.participant ?? from
    const isOwn = this.#number(author) === this.#line.account.number
    const isPeerWord = stanza.attrs.category === 'peer'
    if (isPeerWord) this.#answerCompanion(stanza, message)
    else await this.#keep(stanza, message, { fromMe: isOwn })
    const type = isPeerWord ? 'peer_msg' : isOwn ? 'sender' : undefined
    const participant = stanza.attrs.participant && jidNormalizedUser(stanza.attrs.participant)
    this.#line.tell(node('receipt', { id, to: jidNormalizedUser(from), participant, type }))
  }

  async #open(stanza: BinaryNode): Promise<proto.IMessage> {
    const plain = child(stanza, 'plaintext')
    if (plain) return unwrap(proto.Message.decode(plain.content as Uint8Array))
    const sender = this.#line.state.directory.device(stanza.attrs.participant ?? attr(stanza, 'from'))
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

  async #keep(stanza: BinaryNode, message: proto.IMessage, { fromMe }: { fromMe: boolean }): Promise<void> {
    const id = attr(stanza, 'id')
    const from = this.#number(stanza.attrs.participant ?? attr(stanza, 'from'))
    const known = this.#shown.get(`${id} ${from}`)
    if (known) {
      known.times++
      return
    }
    const chat = this.#number(stanza.attrs.recipient ?? attr(stanza, 'from'))
    const shown = await show(this.#line.state.media, this.#opened(message, from))
    const received = {
      id,
      from,
      chat,
      fromMe,
      ...shown,
      message,
      at: new Date(1000 * Number(attr(stanza, 't'))),
      times: 1,
    }
    this.received.push(received)
    this.#shown.set(`${id} ${from}`, received)
  }

  /**
   * An encrypted edit as it was before the encryption. One of a message that never came here, and one that cannot be
   * decrypted, stays as it is: a phone shows neither.
   */
  #opened(message: proto.IMessage, from: string): proto.IMessage {
    const { targetMessageKey, secretEncType } = message.secretEncryptedMessage ?? {}
    const target = targetMessageKey?.id ?? ''
    const original = this.find(target)?.message ?? this.#outbox.sent.get(target)?.message
    const account = this.#line.state.directory.account(from)
    if (!original || !account || secretEncType === SecretEncType.EVENT_EDIT) return message
    const jids = [jidOf(account, 'lid'), jidOf(account, 'pn')]
    const names = jids.flatMap(author => jids.map(editor => ({ author, editor })))
    try {
      return openEdit(message, original, names)
    } catch {
      return message
    }
  }

  #askAgain(stanza: BinaryNode): void {
    const id = attr(stanza, 'id')
    const from = attr(stanza, 'from')
    const { account, state } = this.#line
    state.tally.unreadable.push({ by: account.number, id })
    if (account.honoursRetries) this.#tellRetry(stanza, id, from)
    this.#line.tell(node('ack', { class: 'message', id, to: from, participant: stanza.attrs.participant }))
  }

  #tellRetry(stanza: BinaryNode, id: string, from: string): void {
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
  }

  async #takeOther(stanza: BinaryNode): Promise<void> {
    this.#line.tell(node('ack', { class: stanza.tag, id: attr(stanza, 'id'), to: stanza.attrs.from }))
    const part = firstChild(stanza)
    if (stanza.tag === 'call' && part) {
      const from = this.#number(attr(stanza, 'from'))
      this.calls.push({ id: attr(part, 'call-id'), from, event: part.tag, reason: part.attrs.reason })
    }
    if (stanza.tag !== 'receipt') return
    const { type } = stanza.attrs
    if (type === 'retry') return this.#answerRetry(stanza)
    if (type === 'server-error') return this.#uploadAgain(stanza)
    const status = type === 'read' || type === 'played' ? type : type ? undefined : 'delivered'
    if (status) for (const id of receiptIds(stanza)) this.#outbox.advance(id, status)
  }

  #answerRetry(stanza: BinaryNode): void {
    const device = this.#line.state.directory.device(stanza.attrs.participant ?? attr(stanza, 'from'))
    const { count = '1' } = child(stanza, 'retry')?.attrs ?? {}
    if (!device || !this.#line.account.honoursRetries) return
    const keys = children(stanza, 'keys').map(bundle => keysOf(stanza, bundle))[0]
    // Not awaited: it queues behind the step that is running now.
    this.#watch(this.#outbox.sendAgain(attr(stanza, 'id'), device, keys, count))
  }

  #answerCompanion(stanza: BinaryNode, message: proto.IMessage): void {
    const body = message.protocolMessage?.peerDataOperationRequestMessage
    const from = this.#line.state.directory.device(attr(stanza, 'from'))
    if (!body || !from) return
    const parts = { past: this.#past, outbox: this.#outbox, find: (id: string) => this.find(id) }
    // Not awaited: it queues behind the step that is running now.
    this.#watch(answerRequest(parts, { id: attr(stanza, 'id'), from, body }))
  }

  #uploadAgain(request: BinaryNode): void {
    const id = attr(request, 'id')
    const known = this.find(id) ?? this.#outbox.sent.get(id)
    const message = known?.message ?? this.#past.find(id)
    uploadAgain(this.#line, request, this.hasFiles ? message : undefined)
  }

  #watch(work: Promise<void>): void {
    work.catch(error => this.#line.state.errors.push(error))
  }

  #number(jid: string): string {
    const { state, group } = this.#line
    return group(jid)?.id ?? state.directory.account(jid)?.number ?? jid
  }
}

function unwrap(message: proto.IMessage): proto.IMessage {
  const own = message.deviceSentMessage?.message
  return own ? { messageContextInfo: message.messageContextInfo, ...own } : message
}
