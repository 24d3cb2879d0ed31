import {
  type BinaryNode,
  decodeMessageNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  proto,
  type WAMessage,
  type WASocket,
} from 'baileys'
import type { Logger } from 'pino'
import type { InboundEvent, KeyRows } from '../../../driver.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { externalIdOf } from '../../../platform/external.ts'
import { boundedCache } from '../keys/cache.ts'
import type { Me } from '../keys/journal.ts'
import { isStatusOrNewsletter } from './addresses.ts'
import { keptOf, messageIn } from './kept.ts'
import { isOnOwnList } from './own-lists.ts'
import { placeholderOf } from './translate.ts'

/** The type of key rows that hold messages whose content is not here. */
const WAITING = 'waiting-message'
const { CIPHERTEXT } = proto.WebMessageInfo.StubType
/** WhatsApp Web asks its phone for no older ones (WAWebNonMessageDataRequestPlaceholderMessageResendUtils). */
const OLDEST_MS = 14 * 86_400_000
const AGAIN_MS = 10 * 60_000
/** Requests of one turn: the phone answers each with a message of its own. */
const AT_ONCE = 20
const MOST = 1_000

/** Only a phone shows these: asked for, it does not answer. */
const WITHHELD = ['bot', 'hosted', 'view_once'].map(what => `${what}_unavailable_fanout`).concat('view_once')
const OLD = 'old'

type InboundMessage = Extract<InboundEvent, { kind: 'message' }>

interface Options {
  rows: KeyRows
  me(): Me
  log: Logger
}

interface Unread {
  message: WAMessage
  /** Its event is recorded. */
  isRecorded: boolean
  /** Why it is not asked for: a type of `WITHHELD`, or `OLD`; empty for one whose content may come. */
  withheld: string
}

/**
 * Messages of one connection that arrived without a readable content: undecryptable ones, which their sender is asked to
 * send again by Baileys, and those that the server delivers to phones only, such as the first one after an
 * advertisement, which the own phone is asked for. They outlive sockets and processes.
 */
export class UnreadMessages {
  readonly #options: Options
  readonly #kept = new Map<string, Unread>()
  /** Stanzas whose failure shows no trace. */
  readonly #hidden = boundedCache(MOST)

  constructor(options: Options) {
    this.#options = options
  }

  async load(): Promise<void> {
    for (const [id, value] of await this.#options.rows.readAll(WAITING)) this.#kept.set(id, unreadIn(value))
  }

  isOne({ messageStubType }: WAMessage): boolean {
    return messageStubType === CIPHERTEXT
  }

  /** What an earlier process wrote down, and did not record. */
  unrecorded(): InboundEvent[] {
    const all = [...this.#kept.values()].filter(({ isRecorded }) => !isRecorded)
    return all.flatMap(
      ({ message, withheld }) => placeholderOf(message, { isViewOnce: isViewOnce(withheld) }) ?? [],
    )
  }

  awaits(externalId: string): boolean {
    return this.#kept.get(externalIdOf(externalId))?.withheld === ''
  }

  /** Before Baileys confirms a stanza: one that has no content is written down, since it is not delivered again. */
  async note(stanza: BinaryNode): Promise<void> {
    if (isStatusOrNewsletter(stanza.attrs.from) || this.#isOnOwnList(stanza)) return
    const isRecorded = isHidden(stanza)
    if (isRecorded) this.#hidden.set(stanza.attrs.id ?? '', true)
    const unavailable = getBinaryNodeChild(stanza, 'unavailable')
    if (!unavailable) return
    await this.#keep({ message: this.#messageOf(stanza), isRecorded, withheld: withheldAs(unavailable) })
  }

  /** The event of a message without its content; null for what shows no trace, such as a reaction. */
  async eventOf(message: WAMessage): Promise<InboundEvent | null> {
    if (this.#hidden.get(message.key.id ?? '')) return null
    const event = placeholderOf(message)
    if (event) await this.#keep({ message, isRecorded: false, withheld: '' })
    return event
  }

  /** The event of a stanza that Baileys passes over; null for any other. */
  passedOver(stanza: BinaryNode): InboundMessage | null {
    const unavailable = getBinaryNodeChild(stanza, 'unavailable')
    // one that is seen once is a message that Baileys reports itself
    if (!unavailable || unavailable.attrs.type === 'view_once' || isStatusOrNewsletter(stanza.attrs.from))
      return null
    if (this.#isOnOwnList(stanza)) return null
    const message = this.#messageOf(stanza)
    const withheld = withheldAs(unavailable)
    if (!withheld && !isOld(message)) return null
    return placeholderOf(message, { isViewOnce: isViewOnce(withheld) })
  }

  /** The messages in an answer of the own phone, which may name their chats by another address: that of the placeholder counts; null for anything else. */
  resentIn(message: WAMessage): WAMessage[] | null {
    const resent = message.key.fromMe ? contentsIn(message) : null
    return (
      resent?.map(one => ({
        ...one,
        key: this.#kept.get(externalIdOf(one.key.id))?.message.key ?? one.key,
      })) ?? null
    )
  }

  /** A placeholder was recorded: where no content follows, that is the end of it. */
  async recorded(externalId: string): Promise<void> {
    const id = externalIdOf(externalId)
    const unread = this.#kept.get(id)
    if (unread?.withheld) return this.forget(externalId)
    if (unread && !unread.isRecorded) await this.#write(id, { ...unread, isRecorded: true })
  }

  /** The content was recorded. */
  async forget(externalId: string): Promise<void> {
    const id = externalIdOf(externalId)
    if (!this.#kept.has(id)) return
    await this.#options.rows.write([{ type: WAITING, id, value: null }])
    this.#kept.delete(id)
  }

  /** Asks the own phone for all that waits, now and from time to time, some in each turn; answers how to stop. */
  follow(phone: Phone): () => void {
    const { log } = this.#options
    let turn = 0
    const ask = () =>
      this.#ask(phone, turn++).catch(error => log.warn({ err: error }, 'the phone could not be asked'))
    void ask()
    const timer = setInterval(ask, AGAIN_MS)
    return () => clearInterval(timer)
  }

  async #ask(phone: Phone, turn: number) {
    const waiting = [...this.#kept.values()].filter(({ withheld }) => !withheld).map(({ message }) => message)
    for (const { key } of waiting.filter(isOld)) await this.forget(key.id ?? '')
    const newest = waiting.filter(one => !isOld(one)).reverse()
    const from = (turn * AT_ONCE) % Math.max(1, newest.length)
    for (const message of newest.slice(from, from + AT_ONCE)) {
      const { remoteJid, fromMe, id, participant } = message.key
      await phone.requestPlaceholderResend({ remoteJid, fromMe, id, participant }, message)
    }
  }

  async #keep(unread: Unread) {
    const id = externalIdOf(unread.message.key.id)
    if (this.#kept.has(id) || this.#kept.size >= MOST) return
    await this.#write(id, { ...unread, withheld: unread.withheld || (isOld(unread.message) ? OLD : '') })
  }

  async #write(id: string, { message, ...rest }: Unread) {
    const value = JSON.stringify({ kept: keptOf(message), ...rest })
    await this.#options.rows.write([{ type: WAITING, id, value }])
    this.#kept.set(id, { message, ...rest })
  }

  /** Its author is the company: there is no chat for a placeholder. */
  #isOnOwnList({ attrs: { from, participant } }: BinaryNode) {
    return isOnOwnList({ remoteJid: from, participant }, this.#options.me())
  }

  #messageOf(stanza: BinaryNode): WAMessage {
    const { id, lid } = this.#options.me()
    return decodeMessageNode(stanza, id, lid).fullMessage
  }
}

type Phone = Pick<WASocket, 'requestPlaceholderResend'>

const isOld = ({ messageTimestamp }: WAMessage) =>
  databaseNow() - Number(messageTimestamp) * 1_000 > OLDEST_MS

function unreadIn(value: string): Unread {
  const { kept, isRecorded, withheld } = JSON.parse(value) as Omit<Unread, 'message'> & { kept: string }
  return { message: messageIn(kept), isRecorded, withheld }
}

/** The type of a stanza without content, where only phones show that; else empty. */
const withheldAs = ({ attrs: { type = '' } }: BinaryNode): string => (WITHHELD.includes(type) ? type : '')

const isViewOnce = (withheld: string) => withheld.startsWith('view_once')

/** What is about another message shows no trace (`decrypt-fail` of whatsmeow and WhatsApp Web). */
function isHidden(stanza: BinaryNode): boolean {
  const { edit, type, category } = stanza.attrs
  if (edit || type === 'reaction' || category === 'peer') return true
  return getBinaryNodeChildren(stanza, 'enc').some(({ attrs }) => attrs['decrypt-fail'] === 'hide')
}

function contentsIn({ message }: WAMessage): WAMessage[] | null {
  const answer = message?.protocolMessage?.peerDataOperationRequestResponseMessage
  const results = answer?.peerDataOperationResult?.flatMap(
    ({ placeholderMessageResendResponse: resent }) => resent?.webMessageInfoBytes ?? [],
  )
  return results?.length ? results.flatMap(bytes => contentIn(bytes)) : null
}

/** The secret is beside the message, and belongs into it. */
function contentIn(bytes: Uint8Array): WAMessage[] {
  const info = decoded(bytes)
  if (!info?.key?.id || !info.message) return []
  const { key, message, messageSecret, messageTimestamp, pushName, participant } = info
  const { messageContextInfo } = message
  const context = { messageSecret, ...messageContextInfo }
  return [
    {
      key: { ...key, participant: key.participant || participant },
      message: { ...message, ...(messageSecret?.length && { messageContextInfo: context }) },
      messageTimestamp,
      pushName,
    },
  ]
}

function decoded(bytes: Uint8Array): proto.WebMessageInfo | null {
  try {
    return proto.WebMessageInfo.decode(bytes)
  } catch {
    return null
  }
}
