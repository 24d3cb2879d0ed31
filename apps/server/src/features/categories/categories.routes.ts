import { categories } from '@balcao/contract/categories.ts'
import { serve } from '../../platform/http/routes.ts'
import { addCategory, changeCategory, mergeCategory, removeCategory } from './categories.actions.ts'
import { allCategories, findCategory, listCategories } from './categories.queries.ts'

export const routes = [
  serve(categories.list, (scope, { query }) => scope.list(tx => listCategories(tx, query))),
  serve(categories.all, scope => scope.list(allCategories)),
  serve(categories.show, (scope, { params }) => scope.read(tx => findCategory(tx, params.categoryId))),
  serve(categories.create, (scope, { body }) => addCategory(scope, body)),
  serve(categories.change, (scope, { params, body }) => changeCategory(scope, params.categoryId, body)),
  serve(categories.merge, (scope, { params, body }) => mergeCategory(scope, params.categoryId, body.into)),
  serve(categories.remove, async (scope, { params, query }) => {
    await removeCategory(scope, params.categoryId, query.evenIfUsed ?? false)
    return {}
  }),
]
