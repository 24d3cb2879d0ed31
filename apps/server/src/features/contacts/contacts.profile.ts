import { nameOr } from '@balcao/contract/contacts.rules.ts'
import type { Chat } from '../../driver.ts'
import { removeFiles } from '../../platform/files.served.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { contactChanged } from './contacts.events.ts'
import { contactsBehind, findContact, identifiersOf } from './contacts.queries.ts'
import { contacts } from './contacts.table.ts'

/** A group is called as the network calls it; a person only until somebody gave him a name here. */
export async function nameFromNetwork(tx: Tx, chat: Chat, given: string): Promise<void> {
  const [contact] = await contactsBehind(tx, identifiersOf(chat))
  if (!contact) return
  const nameless = contact.name === `+${contact.number}` || contact.name === 'WhatsApp'
  const name = nameOr(given, contact.name)
  if ((nameless || contact.isGroup) && name !== contact.name) await change(tx, contact.id, { name })
}

/** Shows a picture whose file is kept by now. False when nobody is known there: the file is not needed. */
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

async function change(tx: Tx, contactId: number, fields: { name?: string; profilePicUrl?: string }) {
  await tx.sql
    .update(contacts)
    .set({ ...fields, updatedAt: new Date().toISOString() })
    .where(and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId)))
  tx.emit(contactChanged, { contact: await findContact(tx, contactId), created: false })
}
