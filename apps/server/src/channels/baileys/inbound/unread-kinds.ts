import type { WAMessage } from 'baileys'
import type { InboundEvent, KeyRows, SessionHost } from '../../../driver.ts'
import { UNREAD_KIND } from '../../../features/connections/connections.rules.ts'
import { externalIdOf } from '../../../platform/external.ts'
import { keptOf, messageIn } from './kept.ts'
import { attempt } from './text.ts'
import { readableEventOf, timeOf } from './translate.ts'

const MOST = 1_000
/** Of one, as JSON. */
const MAX_LENGTH = 32_768

type Reread = Extract<InboundEvent, { kind: 'message' }>

/** Messages of one connection whose kind is newer than the library. A later version of the product reads them again. */
export class UnreadKinds {
  readonly #rows: KeyRows
  readonly #count: SessionHost['count']
  /** When each was sent. */
  readonly #kept = new Map<string, string>()
  #readable: { id: string; event: Reread }[] = []

  constructor(rows: KeyRows, count: SessionHost['count']) {
    this.#rows = rows
    this.#count = count
  }

  async load(): Promise<void> {
    for (const [id, value] of await this.#rows.readAll(UNREAD_KIND)) {
      // a newer schema may find malformed what no earlier one looked into
      const event = attempt(() => readableEventOf(messageIn(value)))
      this.#kept.set(id, event?.at ?? '')
      // a library that knows the field alone brings nothing to show: a later version may
      const isRead = event?.kind === 'message' && Boolean(event.body || event.file || event.data)
      if (isRead && event.mediaType !== 'unknown')
        this.#readable.push({ id, event: { ...event, isReread: true } })
    }
  }

  /** Keeps a message that became an event without its content; nothing for any other. Before the event is recorded. */
  async keep(message: WAMessage, event: InboundEvent | null): Promise<void> {
    const id = externalIdOf(message.key.id)
    if (event?.kind !== 'message' || event.mediaType !== 'unknown' || this.#kept.has(id)) return
    const value = keptOf(message)
    if (value.length > MAX_LENGTH) return this.#count('kind not kept')
    const oldest = this.#kept.size < MOST ? [] : this.#oldest()
    const dropped = oldest.map(old => ({ type: UNREAD_KIND, id: old, value: null }))
    await this.#rows.write([...dropped, { type: UNREAD_KIND, id, value }])
    this.#kept.set(id, timeOf(message.messageTimestamp))
    for (const old of oldest) {
      this.#kept.delete(old)
      this.#count('kind not kept')
    }
  }

  #oldest(): string[] {
    const [first] = [...this.#kept].sort(([, a], [, b]) => a.localeCompare(b))
    return first ? [first[0]] : []
  }

  /** Those that this version reads; once. */
  readable(): { id: string; event: Reread }[] {
    return this.#readable.splice(0)
  }

  async forget(id: string): Promise<void> {
    if (!this.#kept.has(id)) return
    await this.#rows.write([{ type: UNREAD_KIND, id, value: null }])
    this.#kept.delete(id)
  }
}
