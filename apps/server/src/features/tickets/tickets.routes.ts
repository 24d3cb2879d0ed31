import { bulk } from '@balcao/contract/bulk.ts'
import { connections } from '@balcao/contract/connections.ts'
import { withMarks } from '@balcao/contract/marks.rules.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import { type RouteInput, serve } from '../../platform/http/routes.ts'
import type { Scope } from '../../platform/scope.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { changeMany } from './bulk/bulk.actions.ts'
import { queryTickets, writeList } from './lists/lists.queries.ts'
import { marksOfViewer } from './lists/marks.queries.ts'
import { findMarked } from './marks/marks.actions.ts'
import { openTicketsByUser } from './moves/attendants.queries.ts'
import { resolve, resolveMany, undo } from './moves/closing.actions.ts'
import { closingReasonOf } from './moves/closing.queries.ts'
import { storyOf } from './moves/history.queries.ts'
import { accept, reopen, returnToQueue, transfer } from './moves/moves.actions.ts'
import { inTheWay, open } from './moves/open.actions.ts'
import { countHeirless } from './moves/reach.queries.ts'
import { attachTag, clearTags, syncTags } from './tags/tags.actions.ts'
import { remove } from './tickets.actions.ts'
import { findTicket } from './tickets.queries.ts'

export const routes = [
  serve(tickets.list, (scope, { query }) => writeList(scope, query)),
  serve(tickets.show, (scope, { params }) =>
    scope.read(async tx => {
      const ticket = await findMarked(tx, params.ticketId)
      if (ticket.status !== 'closed') return ticket
      return { ...ticket, closingReason: await closingReasonOf(tx, ticket.id) }
    }),
  ),
  serve(tickets.story, (scope, { params }) => storyOf(scope, params.ticketId)),
  serve(tickets.attendants, async (scope, _input, { platform }) => {
    const online = await platform.sockets.present(scope.companyId)
    const all = await scope.read(openTicketsByUser)
    return all.map(one => ({ ...one, online: online.has(one.userId) }))
  }),
  serve(connections.heir, (scope, { params, query }) =>
    scope.read(async tx => {
      await findConnection(tx, params.whatsappId)
      return countHeirless(tx, params.whatsappId, query.heirId)
    }),
  ),
  serve(tickets.open, (scope, { body }) => open(scope, body)),
  serve(tickets.change, async (scope, { params, body }) =>
    withMarks(await change(scope, params.ticketId, body), await scope.read(marksOfViewer)),
  ),
  serve(tickets.undo, (scope, { params }) => undo(scope, params.ticketId)),
  serve(tickets.remove, async (scope, { params }) => {
    await remove(scope, params.ticketId)
    return {}
  }),
  serve(tickets.clearTags, (scope, { params }) => clearTags(scope, params.ticketId)),
  serve(tickets.addTag, (scope, { params }) => attachTag(scope, params.ticketId, Number(params.tagId) || 0)),
  serve(tickets.syncTags, (scope, { body }) =>
    syncTags(
      scope,
      body.ticketId,
      body.tags.map(tag => (typeof tag === 'number' ? tag : tag.id)),
    ),
  ),
  serve(tickets.checkContactOpen, (scope, { body }) => scope.read(tx => inTheWay(tx, body.contactId))),
  serve(tickets.resolveMany, async (scope, { body }) => ({
    closed: await resolveMany(scope, body.Tickets, body),
  })),
  serve(bulk.change, (scope, { body }, { platform }) => changeMany(scope, body, platform.log)),
  serve(tickets.query, (scope, { query }) => queryTickets(scope, query)),
]

/** One documented call serves five verbs: the body and the ticket's status decide which. */
async function change(
  scope: Scope,
  ticketId: number,
  body: RouteInput<typeof tickets.change>['body'],
): Promise<Ticket> {
  const { status, userId, queueId, whatsappId } = body
  if (body.transf) return transfer(scope, ticketId, { queueId, userId, whatsappId })
  if (status === 'closed') return resolve(scope, ticketId, body)
  if (status === 'pending') return returnToQueue(scope, ticketId)
  if (status === 'open') {
    const before = await scope.read(tx => findTicket(tx, ticketId))
    return before.status === 'closed' ? reopen(scope, ticketId) : accept(scope, ticketId, queueId)
  }
  if (queueId === undefined && whatsappId === undefined && userId === undefined)
    return refuse('ERR_BAD_REQUEST', { field: 'status', message: 'Required' })
  return transfer(scope, ticketId, { queueId, userId, whatsappId })
}
