import { areJidsSameUser, isJidBroadcast, jidDecode, type WAMessage, type WAMessageKey } from 'baileys'
import type { Chat, InboundEvent, KeyRows } from '../../../driver.ts'
import { externalIdOf } from '../../../platform/external.ts'
import type { Me } from '../keys/journal.ts'
import { readSource } from '../media/sources.ts'
import { chatOf, isStatusOrNewsletter, localAddress } from './addresses.ts'

/**
 * The copies of a message that the company's phone sent to a list of recipients (broadcast list), one in the chat of each: none
 * where the recipients are not known. Null for any other message. A phone's history may have the copies themselves.
 */
export function copiesOf(message: WAMessage, me: Me): WAMessage[] | null {
  const { key, broadcast, userReceipt } = message
  if (broadcast && key.fromMe && chatOf(key.remoteJid)) return [message]
  if (!isOnOwnList(key, me)) return null
  return (userReceipt ?? []).flatMap(({ userJid }) =>
    chatOf(userJid) ? { ...message, key: { id: key.id, fromMe: true, remoteJid: userJid } } : [],
  )
}

/** Whether a message stands in a list of the company's phone. Baileys compares its author with the number only. */
export const isOnOwnList = ({ remoteJid, participant, fromMe }: WAMessageKey, { id, lid }: Me): boolean =>
  isJidBroadcast(remoteJid ?? '') === true &&
  !isStatusOrNewsletter(remoteJid ?? undefined) &&
  (fromMe === true || [id, lid].some(own => own !== '' && areJidsSameUser(participant ?? undefined, own)))

/**
 * The event of a copy of this message: it is kept where its recipient is known. Null for what is neither a message nor its change
 * or deletion. The phone knows the file by the key of the list's message.
 */
export function eventInList(event: InboundEvent | null, { key }: WAMessage): Listed | null {
  if (event?.kind === 'edit') return { ...event, isToList: true }
  if (event?.kind !== 'message') return event?.kind === 'delete' ? event : null
  const { file } = event
  const named = { remoteJid: key.remoteJid, id: key.id, fromMe: true }
  const source = file && JSON.stringify({ ...readSource(file.source), key: named })
  return { ...event, isToList: true, ...(file && source && { file: { ...file, source } }) }
}

type Listed = Extract<InboundEvent, { kind: 'message' | 'edit' | 'delete' }>

/** The same event, of the copy in its chat. */
export async function withIdOfCopy(rows: KeyRows, event: Listed): Promise<Listed> {
  if (event.kind === 'message')
    return { ...event, externalId: await idOfCopy(rows, event.externalId, event.chat) }
  const externalId = await idOfCopy(rows, event.target.externalId, event.chat)
  return { ...event, target: { ...event.target, externalId } }
}

/**
 * The id of a copy in this chat, since ids are unique by connection. It has the recipient's LID where that is known: phones name
 * recipients by LID, and a history may name them by number.
 */
export async function idOfCopy(rows: KeyRows, id: string, chat: Chat): Promise<string> {
  const { jid } = await localAddress(rows, chat)
  return externalIdOf(`${id} ${jidDecode(jid)?.user ?? ''}`)
}
