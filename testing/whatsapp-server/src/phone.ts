import type { proto } from 'baileys'
import { albumOf, type Belonging, partOf } from './albums.ts'
import { answerCall, type Call, type CallEvent, startCall } from './calls.ts'
import { type Content, compose, edit, type MessageKey, reaction, revoke } from './contents.ts'
import { type Account, type Addressing, type Device, jidOf } from './directory.ts'
import { NO_HISTORY } from './history.ts'
import { removeDevice } from './login.ts'
import { node, seconds } from './nodes.ts'
import type { Participant } from './participant.ts'
import type { PastChat } from './past.ts'
import { type PhoneAnswers, phoneAnswers } from './phone-answers.ts'
import { changePicture, mappingMessage, revealNumber } from './phone-identity.ts'
import { PhoneInbox, type Received } from './phone-inbox.ts'
import { openLine, type PhoneLine } from './phone-line.ts'
import { linkByCode, linkByQr } from './phone-link.ts'
import { PhoneOutbox, type SentStatus, type WriteOptions } from './phone-outbox.ts'
import { PhonePast } from './phone-past.ts'
import { restrict } from './restrictions.ts'
import { sealEdit } from './secrets.ts'
import type { State } from './state.ts'

export interface LinkOptions {
  /** History that the phone sends to the new companion; default: none. */
  past?: PastChat[]
  /** Or these chunks, as they are. */
  history?: proto.IHistorySync[]
}

export interface EditOptions extends Pick<WriteOptions, 'id'> {
  /** `plain`: as phones sent it until May 2026, and as companions may still send it. */
  form?: 'sealed' | 'plain'
  /** Under which addresses of this phone the key is derived: of the author, and of the editor. */
  names?: [Addressing, Addressing]
}

/**
 * A phone: device 0 of an account and a real Signal participant. The owner of a company's number links companions with
 * it and writes manually; a customer is a phone that has none.
 */
export class Phone {
  readonly account: Account
  /** Votes, replies, pins, timers, and deletions of what others wrote. */
  readonly answers: PhoneAnswers
  readonly #line: PhoneLine
  readonly #outbox: PhoneOutbox
  readonly #past: PhonePast
  readonly #inbox: PhoneInbox

  constructor(state: State, account: Account, signal: Participant, addressing: Addressing) {
    this.account = account
    this.#line = openLine(state, account, signal, addressing)
    this.#outbox = new PhoneOutbox(this.#line)
    this.#past = new PhonePast(this.#line, this.#outbox)
    this.#inbox = new PhoneInbox(this.#line, this.#outbox, this.#past)
    const key = (to: string, id: string) => this.#key(to, id)
    this.answers = phoneAnswers(this.#line, { outbox: this.#outbox, inbox: this.#inbox, key })
    this.goOnline()
  }

  get number(): string {
    return this.account.number
  }

  /** Links the client that shows this QR code. Resolves when it is registered; it comes back by itself (515). */
  async scan(qr: string, options: LinkOptions = {}): Promise<Device> {
    return this.#welcome(await linkByQr(this.#line, qr), options)
  }

  /** Links the client that shows this pairing code for this number. */
  async enterCode(code: string, options: LinkOptions = {}): Promise<Device> {
    return this.#welcome(await linkByCode(this.#line, code), options)
  }

  /** Sends the past again (or another one) to every companion. Resolves when all of it is at the server. */
  async tellPast(past?: PastChat[]): Promise<void> {
    if (past) this.#past.remember(past)
    for (const companion of this.companions()) await this.#past.handOverAll(companion)
  }

  /** Unlinks a companion; by default all of them. */
  unlink(companion?: Device): void {
    for (const device of companion ? [companion] : this.companions()) removeDevice(device)
  }

  companions(): Device[] {
    return [...this.account.devices.values()].filter(device => device.id !== 0)
  }

  /** Writes to a number: a text, or whatever else `Content` names. Resolves with the message's id when the server has it. */
  write(to: string, content: Content, options: WriteOptions = {}): Promise<string> {
    const { forwarded, ad, expires, viewOnce, quote, mentions } = options
    const quoted = quote ? this.#quoted(quote) : undefined
    const mentioned = mentions?.map(number => this.#line.chat(number))
    const around = { forwarded, ad, expires, viewOnce: viewOnce !== undefined, quoted, mentioned }
    return this.#outbox.send(to, () => compose(this.#line.state.media, content, around), options)
  }

  /** Puts a status that these numbers see. Resolves with its id. */
  post(content: Content, to: string[]): Promise<string> {
    return this.#outbox.post(() => compose(this.#line.state.media, content, {}), to)
  }

  /** Sends to the recipients of the list with this id. Resolves with the message's id. */
  sendToList(list: string, content: Content, to: string[]): Promise<string> {
    const message = () => compose(this.#line.state.media, content, {})
    return this.#outbox.post(message, to, `${list}@broadcast`)
  }

  /** Sends any message of the protocol, also one that no phone writes. */
  send(to: string, message: proto.IMessage, options: WriteOptions = {}): Promise<string> {
    return this.#outbox.send(to, message, options)
  }

  /** Puts an emoji on a message of the chat with this number; an empty one removes it. */
  react(to: string, id: string, emoji: string): Promise<string> {
    return this.send(to, reaction(this.#key(to, id), emoji))
  }

  /** Changes an own message. Resolves with the id of the change. */
  edit(to: string, id: string, body: string, { form = 'sealed', names, ...options }: EditOptions = {}) {
    const original = this.#outbox.sent.get(id)?.message ?? this.#inbox.find(id)?.message ?? {}
    const plain = edit(this.#key(to, id), body, original)
    const own = (as: Addressing) => jidOf(this.account, as)
    const { addressing } = this.#line
    const [author, editor] = (names ?? [addressing, addressing]).map(own) as [string, string]
    const message = form === 'plain' ? plain : sealEdit(plain, original, { author, editor })
    return this.#outbox.send(to, message, options, { edit: '1' })
  }

  /** Sends pictures and films as one album. Resolves with the ids of the frame and of the parts. */
  async album(to: string, parts: Content[]): Promise<{ id: string; parts: string[] }> {
    const images = parts.filter(part => typeof part === 'object' && 'image' in part).length
    const id = await this.send(to, albumOf(images, parts.length - images))
    const ids: string[] = []
    for (const part of parts) ids.push(await this.attach(to, id, part, 'album'))
    return { id, parts: ids }
  }

  /** Sends what belongs to a message: a part of an album, its better copy, the film of its moving photo. */
  attach(to: string, id: string, content: Content, how: Belonging): Promise<string> {
    const { media } = this.#line.state
    return this.#outbox.send(to, () => partOf(media, content, this.#key(to, id), how), {})
  }

  /** Deletes an own message for everyone. Resolves with the id of the deletion. */
  revoke(to: string, id: string): Promise<string> {
    return this.#outbox.send(to, revoke(this.#key(to, id)), {}, { edit: '7' })
  }

  /** Marks received messages as read, for their sender to see. Throws when one was never received. */
  read(...ids: string[]): void {
    for (const id of ids) this.#confirm(id, 'read')
  }

  /** Plays a voice note and sends the receipt. Throws when it was never received. */
  play(id: string): void {
    this.#confirm(id, 'played')
  }

  /** Shows this number that the phone is typing, recording, or has paused. */
  type(to: string, state: 'composing' | 'recording' | 'paused'): void {
    const media = state === 'recording' ? 'audio' : undefined
    const content = [node(state === 'recording' ? 'composing' : state, { media })]
    this.#line.tell(node('chatstate', { to: this.#line.chat(to) }, content))
  }

  /** Opens or closes the app: who watches this phone sees it as online, or when it was. */
  appear(state: 'available' | 'unavailable'): void {
    this.#line.tell(node('presence', { type: state }))
  }

  /** Wants to know whether this number is online; `presences` shows it. */
  watch(to: string): void {
    this.#line.tell(node('presence', { type: 'subscribe', to: this.#line.chat(to) }))
  }

  /** Calls a number; it rings until `end` is called. */
  call(to: string, options: { video?: boolean } = {}): Call {
    return startCall(this.#line, to, options)
  }

  /** Accepts a call that rings on this phone, or rejects it; its companions stop ringing. */
  answer(callId: string, how: 'accept' | 'reject'): void {
    answerCall(this.#line, this.calls(), callId, how)
  }

  /** Goes by another name from now on. */
  rename(name: string): void {
    this.account.name = name
  }

  /** Changes or removes the profile picture, visible to all unless `hidden`. */
  setPicture(bytes: Buffer | undefined, { hidden = false } = {}): void {
    this.account.hidesPicture = hidden
    changePicture(this.#line, this.#peers(), bytes)
  }

  /** WhatsApp lets the account begin no conversations until then, or again (null). */
  restrict(until: Date | null, options: { isQuiet?: boolean } = {}): void {
    restrict(this.account, until, options)
  }

  /** Lets out the number behind its LID, after `addPhone(…, {isHidden: true})`. */
  reveal(): void {
    revealNumber(this.#line, this.#peers())
  }

  /** Learns the LID of a number, as from its address book, and sends it to its companions. */
  async learn(number: string): Promise<void> {
    const message = mappingMessage(this.#line.peer(number))
    for (const companion of this.companions()) await this.#outbox.tellCompanion(companion, message)
  }

  /** What the phone shows, oldest first, its own account's messages from companions included. */
  received(): Received[] {
    return this.#inbox.received
  }

  /** Who is typing to this phone at the moment, and how. */
  typing(): Map<string, string> {
    return this.#inbox.typing
  }

  /** Who of the watched is online at the moment. */
  presences(): Map<string, string> {
    return this.#inbox.presences
  }

  /** What this phone noticed of calls, oldest first. */
  calls(): CallEvent[] {
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

  /** The phone has no files any more: companions that ask it to upload one again ask in vain. */
  deleteFiles(): void {
    this.#inbox.hasFiles = false
  }

  /** Out of reach: what is sent to it waits at the server and stays undelivered. */
  goOffline(): void {
    this.#line.device.mailbox.shut()
    this.#line.device.say = undefined
  }

  goOnline(): void {
    const { device, state } = this.#line
    device.say = stanza => this.#inbox.hear(stanza)
    device.mailbox.open(stanza => this.#inbox.take(state.faults.garble(device, stanza)))
  }

  close(): void {
    this.goOffline()
    this.#line.signal.close()
  }

  #welcome(companion: Device, { past, history = NO_HISTORY }: LinkOptions): Device {
    if (past) this.#past.remember(past)
    // Sent once the companion is online: Baileys would not treat an offline message as the first sync.
    const handOver = companion.mailbox.opened.then(() =>
      past ? this.#past.handOverAll(companion) : this.#past.handOver(companion, history),
    )
    handOver.catch(error => this.#line.state.errors.push(error))
    return companion
  }

  #quoted(id: string) {
    const message = this.#inbox.find(id)
    if (message) return { id, author: this.#line.chat(message.from), message: message.message }
    const sent = this.#outbox.sent.get(id)
    if (sent) return { id, author: jidOf(this.account, this.#line.addressing), message: sent.message }
    throw new Error(`${this.number} knows no message ${id}`)
  }

  /** Whom it wrote to. */
  #peers(): Account[] {
    const numbers = new Set([...this.#outbox.sent.values()].map(({ to }) => to))
    return [...numbers].flatMap(number => this.#line.state.directory.account(number) ?? [])
  }

  #confirm(id: string, type: 'read' | 'played'): void {
    const message = this.#inbox.find(id)
    if (!message) throw new Error(`${this.number} never received ${id}`)
    const to = this.#line.chat(message.chat)
    const participant = message.chat === message.from ? undefined : this.#line.chat(message.from)
    this.#line.tell(node('receipt', { id, to, participant, type, t: seconds() }))
  }

  /** A message from this phone's side: in a group naming one requires its author. */
  #key(to: string, id: string): MessageKey {
    const message = this.#inbox.find(id)
    const fromMe = this.#outbox.sent.has(id) || message?.fromMe === true
    const isOthersInGroup = message && !fromMe && message.chat !== message.from
    const participant = isOthersInGroup ? this.#line.chat(message.from) : undefined
    return { remoteJid: this.#line.chat(to), id, fromMe, participant }
  }
}
