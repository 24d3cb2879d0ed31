import { randomUUID } from 'node:crypto'
import type { MessageInput } from '@balcao/contract/messages.input.ts'
import { mayRewrite, SENT } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import { databaseNow, databaseTime } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/errors.ts'
import { externalIdOf } from '../../../platform/external.ts'
import type { StoredFile } from '../../../platform/files/files.ts'
import { idFrom } from '../../../platform/ids.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { findReadableOf, lockVisible, type TicketRow } from '../../tickets/tickets.queries.ts'
import { blankMessage, lockReadable, rewriteMessage } from '../messages.actions.ts'
import { messageCreated, noteKept } from '../messages.events.ts'
import { insertMessages, loadMessages, type MessageRow } from '../messages.queries.ts'
import { filePart, type Part } from '../outbox/content.rules.ts'
import { readableIn, refusingKnownIds, type Sent } from '../outbox/outbox.actions.ts'

/**
 * Keeps a note in a ticket of any status that the caller may read: a text, or a note for each file. It changes nothing of its
 * ticket. The same id twice is one note. Refuses with ERR_NO_TICKET_FOUND, ERR_NO_PERMISSION, ERR_BAD_REQUEST when it is
 * empty, ERR_FETCH_WAPP_MSG for a quote that is not read there, and as those refuse who follow `noteKept`.
 */
export const writeNote = (
  scope: Scope,
  ticketId: number,
  draft: MessageInput,
  files: StoredFile[] = [],
): Promise<Sent> =>
  refusingKnownIds(
    scope.transaction(tx => write(tx, { ticketId, draft, files })),
    'id',
  )

interface Asked {
  ticketId: number
  draft: MessageInput
  files: StoredFile[]
}

async function write(tx: Tx, { ticketId, draft, files }: Asked): Promise<Sent> {
  const me = viewerOf(tx)
  // locked: a merge of contacts moves the ticket with its messages
  const ticket = await lockVisible(tx, ticketId)
  if (!canRead(me, ticket)) return refuse('ERR_NO_PERMISSION')
  const id = draft.id ?? randomUUID()
  const ids = [id, ...files.slice(1).map((_file, at) => idFrom(`${id} ${at + 1}`))]
  const [first, ...also] = await loadMessages(tx, ids)
  if (first)
    return first.isPrivate && first.ticketId === ticketId && first.user?.id === me.id
      ? { message: first, also, again: true }
      : refuse('ERR_CREATING_MESSAGE', { field: 'id' })
  const parts = partsOf(draft, files)
  const quotedId = await quotedIn(tx, draft, ticket)
  const mentioned = {
    mentions: listOrNone(draft.mentions?.map(Number)),
    queueMentions: listOrNone(draft.queueMentions),
  }
  const now = databaseNow()
  const kept: Message[] = []
  for (const [at, part] of parts.entries())
    kept.push(
      await keep(tx, ticket, {
        ...part,
        id: ids[at]!,
        userId: me.id,
        ...(at === 0 && { quotedId, ...mentioned }),
        createdAt: new Date(now + at).toISOString(),
      }),
    )
  return { message: kept[0]!, also: kept.slice(1), again: false }
}

type Note = Part & Pick<MessageRow, 'id' | 'userId' | 'createdAt'> & Partial<Pick<MessageRow, Beside>>
type Beside = 'quotedId' | 'mentions' | 'queueMentions'

async function keep(tx: Tx, { id: ticketId, contactId }: TicketRow, note: Note): Promise<Message> {
  const row = {
    ...note,
    companyId: tx.companyId,
    ...{ ticketId, contactId, whatsappId: null, externalId: externalIdOf(note.id), isPrivate: true },
    ...{ fromMe: true, source: 'person' as const, ack: SENT, read: true },
  }
  // an aside: neither preview nor unread count, order or waiting time of the ticket
  const [{ message, ticket }] = await insertMessages(tx, [{ row, effect: 'aside' }])
  tx.emit(messageCreated, { message, ticket })
  await tx.involve(noteKept, { message, ticket, before: { mentions: [], queueMentions: [] } })
  return message
}

const partsOf = ({ body = '', isVoice = false }: MessageInput, files: StoredFile[]): Part[] => {
  if (files.length > 0) return files.map((file, at) => filePart(file, at === 0 ? body : '', { isVoice }))
  return body.trim() ? [{ body }] : refuse('ERR_BAD_REQUEST', { field: 'body', message: 'Required' })
}

async function quotedIn(tx: Tx, { quotedMsg }: MessageInput, ticket: TicketRow): Promise<string | null> {
  if (!quotedMsg) return null
  const quoted = await readableIn(tx, quotedMsg, ticket)
  return quoted?.id ?? refuse('ERR_FETCH_WAPP_MSG', { field: 'quotedMsg' })
}

/** Each once; null for none. */
const listOrNone = (ids: number[] = []) => (ids.length > 0 ? [...new Set(ids)] : null)

interface Changed {
  body: string
  mentions?: number[] | undefined
  queueMentions?: number[] | undefined
}

/**
 * Changes the text of an own note, and whom it mentions; the former text is kept. Refuses with ERR_FETCH_WAPP_MSG,
 * ERR_NO_PERMISSION, ERR_BAD_REQUEST where nothing would be left, and as `writeNote` for its mentions.
 */
export const changeNote = (scope: Scope, messageId: string, changed: Changed): Promise<Message> =>
  scope.transaction(async tx => {
    const note = await lockOwn(tx, messageId)
    const { body, mentions, queueMentions } = changed
    if (note.isDeleted) return refuse('ERR_EDIT_WAPP_MSG')
    if (!body.trim() && note.media === null)
      return refuse('ERR_BAD_REQUEST', { field: 'body', message: 'Required' })
    const message = await rewriteMessage(tx, note, {
      ...{ body, editedAt: databaseTime(), userId: viewerOf(tx).id },
      ...(mentions && { mentions: listOrNone(mentions) }),
      ...(queueMentions && { queueMentions: listOrNone(queueMentions) }),
    })
    await tx.involve(noteKept, { message, ticket: await findReadableOf(tx, note), before: namedIn(note) })
    return message
  })

/** Deletes an own note; its place stays. Refuses with ERR_FETCH_WAPP_MSG, ERR_NO_PERMISSION, ERR_DELETE_WAPP_MSG. */
export const deleteNote = (scope: Scope, messageId: string): Promise<Message> =>
  scope.transaction(async tx => {
    const note = await lockOwn(tx, messageId)
    if (note.isDeleted) return refuse('ERR_DELETE_WAPP_MSG')
    const message = await blankMessage(tx, note, viewerOf(tx).id, { mentions: null, queueMentions: null })
    await tx.involve(noteKept, { message, ticket: await findReadableOf(tx, note), before: namedIn(note) })
    return message
  })

const namedIn = ({ mentions, queueMentions }: MessageRow) => ({
  mentions: mentions ?? [],
  queueMentions: queueMentions ?? [],
})

async function lockOwn(tx: Tx, messageId: string): Promise<MessageRow> {
  const note = await lockReadable(tx, messageId)
  if (!note.isPrivate) return refuse('ERR_FETCH_WAPP_MSG')
  return mayRewrite(viewerOf(tx), note) ? note : refuse('ERR_NO_PERMISSION')
}
