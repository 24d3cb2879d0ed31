import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  type BinaryNode,
  cleanMessage,
  decodeMessageNode,
  jidNormalizedUser,
  proto,
  unpadRandomMax16,
  type WAMessage,
} from 'baileys'
import type { KeyRows } from '../../../driver.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { recipientsIn, withContext } from './own-copies.ts'

/** The type of key rows that hold a decrypted message until it is recorded as an inbound event. */
export const JOURNAL = 'inbox-journal'

export interface Entry {
  attrs: Record<string, string>
  /** Base64 of the padded plaintext. */
  plaintext: string
  /** Which bytes it was decrypted from. */
  from?: string
  /** Of a list of recipients. */
  recipients?: string[]
}

interface Kept extends Entry {
  since: number
  /** Already in the intake. */
  isClaimed: boolean
  /** When its inbound event was recorded; null until then. */
  receivedAt: number | null
  /** The server has our receipt. */
  isConfirmed: boolean
}

/** After this time (ms) the server has received our receipt, or dropped the message. */
const FORGOTTEN_MS = 60_000

export interface Me {
  id: string
  lid: string
}

/** Whom a connection is known as, and what the secrets of its messages derive from. */
export interface Owner extends Me {
  advSecretKey: string
}

/**
 * Decrypted messages that are not received or not confirmed yet. A row is committed together with the change of the Signal
 * session, since the same bytes can never be decrypted again: after any failure the message can be read from
 * here, also when the server delivers it once more because our receipt was lost.
 */
export interface Journal {
  /** Remembers to which stanza encrypted bytes belong; call it with every message before Baileys sees it. */
  watch(stanza: BinaryNode): void
  /** The row for a plaintext, or null when it belongs to no message. */
  entry(ciphertext: Uint8Array, plaintext: Uint8Array): { id: string; value: Entry } | null
  /** What these bytes were decrypted to before; null when that is not known. */
  plaintextOf(ciphertext: Uint8Array): Uint8Array | null
  /** The row is committed. */
  keep(row: { id: string; value: Entry }): void
  /** The server has our receipt for this message: it will not deliver it again. */
  confirmed(messageId: string): void
  /** The server has redelivered everything without a receipt that it had when this socket opened, at `openedAt`. */
  caughtUp(openedAt: number): void
  /** The message enters the intake; answers its rows, for `drop`. */
  claim(key: WAMessage['key']): string[]
  /** What surrounds a message of ours that another device sent (`withContext`), and to whom it went where that was a list. */
  withContext(message: WAMessage, rowIds: string[]): WAMessage
  /** The event is recorded: the rows are deleted as soon as the server has our receipt. */
  drop(rowIds: string[]): Promise<void>
  /** Deletes rows that were received long ago, though no confirmation came. */
  sweep(): Promise<void>
  /**
   * Messages that were not claimed within `ms`, oldest first. They are claimed now, except those for which `later` is
   * true. Null for an unreadable one.
   */
  leftovers(
    me: Me,
    ms: number,
    later: (message: WAMessage) => boolean,
  ): { message: WAMessage | null; rowIds: string[] }[]
}

/** Opens the journal with the rows that an earlier process left. */
export async function openJournal(rows: KeyRows): Promise<Journal> {
  const entries = new Entries(rows)
  await entries.load()
  const stanzas = new WeakMap<Uint8Array, Pick<Entry, 'attrs' | 'recipients'>>()
  let count = 0
  return {
    watch(stanza) {
      const { attrs, content } = stanza
      if (!Array.isArray(content)) return
      const recipients = recipientsIn(stanza)
      const about = { attrs, ...(recipients.length > 0 && { recipients }) }
      for (const part of content)
        if (part.tag === 'enc' && part.content instanceof Uint8Array) stanzas.set(part.content, about)
    },
    entry(ciphertext, plaintext) {
      const about = stanzas.get(ciphertext)
      if (!about) return null
      // Sorts by time; two of one millisecond by the count.
      const id = `${String(databaseNow()).padStart(15, '0')}-${String(count++ % 1_000_000).padStart(6, '0')}`
      const value = {
        ...about,
        plaintext: Buffer.from(plaintext).toString('base64'),
        from: digestOf(ciphertext),
      }
      return { id, value }
    },
    plaintextOf: ciphertext => entries.plaintextOf(ciphertext),
    keep: ({ id, value }) => entries.keep(id, value, performance.now()),
    confirmed: messageId => entries.confirm(messageId),
    caughtUp: openedAt => entries.confirmBefore(openedAt),
    claim: key => entries.claim(key),
    withContext(message, rowIds) {
      const whole = withContext(message, entries.plaintexts(rowIds))
      const userReceipt = entries.recipients(rowIds).map(userJid => ({ userJid }))
      return userReceipt.length > 0 ? { ...whole, userReceipt } : whole
    },
    drop: rowIds => entries.drop(rowIds),
    sweep: () => entries.sweep(),
    leftovers(me, ms, later) {
      return entries.unclaimed(performance.now() - ms).flatMap(([id, entry]) => {
        const message = readable(entry, me)
        if (message && later(message)) return []
        entry.isClaimed = true
        return { message, rowIds: [id] }
      })
    },
  }
}

/** The rows of the journal in memory, by their id, by message and by the bytes that they were decrypted from. */
class Entries {
  readonly #rows: KeyRows
  readonly #kept = new Map<string, Kept>()
  readonly #ofMessage = new Map<string, Set<string>>()
  readonly #decrypted = new Map<string, string>()
  #isRemoving = false

  constructor(rows: KeyRows) {
    this.#rows = rows
  }

  async load() {
    const stored = [...(await this.#rows.readAll(JOURNAL))].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [id, value] of stored) this.keep(id, JSON.parse(value) as Entry, Number.NEGATIVE_INFINITY)
  }

  keep(id: string, entry: Entry, since: number) {
    this.#kept.set(id, { ...entry, since, isClaimed: false, receivedAt: null, isConfirmed: false })
    const messageId = entry.attrs.id ?? ''
    this.#ofMessage.set(messageId, (this.#ofMessage.get(messageId) ?? new Set()).add(id))
    if (entry.from) this.#decrypted.set(entry.from, id)
  }

  plaintextOf(ciphertext: Uint8Array) {
    const id = this.#decrypted.size > 0 ? this.#decrypted.get(digestOf(ciphertext)) : undefined
    return id === undefined ? null : Buffer.from(this.#kept.get(id)!.plaintext, 'base64')
  }

  plaintexts(ids: string[]) {
    return ids.flatMap(id => this.#kept.get(id)?.plaintext ?? []).map(text => Buffer.from(text, 'base64'))
  }

  recipients(ids: string[]) {
    return ids.map(id => this.#kept.get(id)?.recipients).find(named => named !== undefined) ?? []
  }

  claim({ id, participant }: WAMessage['key']) {
    const name = nameOf({ id: id ?? '', participant: participant ?? '' })
    const ids = [...(this.#ofMessage.get(id ?? '') ?? [])].filter(
      row => nameOf(this.#kept.get(row)!.attrs) === name,
    )
    for (const row of ids) this.#kept.get(row)!.isClaimed = true
    return ids
  }

  unclaimed(before: number) {
    return [...this.#kept].filter(([, { isClaimed, since }]) => !isClaimed && since <= before)
  }

  confirm(messageId: string) {
    this.#confirm(this.#ofMessage.get(messageId) ?? [])
  }

  confirmBefore(openedAt: number) {
    this.#confirm([...this.#kept].filter(([, { since }]) => since < openedAt).map(([id]) => id))
  }

  #confirm(ids: Iterable<string>) {
    const known = [...ids].map(id => this.#kept.get(id)!)
    for (const row of known) row.isConfirmed = true
    if (known.some(({ receivedAt }) => receivedAt !== null)) this.#removeDone().catch(() => {})
  }

  async drop(rowIds: string[]) {
    for (const id of rowIds) {
      const row = this.#kept.get(id)
      if (row) row.receivedAt ??= performance.now()
    }
    await this.#remove(rowIds.filter(id => this.#kept.get(id)?.isConfirmed))
  }

  async sweep() {
    const before = performance.now() - FORGOTTEN_MS
    const old = [...this.#kept].filter(([, { receivedAt }]) => receivedAt !== null && receivedAt <= before)
    await this.#remove(old.map(([id]) => id))
  }

  /** Rows that were confirmed after they were received: one write for all of a turn; a failure is left to the sweep. */
  async #removeDone() {
    if (this.#isRemoving) return
    this.#isRemoving = true
    await setImmediate()
    this.#isRemoving = false
    const done = [...this.#kept].filter(([, row]) => row.receivedAt !== null && row.isConfirmed)
    await this.#remove(done.map(([id]) => id))
  }

  async #remove(ids: string[]) {
    if (ids.length === 0) return
    await this.#rows.write(ids.map(id => ({ type: JOURNAL, id, value: null })))
    for (const id of ids) this.#forget(id)
  }

  #forget(id: string) {
    const row = this.#kept.get(id)
    if (!row) return
    const messageId = row.attrs.id ?? ''
    this.#ofMessage.get(messageId)?.delete(id)
    if (this.#ofMessage.get(messageId)?.size === 0) this.#ofMessage.delete(messageId)
    if (row.from) this.#decrypted.delete(row.from)
    this.#kept.delete(id)
  }
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64')

/** Ids are unique only with their author. */
const nameOf = ({ id, participant }: Record<string, string>) =>
  `${id} ${participant ? jidNormalizedUser(participant) : ''}`

function readable(entry: Entry, me: Me): WAMessage | null {
  try {
    return messageOf(entry, me)
  } catch {
    return null
  }
}

/** The message as Baileys would have built it. */
function messageOf({ attrs, plaintext }: Entry, me: Me): WAMessage {
  const { fullMessage } = decodeMessageNode({ tag: 'message', attrs, content: [] }, me.id, me.lid)
  const message = proto.Message.decode(unpadRandomMax16(Buffer.from(plaintext, 'base64')))
  fullMessage.message = message.deviceSentMessage?.message ?? message
  cleanMessage(fullMessage, me.id, me.lid)
  return fullMessage
}
