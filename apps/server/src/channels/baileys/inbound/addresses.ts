import {
  isHostedLidUser,
  isHostedPnUser,
  isJidGroup,
  isJidNewsletter,
  isJidStatusBroadcast,
  isLidUser,
  isPnUser,
  jidDecode,
  jidEncode,
  jidNormalizedUser,
  type WAMessageKey,
  type WASocket,
} from 'baileys'
import type { Chat, KeyRows, Target } from '../../../driver.ts'
import type { Me } from '../keys/journal.ts'

/** Status updates and newsletters: nothing of them is received. */
export const isStatusOrNewsletter = (jid: string | undefined): boolean =>
  jid !== undefined && (isJidStatusBroadcast(jid) || Boolean(isJidNewsletter(jid)))

/** The chat behind a WhatsApp address, with its other name when that is known; null for what is no chat of ours. */
export function chatOf(jid: string | null | undefined, alt?: string | null): Chat | null {
  const chat = nameOf(jid)
  const also = nameOf(alt)
  if (!chat || chat.kind === 'group' || !also || also.kind === 'group' || also.kind === chat.kind) return chat
  return { ...chat, also: { kind: also.kind, value: also.value } }
}

function nameOf(jid: string | null | undefined): Chat | null {
  const value = jid ? jidDecode(jid)?.user : undefined
  if (!jid || !value) return null
  if (isJidGroup(jid)) return { kind: 'group', value }
  // devices that Meta hosts for a business are of the same person
  if (isLidUser(jid) || isHostedLidUser(jid)) return { kind: 'lid', value }
  return isPnUser(jid) || isHostedPnUser(jid) ? { kind: 'phone', value } : null
}

/** WhatsApp's own announcements (0), and Meta AI: its numbers are those of `isJidMetaAI` in whatsmeow and of `isJidBot` in Baileys. */
export const isOfWhatsApp = ({ kind, value }: Chat): boolean =>
  kind === 'phone' && /^(?:0|1313555\d{4}|131655500\d{2})$/.test(value)

export function jidOf({ kind, value }: { kind: Chat['kind']; value: string }): string {
  if (kind === 'group') return jidEncode(value, 'g.us')
  return jidEncode(value, kind === 'lid' ? 'lid' : 's.whatsapp.net')
}

/** Fills in the phone number of a LID from the pairs that this connection has learnt. */
export async function completeChat(rows: KeyRows, chat: Chat): Promise<Chat> {
  if (chat.kind !== 'lid' || chat.also) return chat
  const value = await learnt(rows, `${chat.value}_reverse`)
  return value ? { ...chat, also: { kind: 'phone', value } } : chat
}

/** Where to write to: the LID whenever it is known, since many accounts refuse their number. Makes no query. */
export async function localAddress(rows: KeyRows, chat: Chat): Promise<{ jid: string; isKnown: boolean }> {
  const lid = chat.kind === 'phone' ? (lidBeside(chat) ?? (await learnt(rows, chat.value))) : undefined
  if (lid) return { jid: jidOf({ kind: 'lid', value: lid }), isKnown: true }
  return { jid: jidOf(chat), isKnown: chat.kind !== 'phone' }
}

const lidBeside = ({ also }: Chat) => (also?.kind === 'lid' ? also.value : undefined)

/** Messages of others in a chat, as the protocol names them. */
export async function keysOf(rows: KeyRows, chat: Chat, targets: Target[]): Promise<WAMessageKey[]> {
  const { jid: remoteJid } = await localAddress(rows, chat)
  return targets.map(({ externalId: id, author }) => ({
    remoteJid,
    id,
    fromMe: false,
    ...(chat.kind === 'group' && author && { participant: jidOf(author) }),
  }))
}

/** Every known address of whoever wrote a message, without the device: LID and number. */
export async function authorAddresses(rows: KeyRows, key: WAMessageKey, me: Me): Promise<string[]> {
  if (key.fromMe) return [me.lid, me.id].flatMap(jid => (jid ? jidNormalizedUser(jid) : []))
  const { participant, participantAlt, remoteJid, remoteJidAlt } = key
  const named = participant ? chatOf(participant, participantAlt) : chatOf(remoteJid, remoteJidAlt)
  if (!named || named.kind === 'group' || named.kind === 'cloud') return []
  const { also, ...chat } = await completeChat(rows, named)
  const lid = chat.kind === 'phone' && !also ? await learnt(rows, chat.value) : undefined
  const other = also ?? (lid ? { kind: 'lid' as const, value: lid } : undefined)
  return [chat, ...(other ? [other] : [])].map(jidOf)
}

/** Asks WhatsApp for a number it never met; null when it has no account. The answer may be spelt otherwise. */
export async function findNumber(sock: WASocket, number: string): Promise<string | null> {
  const jid = await askForNumber(sock, number)
  return jid ? ((await lidOf(sock, jid)) ?? jid) : null
}

/** A phone number as WhatsApp writes it, which may be without Brazil's ninth digit; null when it has no account. */
export async function knownNumber(sock: WASocket, number: string): Promise<string | null> {
  const jid = await askForNumber(sock, number)
  if (!jid) return null
  return isPnUser(jid) ? (jidDecode(jid)?.user ?? number) : number
}

async function askForNumber(sock: WASocket, number: string): Promise<string | undefined> {
  const found = await sock.onWhatsApp(number)
  if (!found) throw new Error('WhatsApp did not say whether the number exists')
  return found.find(({ exists }) => exists)?.jid
}

export async function lidOf(sock: WASocket, jid: string): Promise<string | null> {
  const lid = await sock.signalRepository.lidMapping.getLIDForPN(jid)
  return lid ? jidNormalizedUser(lid) : null
}

/** Baileys keeps pairs as rows: the number names the LID, `<lid>_reverse` the number. */
async function learnt(rows: KeyRows, id: string): Promise<string | undefined> {
  const value = (await rows.read('lid-mapping', [id])).get(id)
  return value && (JSON.parse(value) as string)
}
