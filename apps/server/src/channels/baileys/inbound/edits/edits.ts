import type { WAMessage } from 'baileys'
import type { InboundEvent, KeyRows } from '../../../../driver.ts'
import { externalIdOf } from '../../../../platform/external.ts'
import type { Owner } from '../../keys/journal.ts'
import { editSecretOf, MESSAGE_SECRET, ownSecret, secretIdOf } from '../../keys/secrets.ts'
import { authorAddresses } from '../addresses.ts'
import { unwrapped } from '../content.ts'
import { keptOf, messageIn } from '../kept.ts'
import { attempt } from '../text.ts'
import { inboundFrom, unreadableEditOf } from '../translate.ts'
import { openEdit, type SealedEdit, sealedEditOf } from './sealed.ts'

/** The type of key rows that hold encrypted edits whose message did not arrive yet. */
const SEALED_EDIT = 'sealed-edit'
/** A phone edits within 15 minutes; so many in that time is an attack. */
const MOST_WAITING = 500

interface Options {
  rows: KeyRows
  me(): Owner
}

/** Encrypted edits of one connection. They outlive sockets. */
export class EncryptedEdits {
  readonly #rows: KeyRows
  readonly #me: () => Owner
  /** Those whose message did not come yet. */
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
    return Boolean(unwrapped(message)?.secretEncryptedMessage)
  }

  /** The event of an encrypted edit. One that cannot be decrypted is kept, and reported without its text. */
  async eventOf(message: WAMessage): Promise<InboundEvent | null> {
    const sealed = sealedEditOf(message.message)
    if (!sealed) return null
    const event = await this.#opened(message, sealed)
    if (event) return event
    await this.#keep(message, sealed)
    return unreadableEditOf(message, sealed.targetId)
  }

  /** Keeps the secret of a message that was not decrypted here. */
  async remember(message: WAMessage): Promise<void> {
    const secret = editSecretOf(message.message)
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
      const event = await this.#opened(message, sealedEditOf(message.message)!)
      if (event) found.push({ id, event })
    }
    if (found.length === 0) return null
    return { events: found.map(({ event }) => event), forget: () => this.#forget(found.map(({ id }) => id)) }
  }

  async #opened(message: WAMessage, sealed: SealedEdit): Promise<InboundEvent | null> {
    const jids = await authorAddresses(this.#rows, message.key, this.#me())
    const ids = jids.map(jid => secretIdOf(sealed.targetId, jid))
    const found = [...(await this.#rows.read(MESSAGE_SECRET, ids)).values()]
    const secrets: Uint8Array[] = found.map(secret => Buffer.from(JSON.parse(secret) as string, 'base64'))
    // of what was sent from here no row is kept
    if (message.key.fromMe) secrets.push(ownSecret(this.#me(), sealed.targetId))
    for (const secret of secrets) {
      const plain = openEdit(sealed, secret, jids)
      if (plain) return inboundFrom({ ...message, message: plain })
    }
    return null
  }

  async #keep(message: WAMessage, { targetId }: SealedEdit) {
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
