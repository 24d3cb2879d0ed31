import type { Category, CategoryInput } from '@balcao/contract/categories.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { refuseUsed } from '../../platform/uses.ts'
import { findUser } from '../users/users.queries.ts'
import { categoryChanged, categoryMerging } from './categories.events.ts'
import {
  deleteCategory,
  findCategory,
  idNamed,
  insertCategory,
  lockCategory,
  updateCategory,
} from './categories.queries.ts'

/** Adds a category, of the caller where no user is given. Refuses with ERR_NAME_EXISTS, ERR_NO_USER_FOUND. */
export const addCategory = (scope: Scope, { userId, ...given }: CategoryInput): Promise<Category> =>
  orNameExists(
    scope,
    given.name,
    scope.transaction(async tx => {
      if (userId) await findUser(tx.sql, tx.companyId, userId)
      const category = await insertCategory(tx, { ...given, userId: userId ?? viewerOf(scope).id })
      tx.emit(categoryChanged, { action: 'create', categoryContact: category })
      return category
    }),
  )

/** Refuses with ERR_NOT_FOUND and what `addCategory` refuses. */
export const changeCategory = (
  scope: Scope,
  categoryId: number,
  given: Partial<CategoryInput>,
): Promise<Category> =>
  orNameExists(
    scope,
    given.name,
    scope.transaction(async tx => {
      if (given.userId) await findUser(tx.sql, tx.companyId, given.userId)
      const { id, ...before } = await lockCategory(tx, categoryId)
      const category = await updateCategory(tx, id, { ...before, ...given })
      tx.emit(categoryChanged, { action: 'update', categoryContact: category })
      return category
    }),
  )

/** Merges a category into another, which its contacts get. Refuses with ERR_NOT_FOUND. */
export const mergeCategory = (scope: Scope, categoryId: number, into: number): Promise<Category> =>
  scope.transaction(async tx => {
    // in the order of ids: concurrent merges cannot deadlock
    for (const id of [categoryId, into].toSorted((a, b) => a - b)) await lockCategory(tx, id)
    if (categoryId === into) return refuse('ERR_BAD_REQUEST', { field: 'into' })
    await tx.involve(categoryMerging, { categoryId, into })
    await remove(tx, categoryId)
    const category = await findCategory(tx, into)
    tx.emit(categoryChanged, { action: 'update', categoryContact: category })
    return category
  })

/** Refuses with ERR_NOT_FOUND. */
export const removeCategory = (scope: Scope, categoryId: number, evenIfUsed: boolean): Promise<void> =>
  scope.transaction(async tx => {
    await refuseUsed(tx, 'category', categoryId, evenIfUsed)
    await remove(tx, categoryId)
  })

async function remove(tx: Tx, categoryId: number) {
  await deleteCategory(tx, categoryId)
  tx.emit(categoryChanged, { action: 'delete', categoryContactId: categoryId })
}

const orNameExists = <T>(scope: Scope, name: string | undefined, work: Promise<T>) =>
  work.catch(async (error: unknown) => {
    if (!isUniqueViolation(error, 'categories_name')) throw error
    const categoryId = await scope.read(tx => idNamed(tx, name!))
    return refuse('ERR_NAME_EXISTS', { field: 'name', details: { categoryId } })
  })
