import type { Chat, Heard, Target } from '../../driver.ts'
import type { Tx } from '../../platform/scope.ts'
import { recognize } from '../contacts/contacts.actions.ts'
import { contactsBehind, identifiersOf } from '../contacts/contacts.queries.ts'
import { keyOf, messageRowOf, wasHeard, whoReacted } from './messages.heard.ts'
import { lockByExternalId, lockChat, type MessageRow } from './messages.queries.ts'
import { keepMessage } from './messages.receive.ts'
import { saveMessage } from './messages.save.ts'

type HeardReaction = Extract<Heard, { kind: 'reaction' }>
type HeardEdit = Extract<Heard, { kind: 'edit' }>
type HeardDeletion = Extract<Heard, { kind: 'delete' }>

/**
 * Somebody's reaction, one a person; the newest counts however late it comes. Where its message is not known here it
 * is kept as a message of its own, without opening a ticket. Answers the ticket.
 */
export async function receiveReaction(
  tx: Tx,
  whatsappId: number,
  heard: HeardReaction,
): Promise<number | null> {
  const target = await targetOf(tx, whatsappId, heard)
  if (!target) return keepReaction(tx, whatsappId, heard)
  const { emoji, at } = heard
  const by = whoReacted(heard)
  const former = target.reactions.find(one => one.by === by)
  // WhatsApp counts in seconds: of two in the same one the one heard later is the later one
  const known =
    former && (Date.parse(former.at) > Date.parse(at) || (former.at === at && former.emoji === emoji))
  if (known) return target.ticketId
  const name = heard.author?.name || heard.name
  const reactions = [...target.reactions.filter(one => one !== former), { by, emoji, name, at }]
  await saveMessage(tx, target, { reactions })
  return target.ticketId
}

/** The author changed the text. The newest change counts; a message that is not known here is kept as changed. */
export async function receiveEdit(tx: Tx, whatsappId: number, heard: HeardEdit): Promise<number | null> {
  const target = await targetOf(tx, whatsappId, heard)
  if (!target) return keepEdited(tx, whatsappId, heard)
  const late = target.editedAt !== null && secondOf(target.editedAt) > secondOf(heard.at)
  // WhatsApp counts in seconds: of two in the same one the one heard later is the later one
  const again =
    target.editedAt !== null &&
    secondOf(target.editedAt) === secondOf(heard.at) &&
    (await wasHeard(tx, whatsappId, heard))
  if (late || again || target.isDeleted || target.fromMe !== heard.fromMe) return target.ticketId
  await saveMessage(tx, target, { body: heard.body, editedAt: new Date(heard.at).toISOString() })
  return target.ticketId
}

const secondOf = (instant: string) => Math.floor(Date.parse(instant) / 1000)

/** The author deleted a message for everyone. One that comes later is deleted when it comes. */
export async function receiveDeletion(
  tx: Tx,
  whatsappId: number,
  heard: HeardDeletion,
): Promise<number | null> {
  const target = await targetOf(tx, whatsappId, heard)
  if (!target) return null
  if (!target.isDeleted) await saveMessage(tx, target, { isDeleted: true })
  return target.ticketId
}

/** The message meant, locked, if it is one of this very chat. */
async function targetOf(
  tx: Tx,
  whatsappId: number,
  { chat, target }: { chat: Chat; target: Target },
): Promise<MessageRow | null> {
  await lockChat(tx, `${whatsappId} ${chat.value}`)
  const row = await lockByExternalId(tx, whatsappId, target.externalId, target.fromMe)
  if (!row) return null
  const people = await contactsBehind(tx, identifiersOf(chat))
  return people.some(({ id }) => id === row.contactId) ? row : null
}

const keepReaction = (tx: Tx, whatsappId: number, heard: HeardReaction) =>
  keepApart(tx, whatsappId, heard, {
    ...heard,
    externalId: keyOf({ ...heard, at: '', emoji: '' }).trim(),
    body: heard.emoji,
    mediaType: 'reactionMessage',
    data: { externalId: heard.target.externalId },
  })

const keepEdited = (tx: Tx, whatsappId: number, heard: HeardEdit) =>
  keepApart(
    tx,
    whatsappId,
    heard,
    { ...heard, externalId: heard.target.externalId, mediaType: 'editedMessage' },
    new Date(heard.at).toISOString(),
  )

/** Kept once, and in nobody's way. */
async function keepApart(
  tx: Tx,
  whatsappId: number,
  { chat, fromMe, name }: HeardReaction | HeardEdit,
  said: Omit<Extract<Heard, { kind: 'message' }>, 'kind'>,
  editedAt: string | null = null,
) {
  const known = await lockByExternalId(tx, whatsappId, said.externalId, fromMe)
  if (known) {
    await saveMessage(tx, known, { body: said.body, isDeleted: said.body === '' })
    return known.ticketId
  }
  if (said.body === '') return null
  const contact = await recognize(tx, chat, fromMe ? '' : name)
  const row = await messageRowOf(tx, whatsappId, contact.id, { ...said, kind: 'message' }, null)
  return keepMessage(tx, whatsappId, contact, { ...row, editedAt }, 'aside')
}
