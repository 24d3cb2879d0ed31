import {
  type BinaryNode,
  cleanMessage,
  decodeMessageNode,
  jidNormalizedUser,
  proto,
  unpadRandomMax16,
  type WAMessage,
} from 'baileys'
import type { KeyRows } from '../driver.ts'

/** The type under which a decrypted message stands among the key rows until it was heard. */
export const JOURNAL = 'inbox-journal'

interface Entry {
  attrs: Record<string, string>
  /** Base64 of the padded plaintext. */
  plaintext: string
}

interface Kept extends Entry {
  since: number
  /** Already on its way to be heard. */
  isTaken: boolean
}

export interface Me {
  id: string
  lid: string
}

/**
 * What was decrypted and not heard yet. A row is committed together with the change of the Signal session, since the
 * same bytes can never be decrypted again: whatever breaks afterwards, the message can be read from here.
 */
export interface Journal {
  /** Remembers to which stanza encrypted bytes belong; call it with every message before Baileys sees it. */
  watch(stanza: BinaryNode): void
  /** The row for a plaintext, or null when there is nothing to hear in it. */
  entry(ciphertext: Uint8Array, plaintext: Uint8Array): { id: string; value: Entry } | null
  /** The row is committed. */
  keep(row: { id: string; value: Entry }): void
  /** This message is on its way to be heard; answers what to call when it was. */
  take(key: WAMessage['key']): string[]
  /** Heard: the rows may go. */
  drop(rowIds: string[]): Promise<void>
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
  const rowsOf = new Map<string, string[]>()
  let count = 0

  function keep(id: string, entry: Entry, since: number) {
    kept.set(id, { ...entry, since, isTaken: false })
    const name = nameOf(entry.attrs)
    rowsOf.set(name, [...(rowsOf.get(name) ?? []), id])
  }

  function forget(id: string) {
    const name = nameOf(kept.get(id)?.attrs ?? {})
    const others = rowsOf.get(name)?.filter(other => other !== id) ?? []
    if (others.length > 0) rowsOf.set(name, others)
    else rowsOf.delete(name)
    kept.delete(id)
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
      return { id, value: { attrs, plaintext: Buffer.from(plaintext).toString('base64') } }
    },
    keep: ({ id, value }) => keep(id, value, Date.now()),
    take({ id = '', participant }) {
      const ids = rowsOf.get(nameOf({ id: id ?? '', participant: participant ?? '' })) ?? []
      for (const id of ids) kept.get(id)!.isTaken = true
      return ids
    },
    async drop(rowIds) {
      if (rowIds.length === 0) return
      await rows.write(rowIds.map(id => ({ type: JOURNAL, id, value: null })))
      for (const id of rowIds) forget(id)
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
