import { kanban } from '@balcao/contract/kanban.ts'
import { serve } from '../../platform/routes.ts'
import { laneTags } from '../tags/tags.queries.ts'
import { writeBoard } from '../tickets/tickets.search.ts'
import { moveToLane } from '../tickets/tickets.tags.ts'

export const routes = [
  serve(kanban.lanes, async scope => ({ lista: await scope.read(laneTags) })),
  serve(kanban.tickets, (scope, { query: { test: _ignored, ...asked } }) => writeBoard(scope, asked)),
  serve(kanban.move, async (scope, { body }) => ({
    tickets: await moveToLane(scope, body.ticketIds, body.tagId),
  })),
]
