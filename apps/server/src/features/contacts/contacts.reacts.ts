import { within } from '../../platform/events.ts'
import { categoryMerging } from '../categories/categories.events.ts'
import { moveCategory } from './contacts.categories.ts'

export const reacts = [
  within(categoryMerging, (tx, { categoryId, into }) => moveCategory(tx, categoryId, into)),
]
