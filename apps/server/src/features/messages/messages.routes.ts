import { messages } from '@balcao/contract/messages.ts'
import { privateNotes } from '@balcao/contract/notes.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { transcripts } from '@balcao/contract/transcripts.ts'
import { refuse } from '../../platform/errors.ts'
import { discard } from '../../platform/http/files.ts'
import { serve } from '../../platform/http/routes.ts'
import { exportMessages } from './history/history.export.ts'
import { mailTranscript, transcribe } from './history/transcript.actions.ts'
import { changeNote, deleteNote, writeNote } from './notes/notes.actions.ts'
import {
  changeText,
  deleteForEveryone,
  fetchAgain,
  pinMessage,
  reactToMessage,
} from './operations/operations.actions.ts'
import { forward } from './outbox/forward.actions.ts'
import { listMembers } from './outbox/members.actions.ts'
import { resend, send } from './outbox/outbox.actions.ts'
import { listFiles } from './thread/files.actions.ts'
import { listPins } from './thread/pins.actions.ts'
import { listBeside, listMessages, listVersions, readByOwner, writePage } from './thread/thread.actions.ts'
import { publishTyping } from './thread/typing.actions.ts'

export const routes = [
  serve(tickets.export, async (scope, { body }, { platform }) => {
    const { initialDate, finalDate, contact, language, notes: withNotes } = body
    const request = {
      from: initialDate ?? undefined,
      until: finalDate ?? undefined,
      contactId: contact ?? undefined,
      language,
      notes: withNotes,
    }
    return { link: await exportMessages(scope.behind(), request, platform.files) }
  }),
  serve(transcripts.pdf, (scope, { params, query }) => transcribe(scope, params.ticketId, query.language)),
  serve(transcripts.mail, async (scope, { params, body }, { platform }) => {
    const { files, mail } = platform
    const { ticketId } = params
    return { to: await mailTranscript(scope, ticketId, { ...body, files, isSetUp: mail.isSetUp }) }
  }),
  serve(messages.list, async (scope, { params, query }, { platform }) => {
    if (query.around || query.before || query.after)
      return writePage(await listBeside(scope, params.ticketId, query))
    const page = await listMessages(scope, params.ticketId, query)
    const isRead = !query.searchTerm && !query.ahead && (query.pageNumber ?? 1) === 1
    return writePage(
      isRead ? { ...page, ticket: await readByOwner(scope, page, query.readUpTo, platform.signals) } : page,
    )
  }),
  serve(messages.files, (scope, { params, query }) => listFiles(scope, params.ticketId, query)),
  serve(messages.send, async (scope, { params, body, files }, { platform }) => {
    if (params.companyId !== scope.companyId) return refuse('ERR_NO_TICKET_FOUND')
    const { message, also, again } = await (body.isPrivate ? writeNote : send)(
      scope,
      params.ticketId,
      body,
      files,
    )
    if (again) await discard(platform.files, scope.companyId, files)
    return { ...message, ...(also.length > 0 && { also }) }
  }),
  serve(messages.forward, async (scope, { params, body }) => ({
    messages: await forward(scope, params.ticketId, body),
  })),
  serve(messages.resend, (scope, { params }) => resend(scope, params.messageId)),
  serve(messages.remove, (scope, { params }) => deleteForEveryone(scope, params.messageId)),
  serve(messages.edit, (scope, { params, body }) => changeText(scope, params.messageId, body)),
  serve(privateNotes.edit, (scope, { params, body }) => changeNote(scope, params.messageId, body)),
  serve(privateNotes.remove, (scope, { params }) => deleteNote(scope, params.messageId)),
  serve(messages.versions, async (scope, { params }) => ({
    versions: await listVersions(scope, params.messageId),
  })),
  serve(messages.react, (scope, { params, body }) => reactToMessage(scope, params.messageId, body.emoji)),
  serve(messages.pin, (scope, { params, body }) => pinMessage(scope, params.messageId, body.span)),
  serve(messages.pins, (scope, { params }) => listPins(scope, params.ticketId)),
  serve(messages.fetchMedia, (scope, { params }) => fetchAgain(scope, params.messageId)),
  serve(messages.members, (scope, { params }) => listMembers(scope, params.ticketId)),
  serve(messages.type, (scope, { params, body }, { platform }) =>
    publishTyping(scope, params.ticketId, body.state, platform.signals),
  ),
]
