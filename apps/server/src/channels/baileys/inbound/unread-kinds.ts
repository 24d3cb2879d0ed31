import type { WAMessage } from 'baileys'
import type { InboundEvent, KeyRows } from '../../../driver.ts'
import { externalIdOf } from '../../../platform/external.ts'
import { keptOf, messageIn } from './kept.ts'
import { readableEventOf } from './translate.ts'

/** The type of key rows that hold messages of kinds which the library does not read yet. */
const UNREAD_KIND = 'unread-kind'
const MOST = 1_000
/** Of one, as JSON. */
const MAX_LENGTH = 32_768

type Reread = Extract<InboundEvent, { kind: 'message' }>

/** Messages of one connection whose kind is newer than the library. A later version of the product reads them again. */
export class UnreadKinds {
  readonly #rows: KeyRows
  readonly #kept = new Set<string>()
  #readable: Reread[] = []

  constructor(rows: KeyRows) {
    this.#rows = rows
  }

  async load(): Promise<void> {
    for (const [id, value] of await this.#rows.readAll(UNREAD_KIND)) {
      this.#kept.add(id)
      const event = readableEventOf(messageIn(value))
      if (event?.kind === 'message' && event.mediaType !== 'unknown')
        this.#readable.push({ ...event, isReread: true })
    }
  }

  /** Keeps a message that became an event without its content; nothing for any other. Before the event is recorded. */
  async keep(message: WAMessage, event: InboundEvent | null): Promise<void> {
    const id = externalIdOf(message.key.id)
    if (event?.kind !== 'message' || event.mediaType !== 'unknown' || this.#kept.has(id)) return
    const value = keptOf(message)
    if (this.#kept.size >= MOST || value.length > MAX_LENGTH) return
    await this.#rows.write([{ type: UNREAD_KIND, id, value }])
    this.#kept.add(id)
  }

  /** Those that this version reads; once. */
  readable(): Reread[] {
    return this.#readable.splice(0)
  }

  async forget(externalId: string): Promise<void> {
    const id = externalIdOf(externalId)
    if (!this.#kept.has(id)) return
    await this.#rows.write([{ type: UNREAD_KIND, id, value: null }])
    this.#kept.delete(id)
  }
}
