import {
  generateWAMessageFromContent,
  isJidGroup,
  isLidUser,
  jidNormalizedUser,
  type proto,
  type WAMessage,
  type WASocket,
} from 'baileys'
import type {
  Chat,
  CheckLease,
  InboundEvent,
  KeyRows,
  Operation,
  Outcome,
  Outgoing,
} from '../../../driver.ts'
import { findNumber, jidOf, lidOf, localAddress } from '../inbound/addresses.ts'
import { expirationIn, expiring } from '../inbound/chat-timers.ts'
import { identityOf, serverAckOf } from '../inbound/translate.ts'
import type { Restriction } from '../session/restriction.ts'
import type { Composer } from './compose.ts'
import { SENT_KINDS } from './kinds/index.ts'
import { Refused } from './kinds/kind.ts'
import { type Packed, packOperation } from './operations.ts'

/** The server answers within a second; after this long the message goes out again under the same id. */
const ACK_MS = 30_000
/** Too many strangers written to, or a number addressed whose owner moved to a LID. */
const RESTRICTED = '463'

type Ack = Record<string, string | undefined>

interface Deps {
  rows: KeyRows
  composer: Composer
  restriction: Restriction
  /** What was sent under an id; undefined when that is unknown or not ours. */
  sent(externalId: string): Promise<proto.IMessage | null | undefined>
  add(event: InboundEvent): void
}

/** One stanza to be written, as soon as its address is known. */
interface Parcel {
  chat: Chat
  externalId: string
  checkLease: CheckLease
  pack(jid: string): Promise<Packed>
}

/** The sending half of one socket. */
export class Sender {
  readonly #sock: WASocket
  readonly #deps: Deps
  readonly #waiting = new Map<string, (ack: Ack) => void>()
  readonly #gone = Promise.withResolvers<void>()
  #isBroken = false

  constructor(sock: WASocket, deps: Deps) {
    this.#sock = sock
    this.#deps = deps
    sock.ws.on('CB:ack,class:message', ({ attrs }: { attrs: Ack }) => {
      const settle = this.#waiting.get(attrs.id ?? '')
      if (settle) settle(attrs)
      else deps.add(serverAckOf(attrs))
    })
  }

  send(message: Outgoing, checkLease: CheckLease): Promise<Outcome> {
    const sock = this.#sock
    return this.#deliverOrBreak({
      checkLease,
      chat: message.chat,
      externalId: message.externalId,
      pack: async jid => {
        if (message.again && isJidGroup(jid)) await distributeKeyAgain(sock, jid)
        const content = await this.#deps.composer.compose(sock, message.externalId, message)
        const seconds = await expirationIn(this.#deps.rows, message.chat)
        const { nodes } = SENT_KINDS[message.content.kind]
        return { message: expiring(quoting(sock, jid, content, message), seconds), ...(nodes && { nodes }) }
      },
    })
  }

  act(operation: Operation, checkLease: CheckLease): Promise<Outcome> {
    return this.#deliverOrBreak({
      checkLease,
      chat: operation.chat,
      externalId: operation.externalId,
      pack: async jid => {
        const isEdit = operation.what === 'edit'
        const original = isEdit ? await this.#deps.sent(operation.target.externalId) : undefined
        return packOperation(jid, operation, original)
      },
    })
  }

  /** The socket has closed: what waits for an answer gets none. */
  broken(): void {
    this.#isBroken = true
    this.#gone.resolve()
  }

  /** Baileys' own queries may hang for a minute on a dead socket. */
  async #deliverOrBreak(parcel: Parcel): Promise<Outcome> {
    const offline: Outcome = { is: 'unknown', reason: 'the connection broke' }
    if (this.#isBroken) return offline
    const delivery = this.#deliver(parcel).catch((error): Outcome => {
      if (error instanceof Refused) return { is: 'refused', reason: error.reason }
      if (error instanceof Unchecked) return { is: 'unknown', reason: error.message }
      throw error
    })
    delivery.catch(() => {})
    return Promise.race([delivery, this.#gone.promise.then(() => offline)])
  }

  async #deliver(parcel: Parcel): Promise<Outcome> {
    if (parcel.chat.kind === 'cloud') return { is: 'refused', reason: 'ERR_WAPP_OTHER_NETWORK' }
    const jid = await this.#addressOf(parcel.chat)
    if (!jid) return { is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' }
    const ack = await this.#submit(jid, parcel)
    if (ack?.error !== RESTRICTED) return outcomeOf(ack)
    const lid = jid.endsWith('@s.whatsapp.net') ? await lidOf(this.#sock, jid) : null
    const second = lid ? await this.#submit(lid, parcel) : ack
    return second?.error === RESTRICTED ? this.#refusedFirst() : outcomeOf(second)
  }

  /** Each further try counts as another reach-out: none is made while the number is restricted (Baileys issue 2441). */
  async #refusedFirst(): Promise<Outcome> {
    const until = await this.#deps.restriction.ask(this.#sock)
    if (until) return { is: 'held', reason: 'ERR_WAPP_RESTRICTED', until }
    return { is: 'refused', reason: 'ERR_WAPP_STRANGER' }
  }

  /** The address, or null when WhatsApp does not know the number. Throws `Unchecked` when it does not answer. */
  async #addressOf(chat: Chat): Promise<string | null> {
    const { jid, isKnown } = await localAddress(this.#deps.rows, chat)
    if (isKnown) return jid
    const found = await findNumber(this.#sock, chat.value).catch(error => {
      throw new Unchecked('ERR_WAPP_CHECK_CONTACT', { cause: error })
    })
    const identity = found && identityOf(jid, found)
    if (identity) this.#deps.add(identity)
    return found
  }

  /** Resolves with the server's ack, or null when it does not come. Rejects when the message could not be written. */
  async #submit(jid: string, { externalId, pack, checkLease }: Parcel): Promise<Ack | null> {
    const { message, attrs, nodes } = await pack(jid)
    // checked here by the clock of the database, and again by its own in the step in which each frame leaves (library/guard.ts)
    await checkLease()
    const { promise: acked, resolve: settle } = Promise.withResolvers<Ack | null>()
    const timer = setTimeout(settle, ACK_MS, null)
    this.#waiting.set(externalId, settle)
    try {
      const options = { messageId: externalId, additionalAttributes: attrs, additionalNodes: nodes }
      const written = this.#sock.relayMessage(jid, message, options)
      return await Promise.race([acked, written.then(() => acked)])
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(externalId)
    }
  }
}

/** The outcome of the first try is unknown: its recipients may not have received our key of the group. */
const distributeKeyAgain = (sock: WASocket, jid: string) =>
  sock.authState.keys.set({ 'sender-key-memory': { [jid]: null } })

/** WhatsApp did not answer whether a number exists. */
class Unchecked extends Error {}

/** The message as it is sent, with what it quotes. */
function quoting(sock: WASocket, jid: string, content: proto.IMessage, { externalId, quoted }: Outgoing) {
  if (!quoted) return content
  const { id, lid } = sock.authState.creds.me!
  const userJid = jidNormalizedUser((isLidUser(jid) || isJidGroup(jid)) && lid ? lid : id)
  const options = { userJid, messageId: externalId, quoted: quotedOf(jid, quoted) }
  return generateWAMessageFromContent(jid, content, options).message!
}

function quotedOf(remoteJid: string, quoted: NonNullable<Outgoing['quoted']>): WAMessage {
  const { externalId: id, fromMe, author, body } = quoted
  const participant = author ? jidOf(author) : undefined
  return { key: { remoteJid, id, fromMe, participant }, message: { conversation: body } }
}

function outcomeOf(ack: Ack | null): Outcome {
  // the socket works, and this one message is not answered
  if (!ack) return { is: 'unknown', reason: 'the server did not answer', fault: 'recipient' }
  return ack.error ? { is: 'refused', reason: ack.error } : { is: 'sent' }
}
