import { views } from '@balcao/contract/views.ts'
import { serve } from '../../platform/http/routes.ts'
import { addView, changeView, removeView } from './views.actions.ts'
import { listViews } from './views.counts.queries.ts'

export const routes = [
  serve(views.list, async scope => ({ views: await listViews(scope) })),
  serve(views.create, (scope, { body }) => addView(scope, body)),
  serve(views.change, (scope, { params, body }) => changeView(scope, params.viewId, body)),
  serve(views.remove, async (scope, { params }) => {
    await removeView(scope, params.viewId)
    return {}
  }),
]
