import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import type { BookEntry } from '../../driver.ts'
import type { Tx } from '../../platform/scope.ts'
import { nameFromNetwork } from '../contacts/contacts.profile.actions.ts'
import { upsertBook } from './cloud.book.queries.ts'

/**
 * Keeps what the phone's address book calls people, some hundreds at once, in any order and as often as it comes, and names the
 * contacts among them unless a user did. A removed entry takes no name from a contact.
 */
export async function keepBook(tx: Tx, whatsappId: number, entries: BookEntry[]): Promise<void> {
  const newest = new Map<string, BookEntry>()
  // a phone may have one person under two spellings of the number
  for (const one of entries.map(canonical).toSorted((a, b) => a.at.localeCompare(b.at)))
    newest.set(`${one.kind} ${one.value}`, one)
  for (const { kind, value, name } of await upsertBook(tx, whatsappId, [...newest.values()]))
    if (name) await nameFromNetwork(tx, { kind, value }, name)
}

const canonical = (one: BookEntry): BookEntry =>
  one.kind === 'phone' ? { ...one, value: phoneKey(one.value) } : one
