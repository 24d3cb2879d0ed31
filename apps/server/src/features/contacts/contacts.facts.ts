import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, eq, not, sql as tag } from '../../platform/sql.ts'
import { knownCategories } from '../categories/categories.queries.ts'
import type { Identifier } from './contacts.queries.ts'
import { contactCategories, contactExtraInfo, contactIdentifiers, contacts } from './contacts.table.ts'

export type ContactRow = typeof contacts.$inferSelect

/** What people and WhatsApp said of a contact: what a merge chooses from, and what undoing it puts back. */
export interface ContactFacts {
  name: string
  number: string
  lid: string
  cloudId: string
  email: string
  profilePicUrl: string
  extraInfo: { name: string; value: string }[]
  categoryIds: number[]
  identifiers: Identifier[]
}

/** A contact that went, as it was. */
export interface GoneContact {
  row: ContactRow
  facts: ContactFacts
}

/**
 * A contact, which nobody changes, and on which nothing new is hung, until this transaction ends. Refuses with
 * ERR_NO_CONTACT_FOUND.
 */
export async function holdContact(tx: Tx, contactId: number): Promise<GoneContact> {
  const [row] = await tx.sql.select().from(contacts).where(itself(tx, contactId)).for('update')
  return row ? { row, facts: await factsOf(tx, row) } : refuse('ERR_NO_CONTACT_FOUND')
}

/** Makes a contact say exactly this; what it is found by stays. */
export async function writeFacts(tx: Tx, contactId: number, facts: ContactFacts): Promise<void> {
  const { extraInfo, categoryIds, identifiers: _found, ...fields } = facts
  await tx.sql
    .update(contacts)
    .set({ ...fields, updatedAt: new Date().toISOString() })
    .where(itself(tx, contactId))
  for (const table of [contactExtraInfo, contactCategories])
    await tx.sql.delete(table).where(ofContact(tx, table, contactId))
  await writeLists(tx, contactId, { extraInfo, categoryIds })
}

/** A contact that went stands again under its id, without what it was found by. */
export async function bringBack(tx: Tx, { row, facts }: GoneContact): Promise<void> {
  await tx.sql.insert(contacts).values(row)
  await writeLists(tx, row.id, facts)
}

/** What one contact is found by, or these of it, leads to the other from now on. */
export const moveIdentifiers = (tx: Tx, from: number, into: number, those?: Identifier[]) =>
  tx.sql
    .update(contactIdentifiers)
    .set({ contactId: into })
    .where(and(ofContact(tx, contactIdentifiers, from), those && oneOf(those)))

/** What a contact is found by besides these is forgotten: WhatsApp tells it again with the next message. */
export const forgetIdentifiers = (tx: Tx, contactId: number, but: Identifier[]) =>
  tx.sql.delete(contactIdentifiers).where(and(ofContact(tx, contactIdentifiers, contactId), not(oneOf(but))))

/** What a contact's own number, LID and Cloud id are found by. */
export const addressesOf = ({ number, lid, cloudId }: Pick<ContactFacts, 'number' | 'lid' | 'cloudId'>) => {
  const all: Identifier[] = [
    { kind: 'phone', value: phoneKey(number) },
    { kind: 'lid', value: lid },
    { kind: 'cloud', value: cloudId },
  ]
  return all.filter(({ value }) => value !== '')
}

async function factsOf(tx: Tx, { id, name, number, lid, cloudId, email, profilePicUrl }: ContactRow) {
  const infos = await tx.sql
    .select({ name: contactExtraInfo.name, value: contactExtraInfo.value })
    .from(contactExtraInfo)
    .where(ofContact(tx, contactExtraInfo, id))
    .orderBy(asc(contactExtraInfo.id))
  const carried = await tx.sql
    .select({ id: contactCategories.categoryId })
    .from(contactCategories)
    .where(ofContact(tx, contactCategories, id))
    .orderBy(asc(contactCategories.categoryId))
  const facts: ContactFacts = {
    name,
    number,
    lid,
    cloudId,
    email,
    profilePicUrl,
    extraInfo: infos,
    categoryIds: carried.map(category => category.id),
    identifiers: await identifiersOfContact(tx, id),
  }
  return facts
}

const identifiersOfContact = (tx: Tx, contactId: number): Promise<Identifier[]> =>
  tx.sql
    .select({ kind: contactIdentifiers.kind, value: contactIdentifiers.value })
    .from(contactIdentifiers)
    .where(ofContact(tx, contactIdentifiers, contactId))
    .orderBy(contactIdentifiers.kind, contactIdentifiers.value)

/** A category that was deleted meanwhile is carried by nobody. */
async function writeLists(
  tx: Tx,
  contactId: number,
  { extraInfo, categoryIds }: Pick<ContactFacts, 'extraInfo' | 'categoryIds'>,
) {
  const place = { companyId: tx.companyId, contactId }
  const infos = extraInfo.map(({ name, value }) => ({ ...place, name, value }))
  if (infos.length > 0) await tx.sql.insert(contactExtraInfo).values(infos)
  const known = categoryIds.length > 0 ? await knownCategories(tx, categoryIds) : []
  const carried = known.map(categoryId => ({ ...place, categoryId }))
  if (carried.length > 0) await tx.sql.insert(contactCategories).values(carried)
}

type Table = typeof contactIdentifiers | typeof contactExtraInfo | typeof contactCategories
const ofContact = (tx: Tx, table: Table, contactId: number) =>
  and(eq(table.companyId, tx.companyId), eq(table.contactId, contactId))
const itself = (tx: Tx, contactId: number) =>
  and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId))

const oneOf = (identifiers: Identifier[]) =>
  tag`(${contactIdentifiers.kind}, ${contactIdentifiers.value}) in (
    select kind, value from json_to_recordset(${JSON.stringify(identifiers)}) as those (kind text, value text))`
