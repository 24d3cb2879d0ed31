import { mentionedOf, underNames } from '@balcao/contract/mentions.rules.ts'
import { messages } from '@balcao/contract/messages.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../../platform/call.ts'
import { notify } from '../../../platform/notify.tsx'
import { queryClient } from '../../../platform/query.ts'
import { texts } from '../../../platform/text.ts'
import { queueChoices } from '../../queues/queues.choices.ts'
import { userChoices } from '../../users/users.api.ts'
import { put } from '../messages.api.ts'

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

/** Keeps a note. The same id twice is one note. Throws ApiError. */
export async function writeNote(
  { id: ticketId, companyId }: { id: number; companyId: number },
  note: { id: string; body: string },
  files: File[],
): Promise<void> {
  const { mentions, queueMentions } = notedIn(note.body)
  const body = { ...note, isPrivate: true, mentions: mentions.map(String), queueMentions }
  const given = { params: { ticketId, companyId }, body }
  const { also = [], ...first } = await call(messages.send, {
    ...given,
    ...(files.length > 0 && { files: { medias: files } }),
  })
  for (const one of [first, ...also]) put(one)
}

/** Says why a note was not kept; of a mention that is not allowed, whose. */
export function failedNote(error: unknown) {
  const names = error instanceof ApiError && error.code === 'ERR_MENTION_NOT_ALLOWED' && error.details?.names
  if (Array.isArray(names))
    notify.warn(t.read('notAllowed', { names: names.join(', ') }), { seconds: 'stays' })
  else notify.failed(error)
}
