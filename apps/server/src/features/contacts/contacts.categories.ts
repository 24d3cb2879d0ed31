import type { Contact } from '@balcao/contract/contacts.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, inArray, notInArray, type SQL, sql as tag } from '../../platform/sql.ts'
import { categoryChanged } from '../categories/categories.events.ts'
import { knownCategories, theseCategories } from '../categories/categories.queries.ts'
import { contactChanged } from './contacts.events.ts'
import { findContact } from './contacts.queries.ts'
import { contactCategories } from './contacts.table.ts'

/** Gives a contact exactly these categories. Refuses with ERR_NO_CONTACT_FOUND, ERR_NOT_FOUND. */
export const categorize = (scope: Scope, contactId: number, categoryIds: number[]): Promise<Contact> =>
  scope.transaction(async tx => {
    await findContact(tx, contactId)
    const wanted = [...new Set(categoryIds)]
    if ((await knownCategories(tx, wanted)).length < wanted.length)
      return refuse('ERR_NOT_FOUND', { field: 'categoryContacts' })
    const lost = await takeOff(tx, contactId, notInArray(contactCategories.categoryId, wanted))
    const won = await put(tx, contactId, wanted)
    const contact = await findContact(tx, contactId)
    tx.emit(contactChanged, { contact, created: false })
    await tellCounts(tx, [...lost, ...won])
    return contact
  })

/** A contact carries these categories too, as far as there are such. */
export async function addCategories(tx: Tx, contactId: number, categoryIds: number[]): Promise<void> {
  const won = await put(tx, contactId, await knownCategories(tx, categoryIds))
  tx.emit(contactChanged, { contact: await findContact(tx, contactId), created: false })
  await tellCounts(tx, won)
}

/** A contact that goes carries none any more, which all see who see their counts. */
export const dropCategories = async (tx: Tx, contactId: number): Promise<void> =>
  tellCounts(tx, await takeOff(tx, contactId))

/** The contacts of a category that is about to go carry the other one. */
export async function moveCategory(tx: Tx, categoryId: number, into: number): Promise<void> {
  const carriers = tx.sql
    .select({
      companyId: contactCategories.companyId,
      contactId: contactCategories.contactId,
      categoryId: tag<number>`${into}::int`.as('category_id'),
    })
    .from(contactCategories)
    .where(and(eq(contactCategories.companyId, tx.companyId), eq(contactCategories.categoryId, categoryId)))
  await tx.sql.insert(contactCategories).select(carriers).onConflictDoNothing()
}

/** What contacts that turned out to be another one carried, that one carries. */
export async function moveCategories(tx: Tx, from: number[], contactId: number): Promise<void> {
  const carried = tx.sql
    .selectDistinct({
      companyId: contactCategories.companyId,
      contactId: tag<number>`${contactId}::int`.as('contact_id'),
      categoryId: contactCategories.categoryId,
    })
    .from(contactCategories)
    .where(carriedBy(tx, from))
  await tx.sql.insert(contactCategories).select(carried).onConflictDoNothing()
}

/** The contacts that carry one of the categories. */
export const inCategories = (tx: Tx, categoryIds: number[]) =>
  tx.sql
    .select({ contactId: contactCategories.contactId })
    .from(contactCategories)
    .where(
      and(eq(contactCategories.companyId, tx.companyId), inArray(contactCategories.categoryId, categoryIds)),
    )

/** Answers those that are new to it. */
async function put(tx: Tx, contactId: number, categoryIds: number[]): Promise<number[]> {
  const rows = categoryIds.map(categoryId => ({ companyId: tx.companyId, contactId, categoryId }))
  if (rows.length === 0) return []
  const added = await tx.sql
    .insert(contactCategories)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: contactCategories.categoryId })
  return added.map(({ id }) => id)
}

/** All, or those that `which` says. Answers them. */
async function takeOff(tx: Tx, contactId: number, which?: SQL): Promise<number[]> {
  const gone = await tx.sql
    .delete(contactCategories)
    .where(and(carriedBy(tx, [contactId]), which))
    .returning({ id: contactCategories.categoryId })
  return gone.map(({ id }) => id)
}

/** Other contacts carry them now than before. */
async function tellCounts(tx: Tx, categoryIds: number[]) {
  for (const category of await theseCategories(tx, categoryIds))
    tx.emit(categoryChanged, { action: 'update', categoryContact: category })
}

const carriedBy = (tx: Tx, contactIds: number[]) =>
  and(eq(contactCategories.companyId, tx.companyId), inArray(contactCategories.contactId, contactIds))
