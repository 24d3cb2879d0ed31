import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import type { Chat, Target } from '../../../driver.ts'
import type { Tx } from '../../../platform/scope.ts'
import { contactsBehind, identifiersOf } from '../../contacts/contacts.identifiers.queries.ts'
import { lockChats, type MessageRow } from '../messages.queries.ts'
import { lockByExternalId } from './inbound.queries.ts'

/** The target, locked; null unless it is a message of this chat. */
export async function lockTarget(
  tx: Tx,
  whatsappId: number,
  { chat, target }: { chat: Chat; target: Target },
): Promise<MessageRow | null> {
  await lockChats(tx, whatsappId, [chat.value])
  const row = await lockByExternalId(tx, whatsappId, target.externalId, { fromMe: target.fromMe })
  if (!row) return null
  const people = await contactsBehind(tx, identifiersOf(chat))
  return people.some(({ id }) => id === row.contactId) ? row : null
}

/**
 * Whether a message of a group is another member's than `by`, whom a change of it names as its author: no address of the two
 * is the same. Addresses of different kinds, of which no pair is known, cannot be compared, and count as another's.
 */
export function isAnothers({ author }: MessageRow, by: Chat | undefined): boolean {
  if (!author || !by) return false
  const phone = { kind: 'phone', value: author.number }
  const known = [author, phone].filter(({ value }) => value !== '').map(addressOf)
  const named = [by, ...(by.also ? [by.also] : [])].map(addressOf)
  return !named.some(one => known.some(({ kind, value }) => kind === one.kind && value === one.value))
}

const addressOf = ({ kind, value }: { kind: string; value: string }) => ({
  kind,
  value: kind === 'phone' ? phoneKey(value) : value,
})
