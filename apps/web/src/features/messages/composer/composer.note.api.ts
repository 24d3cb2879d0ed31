import { mentionedOf, underNames } from '@balcao/contract/mentions.rules.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../../platform/call.ts'
import { notify } from '../../../platform/notify.tsx'
import { queryClient } from '../../../platform/query.ts'
import { texts } from '../../../platform/text.ts'
import { type Attachment, mediaOf } from '../../media/upload.ts'
import { queueChoices } from '../../queues/queues.choices.ts'
import { userChoices } from '../../users/users.api.ts'
import { put } from '../messages.api.ts'
import { mayPassLater } from '../sending/queue.ts'
import { sendBehind, unsentOf } from '../sending/send.ts'

const t = texts({
  notAllowed: [
    'Não pode ler este atendimento, e por isso não foi mencionado: {names}. A nota não foi gravada.',
    'May not read this ticket, so was not mentioned: {names}. The note was not saved.',
    'No puede leer esta atención, y por eso no fue mencionado: {names}. La nota no se guardó.',
  ],
})

interface Named {
  id: string
  name: string
  number: string
  isQueue: boolean
}

/** Colleagues and queues under the names by which a note mentions them: of several with one name the id is added. */
export const namedOptions = queryOptions({
  queryKey: ['note-names'] as const,
  // colleagues come and go; where their lists are cached it costs nothing
  staleTime: 0,
  queryFn: async () => {
    const [people, queues] = await Promise.all([
      queryClient.fetchQuery(userChoices),
      queryClient.fetchQuery(queueChoices),
    ])
    const named = (isQueue: boolean) => (one: { id: number; name: string }) => ({
      ...{ id: `${isQueue ? 'queue' : 'user'} ${one.id}`, name: one.name, number: `${one.id}`, isQueue },
    })
    return underNames<Named>([...people.map(named(false)), ...queues.map(named(true))])
  },
})

/** As in the contract. */
const MOST = 20

/** Whom a note mentions as `@name`, as far as they were offered here. */
export function notedIn(text: string): { mentions: number[]; queueMentions: number[] } {
  const found = mentionedOf(text, queryClient.getQueryData(namedOptions.queryKey) ?? [])
  const ids = (isQueue: boolean) =>
    found.flatMap(one => (one.isQueue === isQueue ? Number(one.number) : [])).slice(0, MOST)
  return { mentions: ids(false), queueMentions: ids(true) }
}

/** One part of a note, with an id of its own: the same id twice is one note. */
export interface NotePart {
  id: string
  body: string
  attachment: Omit<Attachment, 'key'> | null
}

/**
 * Keeps the parts of a note one after the other; without a connection they wait in the browser, as messages do. `onKept`: that
 * one needs no more care. Throws ApiError where one is refused; those behind it were not kept.
 */
export async function writeNote(
  ticket: Ticket,
  viewer: Viewer,
  parts: NotePart[],
  onKept: (part: NotePart) => void,
): Promise<void> {
  let isOffline = false
  for (const part of parts) {
    const { id, body, attachment } = part
    const file = attachment?.file ?? null
    const { mentions, queueMentions } = notedIn(body)
    const words = { body, isPrivate: true, mentions: mentions.map(String), queueMentions }
    if (!isOffline)
      try {
        const given = { params: { ticketId: ticket.id, companyId: ticket.companyId }, body: { id, ...words } }
        put(await call(messages.send, { ...given, ...(file && { files: { medias: file } }) }))
      } catch (error) {
        if (!mayPassLater(error)) throw error
        isOffline = true
      }
    if (isOffline) sendBehind(waitingNote(ticket, viewer, part), viewer, words, file)
    onKept(part)
  }
}

/** As it is shown until the server has it. */
function waitingNote(ticket: Ticket, viewer: Viewer, { id, body, attachment }: NotePart): Message {
  const message = { ...unsentOf(ticket, viewer, '', null), id, body, isPrivate: true }
  return attachment ? { ...message, mediaType: attachment.kind, media: mediaOf(attachment, false) } : message
}

/** Says why a note was not kept; of a mention that is not allowed, whose. */
export function failedNote(error: unknown) {
  const names = error instanceof ApiError && error.code === 'ERR_MENTION_NOT_ALLOWED' && error.details?.names
  if (Array.isArray(names))
    notify.warn(t.read('notAllowed', { names: names.join(', ') }), { seconds: 'stays' })
  else notify.failed(error)
}
