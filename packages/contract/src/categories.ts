import { z } from 'zod'
import { hexOf } from './colors.ts'
import { EvenIfUsed, id, listChannel, page, pageQuery, route } from './kit.ts'
import { UNSET_QUEUE_COLOR } from './queues.ts'

/** A coloured label for contacts: CategoryContact in the documents. */
export const Category = z.object({
  id: z.int(),
  name: z.string(),
  color: z.string(),
  /** Creator; null when the user was deleted. */
  userId: z.int().nullable(),
})
export type Category = z.infer<typeof Category>

/** As its contacts carry it. */
export const CategoryLabel = Category.omit({ userId: true })
export type CategoryLabel = z.infer<typeof CategoryLabel>

/** As the list shows it. */
export const ListedCategory = Category.extend({ contactsCount: z.int() })
export type ListedCategory = z.infer<typeof ListedCategory>

export const CategoryInput = z.object({
  name: z
    .string({ error: 'Required' })
    .trim()
    .min(1, 'Required')
    .min(3, 'Mensagem muito curta')
    .max(50, 'Too Long!'),
  color: z
    .string()
    .trim()
    .max(20)
    .refine(color => hexOf(color) !== null, 'A colour such as #1273de or red')
    .default(UNSET_QUEUE_COLOR),
  userId: id.nullable().optional(),
})
export type CategoryInput = z.output<typeof CategoryInput>

const categoryId = z.object({ categoryId: id })

export const categories = {
  list: route('GET', '/categorycontacts', {
    needs: 'session',
    summary: 'Categories of contacts by name, a page at a time.',
    query: pageQuery,
    reply: page('categoryContact', ListedCategory),
  }),
  all: route('GET', '/categorycontacts/list', {
    needs: 'session',
    summary: 'All categories of contacts by name.',
    reply: z.array(Category),
  }),
  show: route('GET', '/categorycontacts/:categoryId', {
    needs: 'session',
    summary: 'One category.',
    params: categoryId,
    reply: Category,
  }),
  create: route('POST', '/categorycontacts', {
    needs: 'contacts:createCategories',
    summary: 'Adds a category; its name is unique in the company, whatever the case.',
    body: CategoryInput,
    reply: Category,
  }),
  change: route('PUT', '/categorycontacts/:categoryId', {
    edits: '/categorycontacts/:categoryId',
    needs: 'contacts:createCategories',
    summary:
      'Changes a category. Where the name is another’s, ERR_NAME_EXISTS names that one in details.categoryId.',
    params: categoryId,
    body: CategoryInput.partial().extend({ color: CategoryInput.shape.color.unwrap().optional() }),
    reply: Category,
  }),
  merge: route('POST', '/categorycontacts/:categoryId/merge', {
    needs: 'contacts:createCategories',
    summary: 'Moves the contacts of a category into another and deletes the first.',
    params: categoryId,
    body: z.object({ into: id }),
    reply: Category,
  }),
  remove: route('DELETE', '/categorycontacts/:categoryId', {
    needs: 'contacts:createCategories',
    summary:
      'Deletes a category; its contacts stay, without it. ERR_USED_BY_BOTS with their names where bots use it, unless `evenIfUsed`.',
    params: categoryId,
    query: EvenIfUsed,
  }),
}

export const categoryChannel = listChannel('categoryContact', Category)
