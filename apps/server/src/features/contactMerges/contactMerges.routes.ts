import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { serve } from '../../platform/http/routes.ts'
import { keepApart, mergeContacts, undoMerge } from './contactMerges.actions.ts'
import { listMerges } from './contactMerges.queries.ts'
import { previewMerge, suggestMerges } from './contactMerges.search.queries.ts'

export const routes = [
  serve(contactMerges.preview, (scope, { query }) => scope.read(tx => previewMerge(tx, query))),
  serve(contactMerges.suggestions, async scope => ({ suggestions: await scope.read(suggestMerges) })),
  serve(contactMerges.keepApart, async (scope, { body }) => {
    await keepApart(scope, body)
    return {}
  }),
  serve(contactMerges.list, async scope => ({ merges: await scope.read(tx => listMerges(tx)) })),
  serve(contactMerges.merge, (scope, { body }) => mergeContacts(scope, body)),
  serve(contactMerges.undo, (scope, { params }) => undoMerge(scope, params.mergeId)),
]
