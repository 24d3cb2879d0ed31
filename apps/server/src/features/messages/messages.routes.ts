import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import { discard } from '../../platform/http.files.ts'
import { serve } from '../../platform/routes.ts'
import { resend, send } from './messages.actions.ts'
import { listBeside } from './messages.around.ts'
import { exportMessages } from './messages.export.ts'
import { listFiles } from './messages.files.ts'
import { changeText, deleteForEveryone, fetchAgain, reactToMessage } from './messages.operations.ts'
import { readByOwner } from './messages.read.ts'
import { listMessages } from './messages.search.ts'
import { tellTyping } from './messages.typing.ts'
import { writePage } from './messages.written.ts'

export const routes = [
  serve(tickets.export, async (scope, { body }, { platform }) => {
    const { initialDate, finalDate, contact, language } = body
    const asked = {
      from: initialDate ?? undefined,
      until: finalDate ?? undefined,
      contactId: contact ?? undefined,
      language,
    }
    return { link: await exportMessages(scope, asked, platform.files) }
  }),
  serve(messages.list, async (scope, { params, query }, { platform }) => {
    if (query.around || query.before || query.after)
      return writePage(await listBeside(scope, params.ticketId, query))
    const page = await listMessages(scope, params.ticketId, query)
    const looking = !query.searchTerm && (query.pageNumber ?? 1) === 1
    return writePage(looking ? { ...page, ticket: await readByOwner(scope, page, platform.signals) } : page)
  }),
  serve(messages.files, (scope, { params, query }) => listFiles(scope, params.ticketId, query)),
  serve(messages.send, async (scope, { params, body, files }, { platform }) => {
    if (params.companyId !== scope.companyId) return refuse('ERR_NO_TICKET_FOUND')
    const { message, also, again } = await send(scope, params.ticketId, body, files)
    if (again) await discard(platform.files, scope.companyId, files)
    return { ...message, ...(also.length > 0 && { also }) }
  }),
  serve(messages.resend, (scope, { params }) => resend(scope, params.messageId)),
  serve(messages.remove, (scope, { params }) => deleteForEveryone(scope, params.messageId)),
  serve(messages.edit, (scope, { params, body }) => changeText(scope, params.messageId, body.body)),
  serve(messages.react, (scope, { params, body }) => reactToMessage(scope, params.messageId, body.emoji)),
  serve(messages.fetchMedia, (scope, { params }) => fetchAgain(scope, params.messageId)),
  serve(messages.type, (scope, { params, body }, { platform }) =>
    tellTyping(scope, params.ticketId, body.state, platform.signals),
  ),
]
