import type { ChannelSession } from '../driver.ts'
import { chatOfContact } from '../features/contacts/contacts.queries.ts'
import type { WaitingMessage } from '../features/messages/outbox/outbox.queries.ts'

/** WhatsApp hides a presence by itself after about 25 s. */
const SHOW_AGAIN_MS = 10_000

/** Shows typing to customers for messages that become due soon, and calls `look` when the next one is due. */
export class TypingShown {
  readonly #look: () => void
  readonly #shown = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(look: () => void) {
    this.#look = look
  }

  show(session: ChannelSession, soon: WaitingMessage[]) {
    this.stop()
    const ids = new Set(soon.map(({ id }) => id))
    for (const id of this.#shown.keys()) if (!ids.has(id)) this.#shown.delete(id)
    for (const waiting of soon) this.#showOne(session, waiting)
    const next = Math.min(...soon.map(nextIn))
    if (Number.isFinite(next)) this.#timer = setTimeout(this.#look, next)
  }

  stop() {
    clearTimeout(this.#timer)
  }

  #showOne(session: ChannelSession, { id, typing, typingIn, contact }: WaitingMessage) {
    const chat = chatOfContact(contact)
    const isFresh = performance.now() - (this.#shown.get(id) ?? Number.NEGATIVE_INFINITY) < SHOW_AGAIN_MS
    if (!typing || typingIn > 0 || !chat || isFresh) return
    this.#shown.set(id, performance.now())
    session.type(chat, typing).catch(() => {})
  }
}

const nextIn = ({ typing, typingIn, dueIn }: WaitingMessage) => (typing && typingIn > 0 ? typingIn : dueIn)
