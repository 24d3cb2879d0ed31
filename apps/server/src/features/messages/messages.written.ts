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
export const textsOfMessages = (tx: Tx, rows: MarkedMessage[]): Promise<string[]> =>
  texts.of(
    rows,
    id => `${tx.companyId} ${id}`,
    async missing =>
      (await loadMessages(tx, missing)).map(message => [message.id, JSON.stringify(Message.parse(message))]),
  )

export const writePage = ({ messages, hasMore, hasNewer, ticket }: Page) =>
  new Written(
    `{"messages":[${messages.join()}],"hasMore":${hasMore},"hasNewer":${hasNewer},"ticket":${JSON.stringify(Ticket.parse(ticket))}}`,
  )
