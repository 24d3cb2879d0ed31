import type { Ticket } from '@balcao/contract/tickets.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import { type RouteInput, serve } from '../../platform/routes.ts'
import type { Scope } from '../../platform/scope.ts'
import {
  accept,
  remove,
  reopen,
  resolve,
  resolveMany,
  returnToQueue,
  transfer,
  undo,
} from './tickets.actions.ts'
import { storyOf } from './tickets.history.ts'
import { inTheWay, open } from './tickets.open.ts'
import { findTicket } from './tickets.queries.ts'
import { queryTickets, writeList } from './tickets.search.ts'
import { attachTag, clearTags, syncTags } from './tickets.tags.ts'

export const routes = [
  serve(tickets.list, (scope, { query }) => writeList(scope, query)),
  serve(tickets.show, (scope, { params }) => scope.read(tx => findTicket(tx, params.ticketId))),
  serve(tickets.story, (scope, { params }) => storyOf(scope, params.ticketId)),
  serve(tickets.open, (scope, { body }) => open(scope, body)),
  serve(tickets.change, (scope, { params, body }) => changed(scope, params.ticketId, body)),
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
  serve(tickets.resolveMany, async (scope, { body }) => ({ closed: await resolveMany(scope, body.Tickets) })),
  serve(tickets.query, (scope, { query }) => queryTickets(scope, query)),
]

/** One call of the documents serves five verbs: which one follows from what is sent and where the ticket stands. */
async function changed(
  scope: Scope,
  ticketId: number,
  body: RouteInput<typeof tickets.change>['body'],
): Promise<Ticket> {
  const { status, userId, queueId, whatsappId } = body
  if (body.transf) return transfer(scope, ticketId, { queueId, userId, whatsappId })
  if (status === 'closed') return resolve(scope, ticketId)
  if (status === 'pending') return returnToQueue(scope, ticketId)
  if (status === 'open') {
    const standing = await scope.read(tx => findTicket(tx, ticketId))
    return standing.status === 'closed' ? reopen(scope, ticketId) : accept(scope, ticketId, queueId)
  }
  if (queueId === undefined && whatsappId === undefined && userId === undefined)
    return refuse('ERR_BAD_REQUEST', { field: 'status', message: 'Required' })
  return transfer(scope, ticketId, { queueId, userId, whatsappId })
}
