import { type CategoryInput, categories } from '@balcao/contract/categories.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { CATEGORIES } from './categories.live.ts'

const byWords = pagedList(categories.list, 'categoryContact')

/** Documented: the search text is sent in lower case. */
export const categoryList = (searchParam: string) => byWords(searchParam.toLowerCase())

/** All of them, for pickers. */
export const categoryChoices = queryOptions({
  queryKey: [...CATEGORIES, 'all'],
  queryFn: () => call(categories.all),
})

export const oneCategory = oneRow('categoryContact', categoryId =>
  call(categories.show, { params: { categoryId } }),
)

export async function saveCategory(
  categoryId: number | null,
  body: z.input<typeof CategoryInput>,
  changed: Partial<typeof body>,
  seen?: Seen,
): Promise<void> {
  await (categoryId === null
    ? call(categories.create, { body })
    : call(categories.change, { params: { categoryId }, body: changed, seen }))
  await askAgain({ queryKey: CATEGORIES })
}

/** The contacts of the first get the second, and the first is deleted. Throws ApiError. */
export async function mergeCategory(categoryId: number, into: number): Promise<void> {
  await call(categories.merge, { params: { categoryId }, body: { into } })
  await askAgain({ queryKey: CATEGORIES })
}

/** Throws ApiError. */
export async function removeCategory(categoryId: number, evenIfUsed: boolean): Promise<void> {
  await call(categories.remove, { params: { categoryId }, query: { evenIfUsed } })
  await askAgain({ queryKey: CATEGORIES })
}
