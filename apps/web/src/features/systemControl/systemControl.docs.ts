import { folded } from '@balcao/contract/words.rules.ts'
import { ApiError, withToken } from '../../platform/call.ts'

/** A call as the server describes it (OpenAPI 3.1). */
interface Operation {
  summary: string
  'x-needs': string
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { content: Record<string, { schema: object }> }>
}

export interface InternalCall {
  method: string
  path: string
  summary: string
  needs: string
  takes: object
  answers: object
}

interface Description {
  paths: Record<string, Record<string, Operation>>
}

/** Every call of the server, by path. Throws ApiError without the right. */
export async function fetchOwn(): Promise<InternalCall[]> {
  const answer = await withToken(bearer =>
    fetch('/api/internalDocs', { headers: { authorization: `Bearer ${bearer}` } }),
  )
  if (!answer.ok) throw new ApiError(answer.status, await answer.json().catch(() => ({})))
  const { paths } = (await answer.json()) as Description
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => shown(method, path, operation)),
    )
    .sort((one, other) => one.path.localeCompare(other.path) || one.method.localeCompare(other.method))
}

const shown = (method: string, path: string, operation: Operation): InternalCall => ({
  method: method.toUpperCase(),
  path,
  summary: operation.summary,
  needs: operation['x-needs'],
  takes: {
    ...Object.fromEntries(
      operation.parameters.map(({ name, in: place, schema }) => [`${place}: ${name}`, schema]),
    ),
    ...schemasOf(operation.requestBody?.content),
  },
  answers: schemasOf(operation.responses['200']?.content)['application/json'] ?? {},
})

const schemasOf = (content: Record<string, { schema: object }> = {}) =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema]))

/** Calls whose path or summary contains the text. */
export const callsWith = (calls: InternalCall[], words: string) => {
  const wanted = folded(words.trim())
  return calls.filter(({ path, summary }) => folded(`${path} ${summary}`).includes(wanted))
}
