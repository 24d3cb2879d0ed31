import { digitsOf, nameOr, phoneKey } from '@balcao/contract/contacts.rules.ts'
import type { Contact, ContactChange, ContactInput } from '@balcao/contract/contacts.ts'
import type { z } from 'zod'
import type { Chat } from '../../driver.ts'
import { databaseTime } from '../../platform/clock.ts'
import { isUniqueViolation, Refusal, refuse } from '../../platform/errors.ts'
import { removeFiles } from '../../platform/files/served.ts'
import { together } from '../../platform/postgres/db.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { removeCategoriesOf } from './contacts.categories.actions.ts'
import { moveCategories } from './contacts.categories.queries.ts'
import {
  contactChanged,
  contactCorrected,
  contactDeleting,
  contactRemoved,
  contactsMerging,
} from './contacts.events.ts'
import {
  contactsBehind,
  contactsBehindEach,
  type Identifier,
  identifiersOf,
  identifiersOfContact,
  insertIdentifiers,
  moveRecords,
  phoneId,
  replacePhone,
  tracesOf,
} from './contacts.identifiers.queries.ts'
import { numberMeant } from './contacts.numbers.actions.ts'
import { emitOwners, firstOwner, ownerWanted } from './contacts.owners.actions.ts'
import { findCustomer } from './contacts.owners.queries.ts'
import { namedByNetwork } from './contacts.profile.actions.ts'
import {
  type ContactFields,
  type ContactRow,
  deleteContact,
  findContact,
  insertContact,
  insertContacts,
  loadContacts,
  lockContact,
  replaceExtraInfo,
  setBotCommand,
  updateContact,
} from './contacts.queries.ts'

/** Adds a contact. Refuses with ERR_DUPLICATED_CONTACT when the number, in any spelling, is known, and as `numberMeant`. */
export const addContact = (scope: Scope, input: z.output<typeof ContactInput>): Promise<Contact> =>
  orDuplicate(
    scope.transaction(async tx => {
      const { extraInfo, email, name, country } = input
      const ownerId = await ownerWanted(tx, input.ownerId, firstOwner(tx))
      const number = await numberMeant(tx, input.number, country)
      const contactId = await insert(tx, { name, number, email: email ?? '', ownerId }, [
        { kind: 'phone', value: phoneId(number) },
      ])
      if (extraInfo) await replaceExtraInfo(tx, contactId, extraInfo)
      return emitContact(tx, contactId, { created: true })
    }),
  )

/** Changes a contact. Refuses with ERR_NO_CONTACT_FOUND, ERR_DUPLICATED_CONTACT, the number of a group with ERR_BAD_REQUEST, and as `numberMeant`. */
export const changeContact = (
  scope: Scope,
  contactId: number,
  input: z.output<typeof ContactChange>,
): Promise<Contact> =>
  orDuplicate(
    scope.transaction(async tx => {
      const before = await findCustomer(tx, contactId)
      const { extraInfo, email, number, country, ownerId: wanted, ...given } = input
      const ownerId = await ownerWanted(tx, wanted, before.ownerId)
      const moved = number === undefined ? {} : await renumber(tx, before, number, country)
      await updateContact(tx, contactId, {
        ...given,
        ...moved,
        ownerId,
        ...(email !== undefined && { email: email ?? '' }),
      })
      if (extraInfo) await replaceExtraInfo(tx, contactId, extraInfo)
      if (ownerId !== before.ownerId) emitOwners(tx, [before.ownerId, ownerId])
      return emitContact(tx, contactId, { created: false })
    }),
  )

/** Imports one row of a spreadsheet: sets name and e-mail of the contact with this number, or adds one. */
export function importContact(
  scope: Scope,
  row: { name: string; number: string; country?: string | undefined; email?: string | null | undefined },
) {
  const upsert = () =>
    scope.transaction(async tx => {
      const { email, name, country } = row
      const number = await numberMeant(tx, row.number, country)
      const [known] = await contactsBehind(tx, [{ kind: 'phone', value: phoneId(number) }])
      const input = { name, number: `+${number}`, ...(email && { email }) }
      return known
        ? changeContact(tx, known.id, { name: input.name, email: input.email })
        : addContact(tx, input)
    })
  const isKnownByNow = (error: unknown) => error instanceof Refusal && error.code === 'ERR_DUPLICATED_CONTACT'
  return upsert().catch(error => (isKnownByNow(error) ? upsert() : Promise.reject(error)))
}

/**
 * The contact that a message to a number is sent to, added when new. Its number and other data are not changed: only
 * inbound messages do that (`recognize`).
 */
export const addressee = async (tx: Tx, number: string, name: string): Promise<ContactRow | Contact> =>
  (await addressees(tx, [{ number, name }]))[0]!

/** The same for several people. */
export async function addressees(
  tx: Tx,
  people: { number: string; name: string }[],
): Promise<(ContactRow | Contact)[]> {
  const chats = people.map(({ number }): Chat => ({ kind: 'phone', value: number }))
  const found = await contactsBehindEach(tx, chats.map(identifiersOf))
  const keys = chats.map(chat => identifiersOf(chat)[0]!.value)
  const unknown = [...keys.keys()].filter(at => found[at]!.length === 0 && keys.indexOf(keys[at]!) === at)
  const added = await addContacts(
    tx,
    unknown.map(at => ({ chat: chats[at]!, name: people[at]!.name })),
  )
  const fresh = new Map(unknown.map((at, nth) => [keys[at], added[nth]!]))
  const all: (ContactRow | Contact)[] = []
  for (const [at, { name }] of people.entries()) {
    const known = found[at]![0]
    if (!known) all.push(fresh.get(keys[at])!)
    else if (!isNameless(known) || !name) all.push(known)
    else {
      await updateContact(tx, known.id, { name: nameOr(name, known.name) })
      all.push({ ...known, ...(await emitContact(tx, known.id, { created: false })) })
    }
  }
  return all
}

/**
 * The contact of an inbound chat, added when new. Stores a LID and a number that arrive together, and merges contacts that
 * turn out to be one person. `found`: the contacts with the identifiers of the chat, where already loaded.
 */
export async function recognize(tx: Tx, chat: Chat, name: string, found?: ContactRow[]) {
  const identifiers = identifiersOf(chat)
  const [known, ...doubles] = found ?? (await contactsBehind(tx, identifiers))
  if (!known) return (await addContacts(tx, [{ chat, name, networkName: nameOr(name, '') }]))[0]!
  const absorbed = doubles.map(double => double.id)
  if (absorbed.length > 0) {
    await moveCategories(tx, absorbed, known.id)
    await moveRecords(tx, absorbed, known.id)
  }
  const unknown = identifiers.length > 1 ? await unknownOf(tx, known.id, identifiers) : []
  if (unknown.length > 0)
    await insertIdentifiers(
      tx,
      unknown.map(one => ({ ...one, contactId: known.id })),
    )
  const changes = {
    ...numbersOf(chat, known),
    ...(isNameless(known) && (name ? namedByNetwork(name, known.name) : calledByUsername(known, chat))),
    // last: what a user wrote precedes what the network names
    ...(!isNamedByUser(known) && writtenNameOf(doubles)),
    ...missingFrom(known, doubles),
    ...(chat.username && chat.username !== known.username && { username: chat.username }),
  }
  const isChanged = Object.keys(changes).length > 0
  if (isChanged) await updateContact(tx, known.id, changes)
  for (const from of absorbed) await joinContacts(tx, from, known.id, null)
  if (isChanged || absorbed.length > 0) await emitContact(tx, known.id, { created: false })
  return { ...known, ...changes }
}

/**
 * The network reports one person under two identifiers. What is known already changes nothing: such news may be late. An
 * unknown person is added for a LID with its number only. Messages of the official API name all identifiers; a status of what
 * another program sent, or the new number of a person who was deleted here, adds no contact.
 */
export async function linkIdentifiers(tx: Tx, chat: Chat): Promise<void> {
  const identifiers = identifiersOf(chat)
  const found = await contactsBehind(tx, identifiers)
  const isMoved = chat.kind === chat.also?.kind
  if (found.length === 0 && (isMoved || chat.also?.kind === 'cloud')) return
  const isNews = found.length !== 1 || (await unknownOf(tx, found[0]!.id, identifiers)).length > 0
  if (isMoved || isNews) await recognize(tx, chat, '', found)
}

/** Moves owned records of a contact to another, and deletes it. The caller has moved its identifiers. */
export async function joinContacts(
  tx: Tx,
  from: number,
  into: number,
  mergeId: number | null,
): Promise<void> {
  await tx.involve(contactsMerging, { from, into, mergeId })
  await deleteEmpty(tx, from)
}

/** Deletes a contact with all personal data. Refuses with ERR_NO_CONTACT_FOUND. */
export const removeContact = (scope: Scope, contactId: number) =>
  scope.transaction(async tx => {
    // concurrent inserts that reference the contact wait, and then fail
    await lockContact(tx, contactId)
    const { profilePicUrl } = await findContact(tx, contactId)
    await tx.involve(contactDeleting, { contactId, ...(await tracesOf(tx, contactId)) })
    await removeFiles(tx, [profilePicUrl])
    await deleteEmpty(tx, contactId)
  })

async function deleteEmpty(tx: Tx, contactId: number) {
  await removeCategoriesOf(tx, contactId)
  await deleteContact(tx, contactId)
  tx.emit(contactRemoved, { contactId })
}

/** Closing a ticket ends the bot's dialog with the contact. */
export const resetBot = (tx: Tx, contactId: number) => setBotCommand(tx, contactId, '')

/** Adds people who are not known, each once. */
async function addContacts(
  tx: Tx,
  people: { chat: Chat; name: string; networkName?: string }[],
): Promise<Contact[]> {
  if (people.length === 0) return []
  const rows = people.map(({ chat, name, networkName = '' }) => {
    const numbers = numbersOf(chat, { number: '', lid: '', cloudId: '' })
    const { username = '' } = chat
    const unnamed = numbers.number ? `+${numbers.number}` : username ? `@${username}` : 'WhatsApp'
    return { ...numbers, isGroup: chat.kind === 'group', networkName, username, name: nameOr(name, unnamed) }
  })
  const ids = await insertContacts(tx, rows)
  const identifiers = people.flatMap(({ chat }, at) =>
    identifiersOf(chat).map(one => ({ ...one, contactId: ids[at]! })),
  )
  const [, contacts] = await together(
    tx.sql,
    () => insertIdentifiers(tx, identifiers),
    () => loadContacts(tx, ids),
  )
  for (const contact of contacts) tx.emit(contactChanged, { contact, created: true })
  return contacts
}

/** The numbers of a chat that the contact lacks. A LID is never shown as a number. */
function numbersOf(chat: Chat, known: Known): Partial<Known> {
  const addresses = [chat, ...(chat.also ? [chat.also] : [])]
  // two of the same kind: the second is the previous one
  const moved = chat.kind === chat.also?.kind
  const of = (...kinds: Chat['kind'][]) => addresses.find(({ kind }) => kinds.includes(kind))?.value
  const [number, lid, cloudId] = [of('phone', 'group'), of('lid'), of('cloud')]
  if (number && !moved && isSecondPhone({ number, lid }, known)) return { number, lid: lid ?? '' }
  return {
    ...(number && (moved || !known.number) && number !== known.number && { number }),
    ...(lid && (moved || !known.lid) && lid !== known.lid && { lid }),
    ...(cloudId && (moved || !known.cloudId) && cloudId !== known.cloudId && { cloudId }),
  }
}

/** A merged contact has several phones: replies go to the one of its last message. */
const isSecondPhone = ({ number, lid }: { number: string; lid: string | undefined }, known: Known) =>
  known.number !== '' && phoneKey(number) !== phoneKey(known.number) && (!lid || lid !== known.lid)

type Known = Pick<ContactRow, 'number' | 'lid' | 'cloudId'>

const isNameless = ({ name, number, username }: Pick<ContactRow, 'name' | 'number' | 'username'>) =>
  [`+${number}`, 'WhatsApp', `@${username}`].includes(name)

const isNamedByUser = (one: Pick<ContactRow, 'name' | 'number' | 'username' | 'networkName'>) =>
  !isNameless(one) && one.name !== one.networkName

/** What a contact lacks and one of its doubles has. */
function missingFrom(known: ContactRow, doubles: ContactRow[]): Partial<ContactRow> {
  const given = (['email', 'username', 'profilePicUrl', 'ownerId'] as const).flatMap(field => {
    const value = known[field] || doubles.find(double => double[field])?.[field]
    return value && value !== known[field] ? [[field, value]] : []
  })
  return Object.fromEntries(given)
}

/** Who has neither name nor number is called by the username. */
const calledByUsername = ({ number }: Known, { username }: Chat) =>
  username && !number ? { name: `@${username}` } : {}

/** What a user called a person who turned out to be twice in the list. */
function writtenNameOf(doubles: ContactRow[]) {
  const written = doubles.find(isNamedByUser)
  return written && { name: written.name }
}

/** The identifiers that a contact does not have yet. */
async function unknownOf(tx: Tx, contactId: number, identifiers: Identifier[]) {
  const own = await identifiersOfContact(tx, contactId)
  return identifiers.filter(({ kind, value }) => !own.some(one => one.kind === kind && one.value === value))
}

async function insert(tx: Tx, fields: ContactFields, identifiers: Identifier[]) {
  const contactId = await insertContact(tx, fields)
  await insertIdentifiers(
    tx,
    identifiers.map(one => ({ ...one, contactId })),
  )
  return contactId
}

/**
 * A corrected number is another WhatsApp account: LID and Cloud id of the previous one are removed, or replies would still
 * reach it and its messages would come to this contact. Other numbers of a merged contact stay.
 */
async function renumber(tx: Tx, before: Contact, written: string, country?: string): Promise<ContactFields> {
  // also one that could be read otherwise: it was not changed
  if (digitsOf(written) === digitsOf(before.number)) return {}
  if (before.isGroup) return refuse('ERR_BAD_REQUEST', { field: 'number' })
  const number = await numberMeant(tx, written, country)
  const isCorrected = before.number !== '' && phoneKey(before.number) !== phoneKey(number)
  await replacePhone(tx, before.id, before.number, number, { isCorrected })
  if (!isCorrected) return { number }
  await tx.involve(contactCorrected, { contactId: before.id })
  return { number, lid: '', cloudId: '', correctedAt: databaseTime() }
}

export async function emitContact(
  tx: Tx,
  contactId: number,
  { created }: { created: boolean },
): Promise<Contact> {
  const contact = await findContact(tx, contactId)
  tx.emit(contactChanged, { contact, created })
  return contact
}

const orDuplicate = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'contact_identifiers'))
      return refuse('ERR_DUPLICATED_CONTACT', { field: 'number' })
    throw error
  })
