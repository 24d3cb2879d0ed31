import { type Contact, MAX_TICKETS_NAMED } from '@balcao/contract/contacts.ts'
import type { Chat } from '../../driver.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { namesFiles } from '../../platform/files/orphans.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { insertingAll } from '../../platform/postgres/prepared.ts'
import { and, eq, inArray, ne, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { contactExtraInfo, contacts } from './contacts.table.ts'

export type ContactRow = typeof contacts.$inferSelect
export type ContactFields = Partial<Omit<typeof contacts.$inferInsert, 'ownerId'>> & {
  ownerId?: number | null | SQL
}

export async function selectContacts(sql: Sql, where: SQL | undefined): Promise<Contact[]> {
  const rows = await sql
    .select({ contact: contacts, extraInfo, categoryContacts, tickets: newestTickets, ticketsCount })
    .from(contacts)
    .where(where)
    .orderBy(contacts.words, contacts.id)
  return rows.map(({ contact, ...rest }) => ({
    ...contact,
    ...rest,
    categoriesContactsAssociates: rest.categoryContacts,
  }))
}

// `${contacts}.company_id`: a bare column would be resolved to the inner table.
const extraInfo = tag<Contact['extraInfo']>`(
  select coalesce(json_agg(json_build_object('id', e.id, 'name', e.name, 'value', e.value) order by e.id), '[]')
  from contact_extra_info e where e.company_id = ${contacts}.company_id and e.contact_id = ${contacts}.id)`

const categoryContacts = tag<Contact['categoryContacts']>`(
  select coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'color', k.color) order by folded(k.name)), '[]')
  from contact_categories c join categories k on k.company_id = c.company_id and k.id = c.category_id
  where c.company_id = ${contacts}.company_id and c.contact_id = ${contacts}.id)`

const newestTickets = tag<Contact['tickets']>`(
  select coalesce(json_agg(json_build_object('id', t.id) order by t.id desc), '[]')
  from (select id from tickets where company_id = ${contacts}.company_id and contact_id = ${contacts}.id
    order by id desc limit ${tag.raw(String(MAX_TICKETS_NAMED))}) t)`

const ticketsCount = tag<number>`(
  select count(*)::int from tickets t where t.company_id = ${contacts}.company_id and t.contact_id = ${contacts}.id)`

/** Refuses with ERR_NO_CONTACT_FOUND. */
export async function findContact(tx: Tx, contactId: number): Promise<Contact> {
  const [contact] = await selectContacts(
    tx.sql,
    and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId)),
  )
  return contact ?? refuse('ERR_NO_CONTACT_FOUND')
}

/** Contacts of the company in the order of their ids. */
export async function loadContacts(tx: Tx, ids: number[]): Promise<Contact[]> {
  const found = await selectContacts(
    tx.sql,
    and(eq(contacts.companyId, tx.companyId), inArray(contacts.id, ids)),
  )
  const byId = new Map(found.map(contact => [contact.id, contact]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** Locks a contact: until the transaction ends it is not changed, and no row can reference it. */
export const lockContact = (tx: Tx, contactId: number) =>
  tx.sql
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId)))
    .for('update')

/** Names and numbers of contacts by id; the number is empty for groups and contacts known by a LID alone. */
export async function numbersOf(tx: Tx, contactIds: number[]) {
  const rows = await tx.sql
    .select({ id: contacts.id, name: contacts.name, number: contacts.number, isGroup: contacts.isGroup })
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), inArray(contacts.id, contactIds)))
  return new Map(rows.map(({ id, name, number, isGroup }) => [id, { name, number: isGroup ? '' : number }]))
}

/** When the number was last corrected; null when it never was. */
export async function correctedAt(tx: Tx, contactId: number): Promise<string | null> {
  const [row] = await tx.sql
    .select({ at: contacts.correctedAt })
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId)))
  return row?.at ?? null
}

/** The address of a contact: its LID where one is known, since WhatsApp then refuses the number; else its number, else its user id. */
export async function findChat(tx: Tx, contactId: number): Promise<Chat | null> {
  const [contact] = await tx.sql
    .select({
      number: contacts.number,
      lid: contacts.lid,
      cloudId: contacts.cloudId,
      isGroup: contacts.isGroup,
    })
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), inArray(contacts.id, [contactId])))
  return contact ? chatOfContact(contact) : null
}

type Address = Pick<typeof contacts.$inferSelect, 'number' | 'lid' | 'cloudId' | 'isGroup'>

export function chatOfContact({ number, lid, cloudId, isGroup }: Address): Chat | null {
  if (isGroup) return { kind: 'group', value: number }
  const phone = number && ({ kind: 'phone', value: number } as const)
  const cloud = cloudId && ({ kind: 'cloud', value: cloudId } as const)
  // each network takes the one that it can write to
  const also = phone || cloud
  if (lid) return { kind: 'lid', value: lid, ...(also && { also }) }
  return phone || cloud || null
}

export async function insertContact(tx: Tx, fields: ContactFields): Promise<number> {
  const [row] = await tx.sql
    .insert(contacts)
    .values({ ...(fields as typeof contacts.$inferInsert), companyId: tx.companyId })
    .returning({ id: contacts.id })
  return row!.id
}

/** Answers the ids, in the order of the rows. */
export async function insertContacts(
  tx: Tx,
  rows: Omit<typeof contacts.$inferInsert, 'companyId'>[],
): Promise<number[]> {
  const stored = await insertRows(
    tx.sql,
    rows.map(row => ({ ...row, companyId: tx.companyId })),
  )
  return stored.map(({ id }) => id)
}

const insertRows = insertingAll(contacts, tag`returning id`)

export const updateContact = (tx: Tx, contactId: number, fields: ContactFields) =>
  tx.sql
    .update(contacts)
    .set({ ...fields, updatedAt: databaseTime() })
    .where(byId(tx, contactId))

export const deleteContact = (tx: Tx, contactId: number) => tx.sql.delete(contacts).where(byId(tx, contactId))

export const setBotCommand = (tx: Tx, contactId: number, commandBot: string) =>
  tx.sql
    .update(contacts)
    .set({ commandBot })
    .where(and(byId(tx, contactId), ne(contacts.commandBot, commandBot)))

export async function replaceExtraInfo(
  tx: Tx,
  contactId: number,
  extraInfo: { name: string; value: string }[],
) {
  const { companyId } = tx
  await tx.sql
    .delete(contactExtraInfo)
    .where(and(eq(contactExtraInfo.companyId, companyId), eq(contactExtraInfo.contactId, contactId)))
  if (extraInfo.length === 0) return
  await tx.sql
    .insert(contactExtraInfo)
    .values(extraInfo.map(({ name, value }) => ({ companyId, contactId, name, value })))
}

const byId = (tx: Tx, contactId: number) =>
  and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId))

export const contactFiles = namesFiles(contacts, contacts.profilePicUrl)
