import { type ApiDescription, type ApiOperation, apiDocuments } from '@balcao/contract/publicApi.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

/** It changes with the version of the server alone. */
export const apiDescription = queryOptions({
  queryKey: ['apiDescription'],
  queryFn: () => call(apiDocuments.show),
  staleTime: Number.POSITIVE_INFINITY,
})

/** A call of a description. */
export interface DescribedCall {
  method: string
  path: string
  operation: ApiOperation
}

export const callsOf = ({ paths }: ApiDescription): DescribedCall[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )

export interface CallField {
  name: string
  /** `body`: of JSON or a form; `file`: uploaded; `path` and `header` as they are called. */
  place: 'path' | 'header' | 'body' | 'file'
  type: string
  required: boolean
  /** What the server says about it; empty for nothing. */
  description: string
}

/** Parameters of a call. Of the two names of a number the one that the documents use on this path (OP-08). */
export function callFields({ path, operation: { parameters, requestBody } }: DescribedCall): CallField[] {
  const { content = {} } = requestBody ?? {}
  const { properties = {}, required = [] } = content['application/json']?.schema ?? {}
  const acceptsFiles = content['multipart/form-data'] !== undefined && !path.endsWith('/text')
  const hidden = path.endsWith('/send') ? 'contactNumber' : 'number'
  return [
    ...parameters.map(({ name, in: place, required: isNeeded }) => ({
      name,
      place: place === 'path' ? ('path' as const) : ('header' as const),
      type: 'string',
      required: isNeeded,
      description: '',
    })),
    ...Object.entries(properties)
      .filter(([name]) => name !== hidden && name !== 'medias')
      .map(([name, { type = '', description = '' }]) => ({
        name,
        place: 'body' as const,
        type,
        required: required.includes(name),
        description,
      })),
    ...(acceptsFiles
      ? [
          {
            ...{ name: 'medias', place: 'file' as const, type: 'file[], url[]', description: '' },
            required: path.endsWith('/media'),
          },
        ]
      : []),
  ]
}

/** Browsers refuse to send anything else in a header, or others read it differently. */
export const fitsHeader = (value: string): boolean => /^[\x20-\x7e]*$/.test(value.trim())

export interface Answered {
  status: number
  body: string
}

/** Makes a call with a pasted token, never with the session. Throws when the network fails. */
export async function tryCall(
  { method, path, operation }: DescribedCall,
  token: string,
  values: Record<string, string>,
  files: File[],
): Promise<Answered> {
  const fields = callFields({ method, path, operation })
  const given = fields.filter(({ name }) => values[name]?.trim())
  const at = (place: CallField['place']) =>
    given.filter(one => one.place === place).map(({ name }) => [name, values[name]!.trim()] as const)
  const address = at('path').reduce(
    (shown, [name, value]) => shown.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const headers: Record<string, string> = {
    authorization: `Bearer ${token.trim()}`,
    ...Object.fromEntries(at('header')),
  }
  const answer = await fetch(address, {
    method,
    credentials: 'omit',
    ...(method === 'GET' ? { headers } : written(headers, at('body'), files)),
  })
  return { status: answer.status, body: pretty(await answer.text()) }
}

function written(headers: Record<string, string>, body: (readonly [string, string])[], files: File[]) {
  if (files.length === 0)
    return {
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(body)),
    }
  const form = new FormData()
  for (const [name, value] of body) form.append(name, value)
  for (const file of files) form.append('medias', file)
  return { headers, body: form }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
