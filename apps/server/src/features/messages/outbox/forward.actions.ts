import type { PlaceData } from '@balcao/contract/media.ts'
import { mayForward, unsign } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/errors.ts'
import { together } from '../../../platform/postgres/db.ts'
import { type Scope, viewerOf } from '../../../platform/scope.ts'
import { connectionsUnderWay } from '../../connections/connections.queries.ts'
import { findReadable, lockVisible } from '../../tickets/tickets.queries.ts'
import { type PostedFields, post } from '../messages.actions.ts'
import { companyWrote } from '../messages.events.ts'
import { loadMessages, shareMessages } from '../messages.queries.ts'
import { readableIn, refusingKnownIds, requireConnection } from './outbox.actions.ts'

interface Forwarding {
  /** The ticket in whose conversation the messages are read. */
  from: number
  messages: { id: string; messageId: string }[]
}

/**
 * Puts copies of messages in the outbox of another ticket, in their order, each under the id that its sender chose; an id
 * that was forwarded before is not forwarded again. Refuses as `send` does, and with ERR_FETCH_WAPP_MSG for a message that
 * the viewer may not read there or that cannot be forwarded.
 */
export const forward = (scope: Scope, ticketId: number, { from, messages: copies }: Forwarding) => {
  const work = scope.transaction(async tx => {
    const me = viewerOf(scope)
    const source = await findReadable(tx, from)
    // messages are locked before tickets everywhere; a file is removed only when no row names it
    await shareMessages(
      tx,
      copies.map(({ messageId }) => messageId),
    )
    const [ticket, sent, underWay] = await together(
      tx.sql,
      () => lockVisible(tx, ticketId),
      () => loadMessages(tx, [...new Set(copies.map(({ id }) => id))]),
      () => connectionsUnderWay(tx),
    )
    if (sent.some(one => one.ticketId !== ticketId || one.user?.id !== me.id))
      return refuse('ERR_CREATING_MESSAGE', { field: 'messages' })
    const done = new Map(sent.map(message => [message.id, message]))
    if (copies.every(({ id }) => done.has(id))) return copies.map(({ id }) => done.get(id)!)
    const whatsappId = await requireConnection(tx, ticket, underWay, 'free')
    const now = databaseNow()
    const to = { ticketId, contactId: ticket.contactId, whatsappId, source: 'person' as const, userId: me.id }
    const drafts: PostedFields[] = []
    for (const [at, { id, messageId }] of copies.entries()) {
      if (done.has(id) || drafts.some(draft => draft.id === id)) continue
      const original = await readableIn(tx, messageId, source)
      if (!original || !mayForward(original)) return refuse('ERR_FETCH_WAPP_MSG', { field: `messages.${at}` })
      const createdAt = new Date(now + at).toISOString()
      drafts.push({ ...to, ...copyOf(original), id, createdAt, isForwarded: true })
    }
    for (const { message } of await post(tx, drafts)) done.set(message.id, message)
    await tx.involve(companyWrote, { ticketIds: [ticketId] })
    return copies.map(({ id }) => done.get(id)!)
  })
  return refusingKnownIds(work, 'messages')
}

/** The content of the copy: the same file under the same address, without the signature of the original's author. */
function copyOf({ body, fromMe, source, user, mediaType, mediaUrl, media, dataJson }: Message) {
  const isSigned = fromMe && source === 'person' && user !== null
  const text = isSigned ? unsign(user.name, body) : body
  const data = mediaType === 'location' ? asStill(dataJson) : mediaType === 'vcard' ? dataJson : null
  return { body: text, mediaType, mediaUrl, media, dataJson: data }
}

/** A copy of a place does not follow who moves. */
const asStill = (dataJson: string | null) =>
  dataJson && JSON.stringify({ ...(JSON.parse(dataJson) as PlaceData), isLive: false })
