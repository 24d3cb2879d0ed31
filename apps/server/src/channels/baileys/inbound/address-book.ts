import type { BaileysEventMap } from 'baileys'
import type { BookEntry, Chat, InboundEvent } from '../../../driver.ts'
import { chatOf } from './addresses.ts'
import { lineFrom, usernameFrom } from './text.ts'

/**
 * What the phone's address book calls people, under each of their addresses, and what they are found by in WhatsApp: Baileys
 * gives the username as the name where there is no other.
 */
export function addressBookIn(
  contacts: BaileysEventMap['contacts.upsert'],
  at: string,
): { entries: BookEntry[]; usernames: InboundEvent[] } {
  const entries: BookEntry[] = []
  const usernames: InboundEvent[] = []
  for (const { id, lid, phoneNumber, name, username: given } of contacts) {
    const people = peopleIn([id, lid, phoneNumber])
    const username = usernameFrom(given)
    const called = name === given ? '' : lineFrom(name)
    if (called) entries.push(...people.map(({ kind, value }) => ({ kind, value, name: called, at })))
    const [first] = people
    if (username && first) usernames.push({ kind: 'profile', chat: { ...first, username }, at })
  }
  return { entries, usernames }
}

type Person = Chat & { kind: BookEntry['kind'] }

function peopleIn(jids: (string | undefined)[]): Person[] {
  const people = new Map<string, Person>()
  for (const jid of jids) {
    const chat = chatOf(jid)
    const kind = chat?.kind
    if (chat && (kind === 'phone' || kind === 'lid')) people.set(`${kind} ${chat.value}`, { ...chat, kind })
  }
  return [...people.values()]
}
