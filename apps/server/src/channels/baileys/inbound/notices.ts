import { type BinaryNode, BufferJSON, getAllBinaryNodeChildren } from 'baileys'
import type { KeyRows } from '../../../driver.ts'
import { externalIdOf } from '../../../platform/external.ts'

/** The type of key rows that hold notifications about groups until what they become is recorded. */
const NOTICE = 'group-notice'
const MOST = 1_000

/** Those that Baileys gives as a message: a line of the chat, or the timer of its messages. */
const TAGS = new Set([
  ...['create', 'add', 'remove', 'leave', 'promote', 'demote', 'subject', 'description'],
  ...['invite', 'modify', 'membership_approval_mode', 'created_membership_requests'],
  ...['revoked_membership_requests'],
  ...['announcement', 'not_announcement', 'locked', 'unlocked', 'ephemeral', 'not_ephemeral'],
])

/** Notifications about groups, which Baileys confirms before it reports them. They outlive sockets and processes. */
export class GroupNotices {
  readonly #rows: KeyRows
  readonly #kept = new Map<string, BinaryNode>()
  #left: BinaryNode[] = []

  constructor(rows: KeyRows) {
    this.#rows = rows
  }

  async load(): Promise<void> {
    for (const [id, value] of await this.#rows.readAll(NOTICE))
      this.#kept.set(id, JSON.parse(value, BufferJSON.reviver))
    this.#left = [...this.#kept.values()]
  }

  isOne(stanza: BinaryNode): boolean {
    return stanza.attrs.type === 'w:gp2' && TAGS.has(getAllBinaryNodeChildren(stanza)[0]?.tag ?? '')
  }

  /** Before Baileys confirms it. */
  async note(stanza: BinaryNode): Promise<void> {
    const id = externalIdOf(stanza.attrs.id)
    if (this.#kept.has(id) || this.#kept.size >= MOST) return
    await this.#rows.write([{ type: NOTICE, id, value: JSON.stringify(stanza, BufferJSON.replacer) }])
    this.#kept.set(id, stanza)
  }

  /** What an earlier process wrote down, and did not record; once. */
  left(): BinaryNode[] {
    return this.#left.splice(0)
  }

  async recorded(externalId: unknown): Promise<void> {
    const id = externalIdOf(externalId)
    if (!this.#kept.has(id)) return
    await this.#rows.write([{ type: NOTICE, id, value: null }])
    this.#kept.delete(id)
  }
}
