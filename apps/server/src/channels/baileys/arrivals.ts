import { setImmediate } from 'node:timers/promises'
import type { BinaryNode, WASocket } from 'baileys'
import type { Heard } from '../../driver.ts'
import { openQueue } from '../../platform/queue.ts'
import { renewing } from './inside/sessions.ts'
import type { Journal } from './journal.ts'
import { receiptsIn } from './receipts.ts'

type Stanzas = WASocket['ws']
type Handle = (stanza: BinaryNode) => Promise<void>

interface Listener {
  journal: Journal
  tell(heard: Heard, rowIds?: string[], then?: () => Promise<void>): void
}

/**
 * Stands before Baileys' own handlers. It begins with the next message before it is done with the last one, and puts
 * what was missed in a queue of its own: both let messages of one chat overtake each other, and receipts the message
 * they are about. Here all of them stand in one queue. And it confirms a receipt before anybody has heard of it: here
 * the server hears that we have it when that is written down, or it would not tell us again after a death in between.
 */
export function inOrderOfArrival(stanzas: Stanzas, { journal, tell }: Listener): void {
  const openedAt = Date.now()
  const queue = openQueue()
  const inTurn = (work: () => Promise<void>) => void queue(work).catch(() => {})

  instead(stanzas, 'CB:message', (message, handle) =>
    inTurn(async () => {
      await handle(message)
      // With the embedded database a backlog would otherwise be worked off without one look at anything else.
      await setImmediate()
    }),
  )
  instead(stanzas, 'CB:receipt', (receipt, handle) => {
    const heard = receiptsIn(receipt)
    const last = heard.pop()
    if (!last) return void renewing(() => handle(receipt))
    inTurn(async () => {
      for (const one of heard) tell(one)
      tell(last, [], async () => void handle(receipt))
    })
  })
  stanzas.on('CB:ack,class:receipt', ({ attrs }: BinaryNode) => {
    if (attrs.type !== 'retry') journal.confirmed(attrs.id ?? '')
  })
  stanzas.on('CB:ib,,offline', () => inTurn(async () => journal.caughtUp(openedAt)))
}

/** Takes the place of Baileys' handlers for a kind of stanza; `handle` runs them, unless the socket has closed. */
function instead(stanzas: Stanzas, kind: string, take: (stanza: BinaryNode, handle: Handle) => void): void {
  const handlers = stanzas.listeners(kind) as Handle[]
  stanzas.removeAllListeners(kind)
  const handle = async (stanza: BinaryNode) => {
    if (stanzas.isOpen) for (const each of handlers) await each(stanza)
  }
  stanzas.on(kind, (stanza: BinaryNode) => {
    delete stanza.attrs.offline
    take(stanza, handle)
  })
}
