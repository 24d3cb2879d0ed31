import { setImmediate } from 'node:timers/promises'
import type { BinaryNode, WASocket } from 'baileys'
import type { InboundEvent } from '../../../driver.ts'
import { openQueue } from '../../../platform/work/serial-queue.ts'
import type { Journal } from '../keys/journal.ts'
import { renewing } from '../library/sessions.ts'
import type { GroupNotices } from './notices.ts'
import type { UnreadMessages } from './placeholders.ts'
import { readIn, receiptsIn } from './receipts.ts'

type Stanzas = WASocket['ws']
type Handle = (stanza: BinaryNode) => Promise<void>

interface Listener {
  journal: Journal
  placeholders: Pick<UnreadMessages, 'note' | 'passedOver' | 'recorded'>
  notices: Pick<GroupNotices, 'isOne' | 'note'>
  /** Whether an address is the own number or its LID. */
  isOwn(jid: string): boolean
  add(event: InboundEvent, rowIds?: string[], then?: () => Promise<void>): void
  /** A stanza could not be written down: the socket ends, and the server delivers it to the next one. */
  broken(error: unknown): void
}

/**
 * Replaces Baileys' own handlers. Baileys begins with the next message before it has finished the last one, and puts
 * missed ones in a queue of their own: messages of one chat overtake each other, and receipts their message. Here all of
 * them are in one queue. And Baileys confirms a receipt before it is recorded: here the server gets our confirmation after
 * that, or it would not redeliver the receipt after a crash in between.
 */
export function inOrderOfArrival(stanzas: Stanzas, listener: Listener): void {
  const { journal, placeholders, notices, isOwn, add, broken } = listener
  const openedAt = performance.now()
  const queue = openQueue()
  const inTurn = (work: () => Promise<void>) => void queue(work).catch(() => {})
  // what is not written down is not confirmed either
  const written = (work: Promise<void>) =>
    work.catch(error => {
      broken(error)
      throw error
    })

  instead(stanzas, 'CB:message', (message, handle) => {
    delete message.attrs.offline
    inTurn(async () => {
      await written(placeholders.note(message))
      await handle(message)
      const passedOver = stanzas.isOpen ? placeholders.passedOver(message) : null
      if (passedOver) add(passedOver, [], () => placeholders.recorded(passedOver.externalId))
      // A backlog must not block the event loop.
      await setImmediate()
    })
  })
  instead(stanzas, 'CB:receipt', (receipt, handle) => {
    delete receipt.attrs.offline
    const read = readIn(receipt, isOwn)
    if (read) return inTurn(async () => add(read, [], async () => void handle(receipt)))
    const receipts = receiptsIn(receipt)
    const last = receipts.pop()
    if (!last) return void renewing(() => handle(receipt))
    inTurn(async () => {
      for (const one of receipts) add(one)
      add(last, [], async () => void handle(receipt))
    })
  })
  instead(stanzas, 'CB:notification', (notice, handle) => {
    if (!notices.isOne(notice)) return void handle(notice)
    delete notice.attrs.offline
    inTurn(async () => {
      await written(notices.note(notice))
      await handle(notice)
    })
  })
  stanzas.on('CB:ack,class:receipt', ({ attrs }: BinaryNode) => {
    if (attrs.type !== 'retry') journal.confirmed(attrs.id ?? '')
  })
  stanzas.on('CB:ib,,offline', () => inTurn(async () => journal.caughtUp(openedAt)))
}

/** Replaces Baileys' handlers for a kind of stanza; `handle` runs them, unless the socket has closed. */
function instead(
  stanzas: Stanzas,
  kind: string,
  process: (stanza: BinaryNode, handle: Handle) => void,
): void {
  const handlers = stanzas.listeners(kind) as Handle[]
  stanzas.removeAllListeners(kind)
  const handle = async (stanza: BinaryNode) => {
    if (stanzas.isOpen) for (const each of handlers) await each(stanza)
  }
  stanzas.on(kind, (stanza: BinaryNode) => process(stanza, handle))
}
