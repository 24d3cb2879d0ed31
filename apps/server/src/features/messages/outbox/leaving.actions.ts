import { perCompany } from '../../../platform/memory.ts'
import type { Tx } from '../../../platform/scope.ts'
import { heldLeases } from '../../connections/connections.queries.ts'
import type { PostedFields } from '../messages.actions.ts'
import { idleTickets, type WaitingMessage, waitingMessages } from './outbox.queries.ts'

/** A connection that this process runs, with an open session: it sends what was stored as leaving without looking for it. */
export interface LocalSender {
  whatsappId: number
  /** The holder of its lease, and which of its leases that is. */
  owner: string
  epoch: number
  /** Keeps a chat for the caller; false where something of it is under way, or the session cannot send. */
  reserve(contactId: number): boolean
  release(contactId: number): void
  /** Sends messages of a chat that was reserved, which are stored as under way, and releases it. */
  deliver(contactId: number, messages: WaitingMessage[]): void
}

/** By the id of the connection. */
export const localSenders = perCompany((): Map<number, LocalSender> => new Map())

/**
 * By ticket, of those that the caller holds locked: the connection of this process over which its messages may leave at once. The
 * leases are held until the commit.
 */
export async function idleChats(tx: Tx, ticketIds: number[]): Promise<Map<number, LocalSender>> {
  const senders = localSenders(tx, tx.companyId)
  const [first] = senders.values()
  if (!first) return new Map()
  const tickets = await idleTickets(tx, ticketIds, [...senders.keys()])
  if (tickets.length === 0) return new Map()
  // of their connections alone: a company may have hundreds, and each lock is a write
  const leases = await heldLeases(tx, first.owner, [...new Set(tickets.map(one => one.whatsappId))])
  const epochs = new Map(leases.map(({ whatsappId, epoch }) => [whatsappId, epoch]))
  return new Map(
    tickets.flatMap(({ ticketId, whatsappId }) => {
      const sender = senders.get(whatsappId)
      return sender && epochs.get(whatsappId) === sender.epoch ? [[ticketId, sender] as const] : []
    }),
  )
}

/**
 * Chooses the drafts that leave at once, and reserves their chats until the transaction has ended: they are stored as under way
 * (`isLeaving`), read again by `load` within it, and handed over after its commit. Of a chat that is the first: what is behind it
 * waits as usual, so that it can be withdrawn while a large file before it is sent. A process that dies in between leaves them
 * under way: whoever runs the connection then sends them again under their ids.
 */
export function leavingOf(tx: Tx, drafts: PostedFields[], idle: Map<number, LocalSender>) {
  const chats: { sender: LocalSender; contactId: number; id: string }[] = []
  for (const { id, ticketId, contactId } of drafts) {
    const sender = idle.get(ticketId)
    if (sender?.reserve(contactId)) chats.push({ sender, contactId, id })
  }
  const ids = chats.map(chat => chat.id)
  let rows: WaitingMessage[] = []
  tx.ended(isCommitted => {
    for (const { sender, contactId, id } of chats) {
      const own = rows.filter(row => row.id === id)
      if (isCommitted) sender.deliver(contactId, own)
      else sender.release(contactId)
    }
  })
  return {
    has: (id: string) => ids.includes(id),
    async load() {
      if (ids.length > 0) rows = await waitingMessages(tx, ids)
    },
  }
}
