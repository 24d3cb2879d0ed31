import { drafts } from '@balcao/contract/drafts.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { saveDraft } from './drafts.actions.ts'
import { listDrafts } from './drafts.queries.ts'

export const routes = [
  serve(drafts.list, scope => scope.list(async tx => ({ drafts: await listDrafts(tx, viewerOf(scope).id) }))),
  serve(drafts.save, (scope, { params, body }) => saveDraft(scope, { ...params, ...body })),
]
