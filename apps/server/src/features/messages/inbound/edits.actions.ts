import { EventData } from '@balcao/contract/kinds.ts'
import { CIPHERTEXT, UNREADABLE_EDIT } from '@balcao/contract/messages.rules.ts'
import type { InboundEvent } from '../../../driver.ts'
import type { Tx } from '../../../platform/scope.ts'
import { rewriteMessage, saveMessage } from '../messages.actions.ts'
import type { MessageRow } from '../messages.queries.ts'
import { loggedEvent } from './inbound.queries.ts'
import { keyOf } from './inbound.rules.ts'
import { keepAside } from './kept.actions.ts'
import { isAnothers, lockTarget } from './targets.actions.ts'

type InboundEdit = Extract<InboundEvent, { kind: 'edit' }>

/** An edit by the author. The newest counts; an unknown message is kept with the edited text, unless it was sent to a list. */
export async function receiveEdit(tx: Tx, whatsappId: number, event: InboundEdit): Promise<number | null> {
  const target = await lockTarget(tx, whatsappId, event)
  const { body } = event
  if (!target) return body === null || event.isToList ? null : keepEdited(tx, whatsappId, { ...event, body })
  const late = target.editedAt !== null && secondOf(target.editedAt) > secondOf(event.at)
  // WhatsApp's times are whole seconds: within one second the order of arrival counts
  const again =
    target.editedAt !== null &&
    secondOf(target.editedAt) === secondOf(event.at) &&
    Boolean((await loggedEvent(tx, whatsappId, keyOf(event)))?.handledAt)
  if (
    late ||
    again ||
    target.isDeleted ||
    target.fromMe !== event.fromMe ||
    isAnothers(target, event.target.author)
  )
    return target.ticketId
  await rewrite(tx, target, event)
  return target.ticketId
}

async function rewrite(tx: Tx, target: MessageRow, { body, data, at }: InboundEdit) {
  const editedAt = new Date(at).toISOString()
  const isUnread = target.mediaType === CIPHERTEXT
  // the row states that there was an edit, and who reads it looks on the phone
  if (body === null)
    return isUnread ? null : saveMessage(tx, target, { editedAt, failReason: UNREADABLE_EDIT })
  if (isUnread) return saveMessage(tx, target, { body, editedAt, mediaType: 'editedMessage' })
  const known =
    target.mediaType === 'event' ? EventData.safeParse(JSON.parse(target.dataJson ?? 'null')) : null
  const given = EventData.safeParse(data)
  if (!known?.data || !given.data) return rewriteMessage(tx, target, { body, editedAt, userId: null })
  // a cancellation may come without the rest
  const { name, isCanceled } = given.data
  const event = name ? { ...given.data, replies: known.data.replies } : { ...known.data, isCanceled }
  const dataJson = JSON.stringify(event)
  return rewriteMessage(tx, target, { body: body || target.body, dataJson, editedAt, userId: null })
}

const secondOf = (instant: string) => Math.floor(Date.parse(instant) / 1000)

function keepEdited(tx: Tx, whatsappId: number, event: InboundEdit & { body: string }) {
  const { externalId, author } = event.target
  const by = author && { author: { ...author, name: event.name } }
  return keepAside(
    tx,
    whatsappId,
    { ...event, ...by, kind: 'message', externalId, mediaType: 'editedMessage' },
    new Date(event.at).toISOString(),
  )
}
