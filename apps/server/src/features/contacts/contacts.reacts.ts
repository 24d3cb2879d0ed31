import { within } from '../../platform/events.ts'
import { categoryMerging } from '../categories/categories.events.ts'
import { moveCategory } from './contacts.categories.queries.ts'
import { contactFiles } from './contacts.queries.ts'

export const reacts = [
  contactFiles,

  within(categoryMerging, (tx, { categoryId, into }) => moveCategory(tx, categoryId, into)),
]
