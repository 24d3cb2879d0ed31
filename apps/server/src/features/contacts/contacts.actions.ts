import { nameOr, phoneKey } from '@balcao/contract/contacts.rules.ts'
import type { Contact, ContactChange, ContactInput } from '@balcao/contract/contacts.ts'
import type { z } from 'zod'
import type { Chat } from '../../driver.ts'
import { isUniqueViolation, Refusal, refuse } from '../../platform/errors.ts'
import { removeFiles } from '../../platform/files.served.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, inArray, ne } from '../../platform/sql.ts'
import { dropCategories, moveCategories } from './contacts.categories.ts'
import { contactChanged, contactLeaving, contactRemoved, contactsMerging } from './contacts.events.ts'
import { contactsBehind, findContact, type Identifier, identifiersOf } from './contacts.queries.ts'
import { contactExtraInfo, contactIdentifiers, contacts } from './contacts.table.ts'

type Fields = Partial<typeof contacts.$inferInsert>
type ContactRow = typeof contacts.$inferSelect

/** Adds a contact. Refuses with ERR_DUPLICATED_CONTACT when the number, in any spelling, is known. */
export const addContact = (scope: Scope, input: z.output<typeof ContactInput>): Promise<Contact> =>
  orDuplicate(
    scope.transaction(async tx => {
      const { extraInfo, email, ...given } = input
      const contactId = await insert(tx, { ...given, email: email ?? '' }, [
        { kind: 'phone', value: phoneKey(given.number) },
      ])
      if (extraInfo) await replaceExtraInfo(tx, contactId, extraInfo)
      return emitContact(tx, contactId, true)
    }),
  )

/** Changes a contact. Refuses with ERR_NO_CONTACT_FOUND, ERR_DUPLICATED_CONTACT. */
export const changeContact = (
  scope: Scope,
  contactId: number,
  input: z.output<typeof ContactChange>,
): Promise<Contact> =>
  orDuplicate(
    scope.transaction(async tx => {
      const before = await findContact(tx, contactId)
      const { extraInfo, email, ...given } = input
      await update(tx, contactId, { ...given, ...(email !== undefined && { email: email ?? '' }) })
      if (given.number !== undefined && given.number !== before.number)
        await replacePhone(tx, contactId, before.number, given.number)
      if (extraInfo) await replaceExtraInfo(tx, contactId, extraInfo)
      return emitContact(tx, contactId, false)
    }),
  )

/** One spreadsheet row: a known number gets the row's name and e-mail, a new one becomes a contact. */
export function importContact(
  scope: Scope,
  row: { name: string; number: string; email?: string | null | undefined },
) {
  const take = () =>
    scope.transaction(async tx => {
      const [known] = await contactsBehind(tx, [{ kind: 'phone', value: phoneKey(row.number) }])
      const { email, ...rest } = row
      const input = { ...rest, ...(email && { email }) }
      return known
        ? changeContact(tx, known.id, { name: input.name, email: input.email })
        : addContact(tx, input)
    })
  const isKnownByNow = (error: unknown) => error instanceof Refusal && error.code === 'ERR_DUPLICATED_CONTACT'
  return take().catch(error => (isKnownByNow(error) ? take() : Promise.reject(error)))
}

/**
 * The contact behind a chat, made when new. A LID and a number that arrive together are written down together; records
 * that turn out to be the same person become one. `behind`: who stands behind the chat, where it was asked already.
 */
export async function recognize(tx: Tx, chat: Chat, name: string, behind?: ContactRow[]) {
  const identifiers = identifiersOf(chat)
  const [known, ...doubles] = behind ?? (await contactsBehind(tx, identifiers))
  if (!known) return firstSeen(tx, chat, identifiers, name)
  const absorbed = doubles.map(double => double.id)
  if (absorbed.length > 0) await takeOver(tx, absorbed, known.id)
  // by the only one it was found
  const unknown = identifiers.length > 1 ? await unknownOf(tx, known.id, identifiers) : []
  if (unknown.length > 0) await identify(tx, known.id, unknown)
  const learned = {
    ...numbersOf(chat, known),
    ...(isNameless(known) && name && { name: nameOr(name, known.name) }),
  }
  const isNews = Object.keys(learned).length > 0
  if (isNews) await update(tx, known.id, learned)
  for (const from of absorbed) await joinContacts(tx, from, known.id, null)
  if (isNews || absorbed.length > 0) await emitContact(tx, known.id, false)
  return { ...known, ...learned }
}

/** What hangs on a contact hangs on another from now on; then it goes. What they are found by is moved before. */
export async function joinContacts(
  tx: Tx,
  from: number,
  into: number,
  mergeId: number | null,
): Promise<void> {
  await tx.involve(contactsMerging, { from, into, mergeId })
  await dropContact(tx, from)
}

/** Removes a contact with its tickets and their messages. Refuses with ERR_NO_CONTACT_FOUND. */
export const removeContact = (scope: Scope, contactId: number) =>
  scope.transaction(async tx => {
    const { profilePicUrl } = await findContact(tx, contactId)
    await tx.involve(contactLeaving, { contactId })
    await removeFiles(tx, [profilePicUrl])
    await dropContact(tx, contactId)
  })

/** Takes a contact away on which nothing hangs any more. */
async function dropContact(tx: Tx, contactId: number) {
  await dropCategories(tx, contactId)
  await tx.sql.delete(contacts).where(and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId)))
  tx.emit(contactRemoved, { contactId })
}

/** What closing a conversation does to the bot's place in it. */
export const resetBot = (tx: Tx, contactId: number) => placeBot(tx, contactId, '')

/** The number of the command at which a bot talks to the contact. */
export const placeBot = (tx: Tx, contactId: number, commandBot: string) =>
  tx.sql
    .update(contacts)
    .set({ commandBot })
    .where(
      and(
        eq(contacts.companyId, tx.companyId),
        eq(contacts.id, contactId),
        ne(contacts.commandBot, commandBot),
      ),
    )

async function firstSeen(tx: Tx, chat: Chat, identifiers: Identifier[], name: string) {
  const numbers = numbersOf(chat, { number: '', lid: '', cloudId: '' })
  const isGroup = chat.kind === 'group'
  const fields = {
    ...numbers,
    isGroup,
    name: nameOr(name, numbers.number ? `+${numbers.number}` : 'WhatsApp'),
  }
  const contactId = await insert(tx, fields, identifiers)
  return emitContact(tx, contactId, true)
}

/** Numbers that the chat tells and the contact lacks. A LID is never shown as a number. */
function numbersOf(chat: Chat, known: Known): Partial<Known> {
  const told = [chat, ...(chat.also ? [chat.also] : [])]
  // Of the same kind the other one is what it was before: the person moved.
  const moved = chat.kind === chat.also?.kind
  const of = (...kinds: Chat['kind'][]) => told.find(({ kind }) => kinds.includes(kind))?.value
  const [number, lid, cloudId] = [of('phone', 'group'), of('lid'), of('cloud')]
  if (number && !moved && isSecondPhone({ number, lid }, known)) return { number, lid: lid ?? '' }
  return {
    ...(number && (moved || !known.number) && number !== known.number && { number }),
    ...(lid && (moved || !known.lid) && lid !== known.lid && { lid }),
    ...(cloudId && (moved || !known.cloudId) && cloudId !== known.cloudId && { cloudId }),
  }
}

/** A contact that was merged has several: answers go to the one it last wrote from, and so do its number and LID. */
const isSecondPhone = ({ number, lid }: { number: string; lid: string | undefined }, known: Known) =>
  known.number !== '' && phoneKey(number) !== phoneKey(known.number) && (!lid || lid !== known.lid)
type Known = Pick<typeof contacts.$inferSelect, 'number' | 'lid' | 'cloudId'>

const isNameless = ({ name, number }: { name: string; number: string }) =>
  name === `+${number}` || name === 'WhatsApp'

async function takeOver(tx: Tx, absorbed: number[], contactId: number) {
  await moveCategories(tx, absorbed, contactId)
  for (const table of [contactIdentifiers, contactExtraInfo])
    await tx.sql
      .update(table)
      .set({ contactId })
      .where(and(eq(table.companyId, tx.companyId), inArray(table.contactId, absorbed)))
}

async function unknownOf(tx: Tx, contactId: number, identifiers: Identifier[]) {
  const rows = await tx.sql
    .select({ kind: contactIdentifiers.kind, value: contactIdentifiers.value })
    .from(contactIdentifiers)
    .where(and(eq(contactIdentifiers.companyId, tx.companyId), eq(contactIdentifiers.contactId, contactId)))
  return identifiers.filter(({ kind, value }) => !rows.some(row => row.kind === kind && row.value === value))
}

async function insert(tx: Tx, fields: Fields, identifiers: Identifier[]) {
  const [row] = await tx.sql
    .insert(contacts)
    .values({ ...(fields as typeof contacts.$inferInsert), companyId: tx.companyId })
    .returning({ id: contacts.id })
  await identify(tx, row!.id, identifiers)
  return row!.id
}

const identify = (tx: Tx, contactId: number, identifiers: Identifier[]) =>
  tx.sql
    .insert(contactIdentifiers)
    .values(identifiers.map(one => ({ ...one, companyId: tx.companyId, contactId })))

const update = (tx: Tx, contactId: number, fields: Fields) =>
  tx.sql
    .update(contacts)
    .set({ ...fields, updatedAt: new Date().toISOString() })
    .where(and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId)))

/** The former number only: a contact that was merged has others. */
async function replacePhone(tx: Tx, contactId: number, former: string, number: string) {
  const own = and(eq(contactIdentifiers.companyId, tx.companyId), eq(contactIdentifiers.contactId, contactId))
  const its = and(own, eq(contactIdentifiers.kind, 'phone'))
  await tx.sql.delete(contactIdentifiers).where(and(its, eq(contactIdentifiers.value, phoneKey(former))))
  const [other] = await tx.sql
    .select()
    .from(contactIdentifiers)
    .where(and(its, eq(contactIdentifiers.value, phoneKey(number))))
  if (!other) await identify(tx, contactId, [{ kind: 'phone', value: phoneKey(number) }])
}

async function replaceExtraInfo(tx: Tx, contactId: number, extraInfo: { name: string; value: string }[]) {
  await tx.sql
    .delete(contactExtraInfo)
    .where(and(eq(contactExtraInfo.companyId, tx.companyId), eq(contactExtraInfo.contactId, contactId)))
  if (extraInfo.length === 0) return
  await tx.sql
    .insert(contactExtraInfo)
    .values(extraInfo.map(({ name, value }) => ({ companyId: tx.companyId, contactId, name, value })))
}

/** Tells everyone how a contact stands now. */
export async function emitContact(tx: Tx, contactId: number, created: boolean): Promise<Contact> {
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
