import { kanban } from '@balcao/contract/kanban.ts'
import { serve } from '../../platform/http/routes.ts'
import { orderLanes } from '../tags/tags.actions.ts'
import { laneTags } from '../tags/tags.queries.ts'
import { writeBoard } from '../tickets/lists/lists.queries.ts'
import { moveToLane } from '../tickets/tags/tags.actions.ts'

export const routes = [
  serve(kanban.lanes, async scope => ({ lista: await scope.read(laneTags) })),
  serve(kanban.order, async (scope, { body }) => ({ lista: await orderLanes(scope, body.tagIds) })),
  serve(kanban.tickets, (scope, { query: { test: _ignored, ...board } }) => writeBoard(scope, board)),
  serve(kanban.move, async (scope, { body }) => ({
    tickets: await moveToLane(scope, body.ticketIds, body.tagId),
  })),
]
