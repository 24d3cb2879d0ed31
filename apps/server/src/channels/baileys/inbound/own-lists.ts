import { areJidsSameUser, isJidBroadcast, jidDecode, type WAMessage } from 'baileys'
import type { InboundEvent } from '../../../driver.ts'
import type { Me } from '../keys/journal.ts'
import { chatOf, isStatusOrNewsletter } from './addresses.ts'

/**
 * The copies of a message that the company's phone sent to a list of recipients (broadcast list), one in the chat of each: none
 * where the recipients are not known. Null for any other message. A copy has an id of its own, since ids are unique by
 * connection. A phone's history may have the copies themselves.
 */
export function copiesOf(message: WAMessage, me: Me): WAMessage[] | null {
  const { key, broadcast, userReceipt } = message
  if (broadcast && key.fromMe && chatOf(key.remoteJid)) return [copyIn(message, key.remoteJid)]
  if (!isList(key.remoteJid) || !(key.fromMe || isOwn(key.participant, me))) return null
  return (userReceipt ?? []).flatMap(({ userJid }) =>
    chatOf(userJid) ? copyIn({ ...message, key: { id: key.id, fromMe: true } }, userJid) : [],
  )
}

/** The event of a copy: it is kept where its recipient is known. Null for what is neither a message nor its change or deletion. */
export function eventInList(event: InboundEvent | null): InboundEvent | null {
  if (event?.kind === 'message') return { ...event, isToList: true }
  if (event?.kind !== 'edit' && event?.kind !== 'delete') return null
  const { chat, target } = event
  const externalId = idIn(target.externalId, chat.value)
  const own =
    event.kind === 'edit' && event.externalId ? { externalId: idIn(event.externalId, chat.value) } : {}
  return { ...event, ...own, target: { ...target, externalId } }
}

const copyIn = (message: WAMessage, jid: string | null | undefined): WAMessage => {
  const { key } = message
  return {
    ...message,
    key: { ...key, remoteJid: jid, id: idIn(key.id ?? '', jidDecode(jid ?? '')?.user ?? '') },
  }
}

const idIn = (id: string, recipient: string) => `${id} ${recipient}`

const isList = (jid: string | null | undefined) =>
  isJidBroadcast(jid ?? '') === true && !isStatusOrNewsletter(jid ?? undefined)

/** Baileys compares the author of a list with the number only. */
const isOwn = (jid: string | null | undefined, { id, lid }: Me) =>
  [id, lid].some(own => own !== '' && areJidsSameUser(jid ?? undefined, own))
