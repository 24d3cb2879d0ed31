import type { ChannelSession, Chat } from '../driver.ts'
import { chatOfContact } from '../features/contacts/contacts.queries.ts'
import type { unsentMessages } from '../features/messages/messages.waiting.ts'

type Waiting = Awaited<ReturnType<typeof unsentMessages>>[number]

/** WhatsApp takes it off the screen by itself after about 25 s. */
const AGAIN_MS = 10_000

/**
 * What waits for its time on one line: the customer is shown that somebody writes or records, and `look` is called when
 * the next of it is due. Nothing is kept here that the rows do not say: the line also looks by time.
 */
export function openPresence(look: () => void) {
  const shown = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  return {
    /** `soon`: what is not due yet, as it was found just now. */
    await(session: ChannelSession, soon: Waiting[]) {
      clearTimeout(timer)
      const ids = new Set(soon.map(({ id }) => id))
      for (const id of shown.keys()) if (!ids.has(id)) shown.delete(id)
      for (const waiting of soon) show(session, waiting)
      const next = Math.min(...soon.map(nextIn))
      if (Number.isFinite(next)) timer = setTimeout(look, next)
    },
    stop: () => clearTimeout(timer),
  }

  function show(session: ChannelSession, { id, typing, typingIn, contact }: Waiting) {
    const chat: Chat | null = chatOfContact(contact)
    const isFresh = Date.now() - (shown.get(id) ?? 0) < AGAIN_MS
    if (!typing || typingIn > 0 || !chat || isFresh) return
    shown.set(id, Date.now())
    session.type(chat, typing).catch(() => {})
  }
}

const nextIn = ({ typing, typingIn, dueIn }: Waiting) => (typing && typingIn > 0 ? typingIn : dueIn)
