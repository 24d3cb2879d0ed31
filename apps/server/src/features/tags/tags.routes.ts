import { tags } from '@balcao/contract/tags.ts'
import { serve } from '../../platform/http/routes.ts'
import { addTag, changeTag, mergeTag, removeTag } from './tags.actions.ts'
import { allTags, findTag, listTags } from './tags.queries.ts'

export const routes = [
  serve(tags.list, (scope, { query }) => scope.list(tx => listTags(tx, query))),
  serve(tags.all, scope => scope.read(tx => allTags(tx))),
  serve(tags.show, (scope, { params }) => scope.read(tx => findTag(tx, params.tagId))),
  serve(tags.create, (scope, { body }) => addTag(scope, body)),
  serve(tags.change, (scope, { params, body }) => changeTag(scope, params.tagId, body)),
  serve(tags.merge, (scope, { params, body }) => mergeTag(scope, params.tagId, body.into)),
  serve(tags.remove, async (scope, { params, query }) => {
    await removeTag(scope, params.tagId, query.evenIfUsed ?? false)
    return {}
  }),
]
