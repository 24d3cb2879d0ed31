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
import type { KeyRows } from '../../driver.ts'

/** The type under which a decrypted message stands among the key rows until it was heard. */
export const JOURNAL = 'inbox-journal'

interface Entry {
  attrs: Record<string, string>
  /** Base64 of the padded plaintext. */
  plaintext: string
  /** Which bytes it was decrypted from. */
  from?: string
}

interface Kept extends Entry {
  since: number
  /** Already on its way to be heard. */
  isTaken: boolean
  /** When it was heard; null until then. */
  heardAt: number | null
  /** The server knows that we have it. */
  isConfirmed: boolean
}

/** After so long the server has heard of a receipt, or forgotten the message. */
const FORGOTTEN_MS = 60_000

export interface Me {
  id: string
  lid: string
}

/**
 * What was decrypted and not heard yet, or not confirmed yet. A row is committed together with the change of the Signal
 * session, since the same bytes can never be decrypted again: whatever breaks afterwards, the message can be read from
 * here, also when the server delivers it once more because our receipt was lost.
 */
export interface Journal {
  /** Remembers to which stanza encrypted bytes belong; call it with every message before Baileys sees it. */
  watch(stanza: BinaryNode): void
  /** The row for a plaintext, or null when there is nothing to hear in it. */
  entry(ciphertext: Uint8Array, plaintext: Uint8Array): { id: string; value: Entry } | null
  /** What these bytes were decrypted to before; null when that is not known. */
  plaintextOf(ciphertext: Uint8Array): Uint8Array | null
  /** The row is committed. */
  keep(row: { id: string; value: Entry }): void
  /** The server has our receipt for this message: it will not deliver it again. */
  confirmed(messageId: string): void
  /** The server has delivered again all that it had no receipt for when this socket opened, at that time. */
  caughtUp(openedAt: number): void
  /** This message is on its way to be heard; answers what to call when it was. */
  take(key: WAMessage['key']): string[]
  /** Heard: the rows may go as soon as the server knows that we have the message. */
  drop(rowIds: string[]): Promise<void>
  /** Lets go of rows that were heard long ago, though no word came of their receipts. */
  sweep(): Promise<void>
  /**
   * Messages that nobody took within `ms`, oldest first; they count as taken now, but for those of which `later` says
   * that their time has not come. Null for an unreadable one.
   */
  leftovers(
    me: Me,
    ms: number,
    later: (message: WAMessage) => boolean,
  ): { message: WAMessage | null; rowIds: string[] }[]
}

/** Opens the journal with what an earlier process left in it. */
export async function openJournal(rows: KeyRows): Promise<Journal> {
  const stanzas = new WeakMap<Uint8Array, Record<string, string>>()
  const kept = new Map<string, Kept>()
  const rowsOf = new Map<string, Set<string>>()
  const decrypted = new Map<string, string>()
  let count = 0

  function keep(id: string, entry: Entry, since: number) {
    kept.set(id, { ...entry, since, isTaken: false, heardAt: null, isConfirmed: false })
    const messageId = entry.attrs.id ?? ''
    rowsOf.set(messageId, (rowsOf.get(messageId) ?? new Set()).add(id))
    if (entry.from) decrypted.set(entry.from, id)
  }

  function forget(id: string) {
    const row = kept.get(id)
    if (!row) return
    const messageId = row.attrs.id ?? ''
    rowsOf.get(messageId)?.delete(id)
    if (rowsOf.get(messageId)?.size === 0) rowsOf.delete(messageId)
    if (row.from) decrypted.delete(row.from)
    kept.delete(id)
  }

  async function remove(ids: string[]) {
    if (ids.length === 0) return
    await rows.write(ids.map(id => ({ type: JOURNAL, id, value: null })))
    for (const id of ids) forget(id)
  }

  let isRemoving = false
  /** Confirmed after it was heard. In one write for all that come meanwhile; what fails is left to the sweep. */
  async function removeDone() {
    if (isRemoving) return
    isRemoving = true
    await setImmediate()
    isRemoving = false
    await remove([...kept].filter(([, row]) => row.heardAt !== null && row.isConfirmed).map(([id]) => id))
  }

  function confirm(ids: Iterable<string>) {
    const known = [...ids].map(id => kept.get(id)!)
    for (const row of known) row.isConfirmed = true
    if (known.some(({ heardAt }) => heardAt !== null)) removeDone().catch(() => {})
  }

  const stored = [...(await rows.readAll(JOURNAL))].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [id, value] of stored) keep(id, JSON.parse(value) as Entry, 0)

  return {
    watch({ attrs, content }) {
      if (!Array.isArray(content)) return
      for (const part of content)
        if (part.tag === 'enc' && part.content instanceof Uint8Array) stanzas.set(part.content, attrs)
    },
    entry(ciphertext, plaintext) {
      const attrs = stanzas.get(ciphertext)
      if (!attrs) return null
      // Sorts by time; two of one millisecond by the count.
      const id = `${String(Date.now()).padStart(15, '0')}-${String(count++ % 1_000_000).padStart(6, '0')}`
      const value = {
        attrs,
        plaintext: Buffer.from(plaintext).toString('base64'),
        from: digestOf(ciphertext),
      }
      return { id, value }
    },
    plaintextOf(ciphertext) {
      const id = decrypted.size > 0 ? decrypted.get(digestOf(ciphertext)) : undefined
      return id === undefined ? null : Buffer.from(kept.get(id)!.plaintext, 'base64')
    },
    keep: ({ id, value }) => keep(id, value, Date.now()),
    confirmed: messageId => confirm(rowsOf.get(messageId) ?? []),
    caughtUp: openedAt => confirm([...kept].filter(([, { since }]) => since < openedAt).map(([id]) => id)),
    take({ id, participant }) {
      const name = nameOf({ id: id ?? '', participant: participant ?? '' })
      const ids = [...(rowsOf.get(id ?? '') ?? [])].filter(row => nameOf(kept.get(row)!.attrs) === name)
      for (const row of ids) kept.get(row)!.isTaken = true
      return ids
    },
    async drop(rowIds) {
      for (const id of rowIds) {
        const row = kept.get(id)
        if (row) row.heardAt ??= Date.now()
      }
      await remove(rowIds.filter(id => kept.get(id)?.isConfirmed))
    },
    async sweep() {
      const before = Date.now() - FORGOTTEN_MS
      const old = [...kept].filter(([, { heardAt }]) => heardAt !== null && heardAt <= before)
      await remove(old.map(([id]) => id))
    },
    leftovers(me, ms, later) {
      const before = Date.now() - ms
      const left = [...kept].filter(([, { isTaken, since }]) => !isTaken && since <= before)
      return left.flatMap(([id, entry]) => {
        const message = readable(entry, me)
        if (message && later(message)) return []
        entry.isTaken = true
        return { message, rowIds: [id] }
      })
    },
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

/** What Baileys would have made of it. */
function messageOf({ attrs, plaintext }: Entry, me: Me): WAMessage {
  const { fullMessage } = decodeMessageNode({ tag: 'message', attrs, content: [] }, me.id, me.lid)
  const message = proto.Message.decode(unpadRandomMax16(Buffer.from(plaintext, 'base64')))
  fullMessage.message = message.deviceSentMessage?.message ?? message
  cleanMessage(fullMessage, me.id, me.lid)
  return fullMessage
}
