import { refuse } from '../../platform/errors.ts'
import { and, asc, eq } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { knownCategories } from '../categories/categories.queries.ts'
import { type Identifier, identifiersOfContact } from './contacts.identifiers.queries.ts'
import { livingOwner } from './contacts.owners.queries.ts'
import { type ContactRow, replaceExtraInfo, updateContact } from './contacts.queries.ts'
import { contactCategories, contactExtraInfo, contacts } from './contacts.table.ts'

/** The data of a contact that a merge chooses from and that undoing it restores. */
export interface ContactFacts {
  name: string
  number: string
  lid: string
  cloudId: string
  username: string
  email: string
  profilePicUrl: string
  /** Missing in what an earlier version kept. */
  ownerId?: number | null
  extraInfo: { name: string; value: string }[]
  categoryIds: number[]
  identifiers: Identifier[]
}

export interface GoneContact {
  row: ContactRow
  facts: ContactFacts
}

/** The data of a contact, locked. Refuses with ERR_NO_CONTACT_FOUND. */
export async function lockFacts(tx: Tx, contactId: number): Promise<GoneContact> {
  const [row] = await tx.sql
    .select()
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId)))
    .for('update')
  return row ? { row, facts: await factsOf(tx, row) } : refuse('ERR_NO_CONTACT_FOUND')
}

export async function writeFacts(tx: Tx, contactId: number, facts: ContactFacts): Promise<void> {
  const { extraInfo, categoryIds, identifiers: _found, ownerId, ...fields } = facts
  const owned = ownerId === undefined ? {} : { ownerId: livingOwner(tx, ownerId) }
  await updateContact(tx, contactId, { ...fields, ...owned })
  await tx.sql.delete(contactCategories).where(ofContact(tx, contactCategories, contactId))
  await writeLists(tx, contactId, { extraInfo, categoryIds })
}

/** Inserts a deleted contact again under its id, without identifiers. */
export async function restoreContact(tx: Tx, { row, facts }: GoneContact): Promise<void> {
  await tx.sql.insert(contacts).values({ ...row, ownerId: livingOwner(tx, row.ownerId) })
  await writeLists(tx, row.id, facts)
}

async function factsOf(
  tx: Tx,
  { id, name, number, lid, cloudId, username, email, profilePicUrl, ownerId }: ContactRow,
) {
  const infos = await tx.sql
    .select({ name: contactExtraInfo.name, value: contactExtraInfo.value })
    .from(contactExtraInfo)
    .where(ofContact(tx, contactExtraInfo, id))
    .orderBy(asc(contactExtraInfo.id))
  const categories = await tx.sql
    .select({ id: contactCategories.categoryId })
    .from(contactCategories)
    .where(ofContact(tx, contactCategories, id))
    .orderBy(asc(contactCategories.categoryId))
  const facts: ContactFacts = {
    name,
    number,
    lid,
    cloudId,
    username,
    email,
    profilePicUrl,
    ownerId,
    extraInfo: infos,
    categoryIds: categories.map(category => category.id),
    identifiers: await identifiersOfContact(tx, id),
  }
  return facts
}

async function writeLists(
  tx: Tx,
  contactId: number,
  { extraInfo, categoryIds }: Pick<ContactFacts, 'extraInfo' | 'categoryIds'>,
) {
  await replaceExtraInfo(tx, contactId, extraInfo)
  const known = categoryIds.length > 0 ? await knownCategories(tx, categoryIds) : []
  const rows = known.map(categoryId => ({ companyId: tx.companyId, contactId, categoryId }))
  if (rows.length > 0) await tx.sql.insert(contactCategories).values(rows)
}

type Table = typeof contactExtraInfo | typeof contactCategories
const ofContact = (tx: Tx, table: Table, contactId: number) =>
  and(eq(table.companyId, tx.companyId), eq(table.contactId, contactId))
