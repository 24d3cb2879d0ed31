import type { Category, ListedCategory } from '@balcao/contract/categories.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import { and, eq, getTableColumns, inArray, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { categories } from './categories.table.ts'

const { companyId: _company, ...shown } = getTableColumns(categories)
type Fields = Omit<Category, 'id'>

// `${categories}.id`: a bare column would be resolved to the inner table.
const contactsCount = tag<number>`(select count(*)::int from contact_categories c
  where c.company_id = ${categories}.company_id and c.category_id = ${categories}.id)`

export async function listCategories(tx: Tx, query: PageQuery) {
  const found = tx.sql
    .select({ ...shown, contactsCount })
    .from(categories)
    .where(and(eq(categories.companyId, tx.companyId), containing(query.searchParam, categories.name)))
    .orderBy(firstIn(categories.name, query.searchParam), tag`folded(${categories.name})`, categories.id)
  const { rows, hasMore } = await onePage<ListedCategory>(query, (limit, offset) =>
    found.limit(limit).offset(offset),
  )
  return { categoryContact: rows, hasMore }
}

export const allCategories = (tx: Tx): Promise<Category[]> =>
  tx.sql
    .select(shown)
    .from(categories)
    .where(eq(categories.companyId, tx.companyId))
    .orderBy(tag`folded(${categories.name})`, categories.id)

/** Refuses with ERR_NOT_FOUND. */
export async function findCategory(tx: Tx, categoryId: number): Promise<Category> {
  const [category] = await tx.sql.select(shown).from(categories).where(own(tx, categoryId))
  return category ?? refuse('ERR_NOT_FOUND', { field: 'categoryId' })
}

/** Locked. Refuses with ERR_NOT_FOUND. */
export async function lockCategory(tx: Tx, categoryId: number): Promise<Category> {
  const [category] = await tx.sql.select(shown).from(categories).where(own(tx, categoryId)).for('update')
  return category ?? refuse('ERR_NOT_FOUND', { field: 'categoryId' })
}

export const knownCategories = async (tx: Tx, categoryIds: number[]): Promise<number[]> =>
  (await theseCategories(tx, categoryIds)).map(({ id }) => id)

export const theseCategories = async (tx: Tx, categoryIds: number[]): Promise<Category[]> =>
  categoryIds.length === 0
    ? []
    : tx.sql
        .select(shown)
        .from(categories)
        .where(and(eq(categories.companyId, tx.companyId), inArray(categories.id, categoryIds)))

export async function idNamed(tx: Tx, name: string): Promise<number | null> {
  const [row] = await tx.sql
    .select({ id: categories.id })
    .from(categories)
    .where(and(eq(categories.companyId, tx.companyId), tag`lower(${categories.name}) = lower(${name})`))
  return row?.id ?? null
}

export async function insertCategory(tx: Tx, fields: Fields): Promise<Category> {
  const values = { ...fields, companyId: tx.companyId }
  const [category] = await tx.sql.insert(categories).values(values).returning(shown)
  return category!
}

/** Refuses with ERR_NOT_FOUND. */
export async function updateCategory(tx: Tx, categoryId: number, fields: Fields): Promise<Category> {
  const [category] = await tx.sql.update(categories).set(fields).where(own(tx, categoryId)).returning(shown)
  return category ?? refuse('ERR_NOT_FOUND', { field: 'categoryId' })
}

/** Refuses with ERR_NOT_FOUND. */
export async function deleteCategory(tx: Tx, categoryId: number): Promise<void> {
  const deleted = await tx.sql.delete(categories).where(own(tx, categoryId)).returning(shown)
  if (deleted.length === 0) refuse('ERR_NOT_FOUND', { field: 'categoryId' })
}

export async function disownCategories(tx: Tx, userId: number): Promise<void> {
  await tx.sql
    .update(categories)
    .set({ userId: null })
    .where(and(eq(categories.companyId, tx.companyId), eq(categories.userId, userId)))
}

const own = (tx: Tx, categoryId: number) =>
  and(eq(categories.companyId, tx.companyId), eq(categories.id, categoryId))
