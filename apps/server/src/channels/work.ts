import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { type ChannelSession, type CheckLease, LeaseLost } from '../driver.ts'
import type { Fence } from '../features/connections/connections.leases.queries.ts'
import { chatOfContact } from '../features/contacts/contacts.queries.ts'
import { mediaTopic, operationTopic, outboxTopic } from '../features/messages/messages.events.ts'
import type { Platform } from '../platform/app.ts'
import { traced } from '../platform/observe/trace.ts'
import type { Scope } from '../platform/scope.ts'
import { retryInbound } from './inbound-retries.ts'
import { fetchDueMedia, fetchInto } from './media.ts'
import { listenToNotices } from './notices.ts'
import { runOperations } from './operations.ts'
import { failOverdue, sendQueued, type WaitingMessage } from './outbox.ts'

/** Waiting messages whose trace is remembered. */
const TRACES = 5_000

interface Connection {
  scope: Scope
  whatsappId: number
  fence: Fence
  checkLease: CheckLease
  log: Logger
}

/**
 * The background work of one connection, while it has a session: the outbox, operations, retries of inbound events and
 * downloads. They run in parallel: a hanging download or reaction does not delay a message. Woken by signals; what failed, or
 * whose signal was lost, is found by polling (`lookAround`).
 */
export class ConnectionWork {
  readonly #platform: Platform
  readonly #at: Connection
  readonly #current: () => ChannelSession | null
  readonly #traces = new LRUCache<string, string>({ max: TRACES })
  readonly #presence = openPresence(() => void this.#send())
  readonly #subscriptions: (() => void)[]
  // What is under way beside the loops, by chat, event and message.
  readonly #slowChats = new Set<number>()
  readonly #slowOperations = new Set<number>()
  readonly #pictures = new Set<number>()
  readonly #fetching = new Set<string>()
  // A flag is reset before its work, so that setting it meanwhile starts another round.
  #hasOperations = true
  #hasUnhandled = true

  constructor(platform: Platform, at: Connection, current: () => ChannelSession | null) {
    this.#platform = platform
    this.#at = at
    this.#current = current
    const { signals } = platform
    const { whatsappId } = at
    this.#subscriptions = [
      signals.listen(outboxTopic(whatsappId), (messageId, trace) => {
        this.#remember(messageId, trace)
        return this.#send()
      }),
      signals.listen(operationTopic(whatsappId), (messageId, trace) => {
        this.#remember(messageId, trace)
        return this.#operateAgain()
      }),
      signals.listen(mediaTopic(whatsappId), () => this.#fetchDue()),
      ...listenToNotices({ signals, ...at }, current),
    ]
  }

  lookAround = () => {
    this.#hasUnhandled = true
    this.#hasOperations = true
    return Promise.all([this.#send(), this.#operate(), this.#retry(), this.#fetchDue()])
  }

  /** After events were received: retries those that could not be handled, and fetches their files. */
  afterReceiving({ isIncomplete, hasFile }: { isIncomplete: boolean; hasFile: boolean }) {
    if (isIncomplete) this.#hasUnhandled = true
    if (this.#hasUnhandled) void this.#retry()
    if (hasFile) void this.#fetchDue()
  }

  stop() {
    this.#presence.stop()
    for (const end of this.#subscriptions) end()
  }

  readonly #send = this.#oneAtATime(async session => {
    await failOverdue(this.#at)
    await sendQueued(this.#here(session), this.#slowChats, () => void this.#send())
    // operations on messages that were not sent waited for them
    void this.#operate()
  })

  readonly #operate = this.#oneAtATime(async session => {
    if (!this.#hasOperations) return
    this.#hasOperations = false
    await runOperations(this.#here(session), this.#slowOperations, () => this.#operateAgain())
  })

  #operateAgain() {
    this.#hasOperations = true
    void this.#operate()
  }

  readonly #retry = this.#oneAtATime(async session => {
    if (!this.#hasUnhandled) return
    this.#hasUnhandled = false
    await retryInbound(this.#at, fetchInto(this.#here(session)), this.#pictures, () => {
      this.#hasUnhandled = true
      void this.#retry()
    })
  })

  readonly #fetchDue = this.#oneAtATime(session =>
    fetchDueMedia(this.#here(session), this.#fetching, () => void this.#fetchDue()),
  )

  /** Called again while it works, it works once more; it ends when there is no session. */
  #oneAtATime(work: (session: ChannelSession) => Promise<void>) {
    let working = false
    let wake = false
    return async () => {
      wake = true
      if (working) return
      working = true
      try {
        for (let session = this.#current(); wake && session; session = this.#current()) {
          wake = false
          const open = session
          await traced(undefined, () => work(open))
        }
      } catch (error) {
        if (!(error instanceof LeaseLost)) this.#at.log.warn({ err: error }, 'a connection will look again')
      } finally {
        working = false
      }
    }
  }

  #here(session: ChannelSession) {
    const { scope } = this.#at
    const [traces, presence] = [this.#traces, this.#presence]
    return { ...this.#platform, ...this.#at, companyId: scope.companyId, session, traces, presence }
  }

  #remember(messageId: unknown, trace: string | undefined) {
    if (trace) this.#traces.set(String(messageId), trace)
  }
}

/** WhatsApp hides a presence by itself after about 25 s. */
const SHOW_AGAIN_MS = 10_000

/** Shows typing to customers for messages that become due soon, and calls `look` when the next one is due. */
function openPresence(look: () => void) {
  const shown = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  return {
    show(session: ChannelSession, soon: WaitingMessage[]) {
      clearTimeout(timer)
      const ids = new Set(soon.map(({ id }) => id))
      for (const id of shown.keys()) if (!ids.has(id)) shown.delete(id)
      for (const waiting of soon) showOne(session, waiting)
      const next = Math.min(...soon.map(nextIn))
      if (Number.isFinite(next)) timer = setTimeout(look, next)
    },
    stop: () => clearTimeout(timer),
  }

  function showOne(session: ChannelSession, { id, typing, typingIn, contact }: WaitingMessage) {
    const chat = chatOfContact(contact)
    const isFresh = performance.now() - (shown.get(id) ?? Number.NEGATIVE_INFINITY) < SHOW_AGAIN_MS
    if (!typing || typingIn > 0 || !chat || isFresh) return
    shown.set(id, performance.now())
    session.type(chat, typing).catch(() => {})
  }
}

const nextIn = ({ typing, typingIn, dueIn }: WaitingMessage) => (typing && typingIn > 0 ? typingIn : dueIn)
