import { and, eq, inArray, notInArray, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { contactCategories } from './contacts.table.ts'

export const inCategories = (tx: Tx, categoryIds: number[]) =>
  tx.sql
    .select({ contactId: contactCategories.contactId })
    .from(contactCategories)
    .where(
      and(eq(contactCategories.companyId, tx.companyId), inArray(contactCategories.categoryId, categoryIds)),
    )

export async function categoriesOfContact(tx: Tx, contactId: number): Promise<number[]> {
  const rows = await tx.sql
    .select({ id: contactCategories.categoryId })
    .from(contactCategories)
    .where(and(eq(contactCategories.companyId, tx.companyId), eq(contactCategories.contactId, contactId)))
  return rows.map(({ id }) => id)
}

/** Adds categories to a contact; returns the ids of those it did not have. */
export async function insertCategories(tx: Tx, contactId: number, categoryIds: number[]): Promise<number[]> {
  const rows = categoryIds.map(categoryId => ({ companyId: tx.companyId, contactId, categoryId }))
  if (rows.length === 0) return []
  const added = await tx.sql
    .insert(contactCategories)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: contactCategories.categoryId })
  return added.map(({ id }) => id)
}

export const deleteOtherCategories = (tx: Tx, contactId: number, kept: number[]): Promise<number[]> =>
  deleteCategoriesOf(tx, contactId, notInArray(contactCategories.categoryId, kept))

export async function deleteCategoriesOf(tx: Tx, contactId: number, which?: SQL): Promise<number[]> {
  const deleted = await tx.sql
    .delete(contactCategories)
    .where(and(ofContacts(tx, [contactId]), which))
    .returning({ id: contactCategories.categoryId })
  return deleted.map(({ id }) => id)
}

export async function moveCategory(tx: Tx, categoryId: number, into: number): Promise<void> {
  const rows = tx.sql
    .select({
      companyId: contactCategories.companyId,
      contactId: contactCategories.contactId,
      categoryId: tag<number>`${into}::int`.as('category_id'),
    })
    .from(contactCategories)
    .where(and(eq(contactCategories.companyId, tx.companyId), eq(contactCategories.categoryId, categoryId)))
  await tx.sql.insert(contactCategories).select(rows).onConflictDoNothing()
}

export async function moveCategories(tx: Tx, from: number[], contactId: number): Promise<void> {
  const rows = tx.sql
    .selectDistinct({
      companyId: contactCategories.companyId,
      contactId: tag<number>`${contactId}::int`.as('contact_id'),
      categoryId: contactCategories.categoryId,
    })
    .from(contactCategories)
    .where(ofContacts(tx, from))
  await tx.sql.insert(contactCategories).select(rows).onConflictDoNothing()
}

const ofContacts = (tx: Tx, contactIds: number[]) =>
  and(eq(contactCategories.companyId, tx.companyId), inArray(contactCategories.contactId, contactIds))
