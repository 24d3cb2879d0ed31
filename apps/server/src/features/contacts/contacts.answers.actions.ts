import type { Contact } from '@balcao/contract/contacts.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { z } from 'zod'
import type { Tx } from '../../platform/scope.ts'
import { emitContact } from './contacts.actions.ts'
import { findContact, replaceExtraInfo, updateContact } from './contacts.queries.ts'

interface Answer {
  keepIn: 'name' | 'email' | 'field'
  /** The name of an additional field. */
  field: string
  value: string
}

/** Bounds of a contact (`ContactInput`). */
const MOST_FIELDS = 50
const LONGEST = { name: 50, value: 1_000 }

/** Keeps what a contact answered to a bot. What does not fit the field is not kept. */
export async function keepAnswer(tx: Tx, contactId: number, answer: Answer): Promise<void> {
  const contact = await findContact(tx, contactId)
  if (!(await write(tx, contact, answer))) return
  await emitContact(tx, contactId, { created: false })
}

async function write(tx: Tx, contact: Contact, { keepIn, field, value }: Answer): Promise<boolean> {
  if (keepIn === 'name') {
    const name = cut(value, LONGEST.name)
    if (name.length < 2 || name === contact.name) return false
    await updateContact(tx, contact.id, { name })
    return true
  }
  if (keepIn === 'email') {
    const email = value.toLowerCase()
    if (!z.email().safeParse(email).success || email === contact.email) return false
    await updateContact(tx, contact.id, { email })
    return true
  }
  const others = contact.extraInfo.filter(({ name }) => name.toLowerCase() !== field.toLowerCase())
  if (field === '' || others.length >= MOST_FIELDS) return false
  await replaceExtraInfo(tx, contact.id, [...others, { name: field, value: cut(value, LONGEST.value) }])
  return true
}
