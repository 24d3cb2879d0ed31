import { type BaileysEventMap, type BinaryNode, getBinaryNodeChildren, isJidGroup } from 'baileys'
import type { InboundEvent } from '../../../driver.ts'
import { externalIdOf } from '../../../platform/external.ts'
import { chatOf } from './addresses.ts'
import { timeOf } from './translate.ts'

type InboundAck = Extract<InboundEvent, { kind: 'ack' }>

type InboundRead = Extract<InboundEvent, { kind: 'read' }>

const DELIVERED = 3
/**
 * How far a message of ours has come, by the receipt's type; what is not named here (asking again, our own devices
 * among themselves) says nothing of that. Whoever has his phone in the pocket has it all the same: `inactive`.
 */
const ACKS: Record<string, number> = { '': DELIVERED, inactive: DELIVERED, read: 4, played: 5 }

/**
 * The state of our messages by a receipt: one message, or the several that it lists. In a group a message has
 * been delivered when one member has it; that all have read it is not known here.
 */
export function receiptsIn(receipt: BinaryNode): InboundAck[] {
  const { from, type = '', recipient, t } = receipt.attrs
  const chat = chatOf(from)
  const ack = ACKS[type]
  // With a recipient it is about somebody else's message, on another device of our own.
  if (!chat || !ack || recipient) return []
  const reached = isJidGroup(from) ? DELIVERED : ack
  return idsIn(receipt).map(id => ({
    kind: 'ack',
    chat,
    externalId: externalIdOf(id),
    ack: reached,
    at: timeOf(t),
  }))
}

const READ = new Set(['read', 'read-self'])
/** Of one receipt; a phone sends one for what it has shown. */
const MOST_READ = 1_000

/**
 * What was read on another device of the own number: a receipt that names the chat as its recipient, or comes from the own
 * member of a group (whatsmeow, receipt.go, `parseReceipt`). Null for any other receipt.
 */
export function readIn(receipt: BinaryNode, isOwn: (jid: string) => boolean): InboundRead | null {
  const { from, type = '', recipient, participant, t } = receipt.attrs
  const isOfGroup = isJidGroup(from) && participant !== undefined && isOwn(participant)
  const chat = READ.has(type) && (recipient || isOfGroup) ? chatOf(recipient ?? from) : null
  if (!chat) return null
  const externalIds = idsIn(receipt).flatMap((id, at) => (at < MOST_READ ? externalIdOf(id) : []))
  return { kind: 'read', chat, externalIds, at: timeOf(t) }
}

/** Chats that were marked as read on the phone: WhatsApp does not name their messages. */
export const markedReadIn = (chats: BaileysEventMap['chats.update']): InboundRead[] =>
  chats.flatMap(({ id, unreadCount }) => {
    const chat = unreadCount === 0 ? chatOf(id) : null
    return chat ? { kind: 'read', chat, externalIds: [], at: timeOf(null) } : []
  })

/** Several of one chat are a list; the members of a group who have one message are listed below its id. */
function idsIn(receipt: BinaryNode): string[] {
  const listed = getBinaryNodeChildren(receipt, 'list').flatMap(list => getBinaryNodeChildren(list, 'item'))
  const named = getBinaryNodeChildren(receipt, 'participants').map(({ attrs }) => attrs.key)
  const ids = [receipt.attrs.id, ...listed.map(({ attrs }) => attrs.id), ...named]
  return [...new Set(ids)].filter(id => id !== undefined && id !== '') as string[]
}
