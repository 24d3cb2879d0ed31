import { nameOr } from '@balcao/contract/contacts.rules.ts'
import type { Chat } from '../../driver.ts'
import { removeFiles } from '../../platform/files/served.ts'
import type { Tx } from '../../platform/scope.ts'
import { contactChanged } from './contacts.events.ts'
import { contactsBehind, identifiersOf } from './contacts.identifiers.queries.ts'
import { type ContactFields, findContact, updateContact } from './contacts.queries.ts'

/** A name that a user has not written: a later one of the network may replace it. */
export function namedByNetwork(given: string, known: string) {
  const name = nameOr(given, known)
  return { name, networkName: name }
}

/** Sets the name from the network: always of a group, of a person only while no user has given a name. */
export async function nameFromNetwork(tx: Tx, chat: Chat, given: string): Promise<void> {
  const [contact] = await contactsBehind(tx, identifiersOf(chat))
  if (!contact) return
  const { number, isGroup, networkName } = contact
  const isOfUser = ![`+${number}`, 'WhatsApp', networkName].includes(contact.name)
  const named = namedByNetwork(given, contact.name)
  if ((!isOfUser || isGroup) && named.name !== contact.name) await change(tx, contact.id, named)
}

/** Sets the profile picture to a stored file. Returns false when the contact is unknown: the file is not needed. */
export async function putPictureOn(tx: Tx, chat: Chat, url: string): Promise<boolean> {
  const [contact] = await contactsBehind(tx, identifiersOf(chat))
  if (!contact) return false
  if (contact.profilePicUrl === url) return true
  await removeFiles(tx, [contact.profilePicUrl])
  await change(tx, contact.id, { profilePicUrl: url })
  return true
}

export async function removeContactPicture(tx: Tx, chat: Chat): Promise<void> {
  const [contact] = await contactsBehind(tx, identifiersOf(chat))
  if (!contact?.profilePicUrl) return
  await removeFiles(tx, [contact.profilePicUrl])
  await change(tx, contact.id, { profilePicUrl: '' })
}

async function change(tx: Tx, contactId: number, fields: ContactFields) {
  await updateContact(tx, contactId, fields)
  tx.emit(contactChanged, { contact: await findContact(tx, contactId), created: false })
}
