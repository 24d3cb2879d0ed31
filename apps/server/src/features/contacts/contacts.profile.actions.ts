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

/** Sets name and username from the network: the name always of a group, of a person only while no user has given one. */
export async function nameFromNetwork(tx: Tx, chat: Chat, given: string): Promise<void> {
  if (!given && !chat.username) return
  const [contact] = await contactsBehind(tx, identifiersOf(chat))
  if (!contact) return
  const { number, isGroup, networkName, username } = contact
  const isOfUser = ![`+${number}`, 'WhatsApp', `@${username}`, networkName].includes(contact.name)
  const isUnnamed = !given && !number && !networkName
  const named = namedByNetwork(given || (isUnnamed ? `@${chat.username}` : ''), contact.name)
  const isOther = (!isOfUser || isGroup) && named.name !== contact.name
  const isFoundBy = chat.username !== undefined && chat.username !== username
  if (!isOther && !isFoundBy) return
  await change(tx, contact.id, {
    ...(isOther && { name: named.name, ...(given && { networkName: named.networkName }) }),
    ...(isFoundBy && { username: chat.username }),
  })
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
