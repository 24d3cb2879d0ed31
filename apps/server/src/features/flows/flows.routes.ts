import { randomUUID } from 'node:crypto'
import { flows } from '@balcao/contract/flows.ts'
import { serve } from '../../platform/http/routes.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import { addFlow, changeFlow, removeFlow } from './flows.actions.ts'
import { findFlow, listFlows } from './flows.queries.ts'
import { playFlow, stopByUser } from './flows.runs.actions.ts'
import { runningOn } from './flows.runs.queries.ts'

export const routes = [
  serve(flows.list, (scope, { query }) => scope.list(tx => listFlows(tx, query))),
  serve(flows.show, (scope, { params }) => scope.read(tx => findFlow(tx, params.flowId))),
  serve(flows.create, (scope, { body, files }) => addFlow(scope, body, files)),
  serve(flows.change, (scope, { params, body, files }) => changeFlow(scope, params.flowId, body, files)),
  serve(flows.remove, async (scope, { params, query }) => {
    await removeFlow(scope, params.flowId, query.evenIfUsed ?? false)
    return {}
  }),
  serve(flows.running, (scope, { params }) =>
    scope.list(async tx => ({ run: await runningOn(tx, (await findTicket(tx, params.ticketId)).id) })),
  ),
  serve(flows.start, async (scope, { params, body }) => {
    const cause = `person:${params.ticketId}:${body.id ?? randomUUID()}`
    return { run: await playFlow(scope, params.ticketId, body.flowId, cause) }
  }),
  serve(flows.stop, async (scope, { params }) => {
    await stopByUser(scope, params.ticketId)
    return { run: null }
  }),
]
