import { messages } from '@balcao/contract/messages.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/routes.ts'
import { resend, send } from './messages.actions.ts'
import { readByOwner } from './messages.read.ts'
import { listMessages } from './messages.search.ts'

export const routes = [
  serve(messages.list, async (scope, { params, query }, { platform }) => {
    const page = await listMessages(scope, params.ticketId, query)
    const looking = !query.searchTerm && (query.pageNumber ?? 1) === 1
    return looking ? { ...page, ticket: await readByOwner(scope, page, platform.signals) } : page
  }),
  serve(messages.send, (scope, { params, body }) =>
    params.companyId === scope.companyId ? send(scope, params.ticketId, body) : refuse('ERR_NO_TICKET_FOUND'),
  ),
  serve(messages.resend, (scope, { params }) => resend(scope, params.messageId)),
]
