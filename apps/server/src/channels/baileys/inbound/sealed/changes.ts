import { areJidsSameUser, isJidGroup, type WAMessage, type WAMessageKey } from 'baileys'
import type { InboundEvent, KeyRows } from '../../../../driver.ts'
import { externalIdOf } from '../../../../platform/external.ts'
import type { Owner } from '../../keys/journal.ts'
import { changeSecretOf, MESSAGE_SECRET, ownSecret, secretIdOf } from '../../keys/secrets.ts'
import { authorAddresses } from '../addresses.ts'
import { keptOf, messageIn } from '../kept.ts'
import { answerSecretOf } from '../sealed-answers.ts'
import { attempt } from '../text.ts'
import { inboundFrom, unreadableEditOf } from '../translate.ts'
import { isByAuthor, openChange, type SealedChange, sealedChangeOf } from './sealed.ts'

/** The type of key rows that hold encrypted edits whose message did not arrive yet. */
const SEALED_EDIT = 'sealed-edit'
/** A phone edits within 15 minutes; so many in that time is an attack. */
const MOST_WAITING = 500

interface Options {
  rows: KeyRows
  me(): Owner
}

/** Encrypted edits, reactions and comments of one connection. They outlive sockets. */
export class SealedChanges {
  readonly #rows: KeyRows
  readonly #me: () => Owner
  /** Edits whose message did not come yet. */
  readonly #waiting = new Map<string, WAMessage>()

  constructor({ rows, me }: Options) {
    this.#rows = rows
    this.#me = me
  }

  async load(): Promise<void> {
    for (const [id, value] of await this.#rows.readAll(SEALED_EDIT)) {
      // a newer schema may find malformed what no earlier one looked into
      const message = attempt(() => messageIn(value))
      if (message) this.#waiting.set(id, message)
    }
  }

  isOne({ message }: WAMessage): boolean {
    return sealedChangeOf(message) !== null
  }

  /**
   * The event of an encrypted change; null for one that cannot be decrypted, unless it is the edit of a text: that is kept,
   * and reported without its text.
   */
  async eventOf(message: WAMessage): Promise<InboundEvent | null> {
    const sealed = sealedChangeOf(message.message)
    if (!sealed) return null
    const event = await this.#opened(message, sealed)
    if (event || sealed.use !== 'Message Edit') return event
    await this.#keep(message, sealed)
    return unreadableEditOf(message, sealed.targetId)
  }

  /** Keeps the secret of a message that was not decrypted here. */
  async remember(message: WAMessage): Promise<void> {
    const secret = changeSecretOf(message.message, isJidGroup(message.key.remoteJid ?? '') === true)
    const { id } = message.key
    if (!secret || !id) return
    const value = JSON.stringify(secret)
    const jids = await authorAddresses(this.#rows, message.key, this.#me())
    await this.#rows.write(
      jids.map(jid => ({ type: MESSAGE_SECRET, id: secretIdOf(id, jid), value, isPassing: true })),
    )
  }

  /** The edits that came before this message, and how to delete their rows when they are recorded. */
  async waitingFor(externalId: string): Promise<{ events: InboundEvent[]; forget(): Promise<void> } | null> {
    const found: { id: string; event: InboundEvent }[] = []
    for (const [id, message] of this.#waiting) {
      if (!id.startsWith(`${externalIdOf(externalId)} `)) continue
      const event = await this.#opened(message, sealedChangeOf(message.message)!)
      if (event) found.push({ id, event })
    }
    if (found.length === 0) return null
    return { events: found.map(({ event }) => event), forget: () => this.#forget(found.map(({ id }) => id)) }
  }

  async #opened(message: WAMessage, sealed: SealedChange): Promise<InboundEvent | null> {
    const target = targetOf(message.key, sealed, this.#me())
    const senders = await authorAddresses(this.#rows, message.key, this.#me())
    const authors = isByAuthor(sealed) ? senders : await authorAddresses(this.#rows, target, this.#me())
    for (const secret of await this.#secretsOf(target, authors)) {
      const plain = openChange(sealed, secret, { authors, senders, target })
      if (plain) return inboundFrom({ ...message, message: plain })
    }
    return null
  }

  async #secretsOf({ id, fromMe }: WAMessageKey, authors: string[]): Promise<Uint8Array[]> {
    const ids = authors.map(jid => secretIdOf(id ?? '', jid))
    const found = [...(await this.#rows.read(MESSAGE_SECRET, ids)).values()]
    const secrets: Uint8Array[] = found.map(secret => Buffer.from(JSON.parse(secret) as string, 'base64'))
    const answered = await answerSecretOf(this.#rows, id)
    if (answered) secrets.push(answered)
    // of what was sent from here no row is kept
    if (fromMe) secrets.push(ownSecret(this.#me(), id ?? ''))
    return secrets
  }

  async #keep(message: WAMessage, { targetId }: SealedChange) {
    const id = `${externalIdOf(targetId)} ${externalIdOf(message.key.id)}`
    if (this.#waiting.has(id)) return
    if (this.#waiting.size >= MOST_WAITING) await this.#forget([...this.#waiting.keys()].slice(0, 1))
    await this.#rows.write([{ type: SEALED_EDIT, id, value: keptOf(message), isPassing: true }])
    this.#waiting.set(id, message)
  }

  async #forget(ids: string[]) {
    await this.#rows.write(ids.map(id => ({ type: SEALED_EDIT, id, value: null })))
    for (const id of ids) this.#waiting.delete(id)
  }
}

/** The message that a change is about: its sender names it from their side. */
function targetOf(by: WAMessageKey, sealed: SealedChange, { id, lid }: Owner): WAMessageKey {
  const { key, targetId } = sealed
  const { remoteJid, remoteJidAlt } = by
  const chat = { remoteJid, remoteJidAlt, id: targetId }
  if (isByAuthor(sealed) || (key.fromMe && !by.fromMe)) return { ...by, id: targetId }
  if (by.fromMe) return { ...chat, fromMe: key.fromMe === true, participant: key.participant }
  const author = key.participant || key.remoteJid || undefined
  const isOwn = areJidsSameUser(author, id) || areJidsSameUser(author, lid)
  return isOwn ? { ...chat, fromMe: true } : { ...chat, fromMe: false, participant: key.participant }
}
