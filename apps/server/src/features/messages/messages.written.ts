import { Message } from '@balcao/contract/messages.ts'
import { Ticket } from '@balcao/contract/tickets.ts'
import { keepTexts } from '../../platform/kept.ts'
import { Written } from '../../platform/routes.ts'
import type { Tx } from '../../platform/scope.ts'
import { loadMessages, type selectMarked } from './messages.queries.ts'

/** Where a message stands, with the mark of what it shows: another mark, another text. */
type MarkedMessage = Awaited<ReturnType<typeof selectMarked>>[number]

/** A stretch of a conversation, its messages as JSON texts. */
export interface Page {
  messages: string[]
  /** Of the ticket itself, and not read yet. */
  hasUnread: boolean
  hasMore: boolean
  hasNewer: boolean
  ticket: Ticket
}

const texts = keepTexts(32)

/**
 * The JSON texts of messages, in the order given; those that are gone are left out. What was written for one answer is
 * sent with the next while nothing about it has changed (decision 007). Who may see them decided whoever found them.
 */
export async function textsOfMessages(tx: Tx, rows: MarkedMessage[]): Promise<string[]> {
  const keyOf = (id: string) => `${tx.companyId} ${id}`
  const known = new Map<string, string>()
  const missing = new Map<string, string>()
  for (const { id, mark } of rows) {
    const text = texts.find(keyOf(id), mark)
    if (text === undefined) missing.set(id, mark)
    else known.set(id, text)
  }
  for (const message of await loadMessages(tx, [...missing.keys()])) {
    const text = JSON.stringify(Message.parse(message))
    known.set(message.id, text)
    texts.keep(keyOf(message.id), missing.get(message.id)!, text)
  }
  return rows.flatMap(({ id }) => known.get(id) ?? [])
}

export const writePage = ({ messages, hasMore, hasNewer, ticket }: Page) =>
  new Written(
    `{"messages":[${messages.join()}],"hasMore":${hasMore},"hasNewer":${hasNewer},"ticket":${JSON.stringify(Ticket.parse(ticket))}}`,
  )
