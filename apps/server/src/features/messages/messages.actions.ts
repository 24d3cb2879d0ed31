import { randomBytes } from 'node:crypto'
import { UNREADABLE_EDIT, WAITING } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { MessageSource } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import { externalIdOf } from '../../platform/external.ts'
import { removeFiles } from '../../platform/files/served.ts'
import type { Tx } from '../../platform/scope.ts'
import { keepsDeleted } from '../companies/companies.queries.ts'
import { findReadableOf } from '../tickets/tickets.queries.ts'
import { messageChanged, messageCreated, outboxFilled } from './messages.events.ts'
import {
  BLANK,
  insertMessages,
  loadMessage,
  lockMessage,
  type MessageFields,
  type MessageRow,
  type Stored,
  updateMessage,
} from './messages.queries.ts'
import type { messages } from './messages.table.ts'
import type { Part } from './outbox/content.rules.ts'
import { blankInboundEvents, deleteVersions, insertVersion } from './thread/versions.queries.ts'

export type PostedFields = Pick<
  typeof messages.$inferInsert,
  'id' | 'ticketId' | 'contactId' | 'userId' | 'quotedId' | 'isForwarded' | 'dueAt' | 'typing' | 'typingFrom'
> &
  Part & { whatsappId: number; createdAt: string; source: MessageSource; isLeaving?: boolean }

/**
 * Puts messages in the outbox, in their order: the rows are the outbox entries, in the same commit as the previews of their
 * tickets. One with `dueAt` is sent then, and the customer is shown `typing` from `typingFrom` on; one that `isLeaving` is sent
 * by the caller after the commit. What a user wrote is announced by the caller (`companyWrote`).
 */
export async function post<All extends PostedFields[]>(
  tx: Tx,
  drafts: [...All],
  effect: 'answer' | 'aside' = 'answer',
): Promise<{ [At in keyof All]: Stored }> {
  const stored = await insertMessages(
    tx,
    drafts.map(({ isLeaving = false, ...draft }) => {
      const id = { companyId: tx.companyId, externalId: newExternalId() }
      const state = { fromMe: true, ack: WAITING, read: true, waits: true, leavesUntil: leavesUntil(draft) }
      const place = isLeaving ? { outbox: 'sending' as const, attempts: 1 } : { outbox: 'queued' as const }
      return { row: { ...draft, ...id, ...state, ...place }, effect }
    }),
  )
  for (const [at, { message, ticket }] of stored.entries()) {
    tx.emit(messageCreated, { message, ticket })
    const { whatsappId, isLeaving } = drafts[at]!
    if (!isLeaving) tx.emit(outboxFilled, { whatsappId, messageId: message.id })
  }
  return stored as { [At in keyof All]: Stored }
}

/** An automatic message that could not be sent for so long fails, and a user decides whether it is sent. */
const EXPECTED_MS = 24 * 3_600_000
const automatic = new Set<MessageSource>(['greeting', 'bot', 'flow', 'schedule', 'campaign', 'notice'])

const leavesUntil = ({ source, dueAt, createdAt }: PostedFields): string | null =>
  automatic.has(source) ? new Date(Date.parse(dueAt ?? createdAt) + EXPECTED_MS).toISOString() : null

/** The format of ids that WhatsApp Web generates. */
const newExternalId = () => externalIdOf(`3EB0${randomBytes(9).toString('hex').toUpperCase()}`)

/** Changes a message, and the preview of its ticket where it is the last one; announces both. */
export async function saveMessage(
  tx: Tx,
  row: Pick<MessageRow, 'id' | 'ticketId' | 'version'>,
  fields: MessageFields,
): Promise<Message> {
  const { message, ticket } = await updateMessage(tx, row, fields)
  tx.emit(messageChanged, { message, ticket })
  return message
}

/** Changes a text, and what belongs to it, and keeps the previous text. `userId`: the user who changed it, null for its author on a phone. */
export async function rewriteMessage(
  tx: Tx,
  message: MessageRow,
  {
    userId,
    ...fields
  }: Pick<MessageFields, 'dataJson' | 'mentions' | 'queueMentions'> & {
    body: string
    editedAt: string
    userId: number | null
  },
): Promise<Message> {
  await insertVersion(tx, message, 'edit', userId)
  const isRead = message.failReason === UNREADABLE_EDIT
  return saveMessage(tx, message, { ...fields, ...(isRead && { failReason: '' }) })
}

/**
 * Blanks a message that is deleted for everyone. Who deleted it (null: its author, on a phone) and of what kind it was is
 * recorded; the original is kept where the company keeps what was deleted.
 */
export async function blankMessage(
  tx: Tx,
  message: MessageRow,
  userId: number | null,
  fields: MessageFields = {},
): Promise<Message> {
  const isKept = await keepsDeleted(tx)
  if (!isKept) {
    await deleteVersions(tx, message.id)
    await removeFiles(tx, [message.mediaUrl ?? ''])
    await blankInboundEvents(tx, message)
  }
  await insertVersion(
    tx,
    isKept ? message : { ...message, ...BLANK, mediaType: message.mediaType },
    'delete',
    userId,
  )
  return saveMessage(tx, message, {
    ...fields,
    ...BLANK,
    mediaSource: null,
    mediaDue: null,
    reactions: [],
    isDeleted: true,
  })
}

/** A message of a ticket that the caller may read, locked. Refuses with ERR_FETCH_WAPP_MSG. */
export async function lockReadable(tx: Tx, messageId: string): Promise<MessageRow> {
  const shown = (await loadMessage(tx, messageId)) ?? refuse('ERR_FETCH_WAPP_MSG')
  await findReadableOf(tx, shown)
  return (await lockMessage(tx, messageId)) ?? refuse('ERR_FETCH_WAPP_MSG')
}
