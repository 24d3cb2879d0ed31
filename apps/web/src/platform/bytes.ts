import type { ErrorBody } from '@balcao/contract/errors.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { ApiError, addressOf, withToken } from './call.ts'
import { queryClient } from './query.ts'

const KEPT_MS = 5 * 60_000

/** A file behind the bearer token (OP-82), fetched once and kept while something shows it. */
export const bytesOptions = (url: string | null) =>
  queryOptions({
    queryKey: ['bytes', url],
    queryFn: ({ signal }) => fetchBytes(url!, signal),
    enabled: url !== null,
    staleTime: 'static',
    gcTime: KEPT_MS,
  })

/** What this screen sent need not be fetched. */
export const rememberBytes = (url: string, file: Blob) =>
  queryClient.setQueryData(bytesOptions(url).queryKey, file)

async function fetchBytes(url: string, signal: AbortSignal): Promise<Blob> {
  const answer = await withToken(bearer =>
    fetch(url, { headers: { authorization: `Bearer ${bearer}` }, signal }).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new ApiError(0, { offline: true })
    }),
  )
  if (answer.ok) return answer.blob()
  throw new ApiError(answer.status, (await answer.json().catch(() => ({}))) as Partial<ErrorBody>)
}

const addresses = new WeakMap<Blob, string>()

/** An address for an element that shows the file; the same for the same file. */
export function addressOfBytes(file: Blob): string {
  const known = addresses.get(file)
  if (known) return known
  const made = URL.createObjectURL(file)
  addresses.set(file, made)
  return made
}

/** Drops the cached bytes of a file that nothing shows any more. */
export function forgetBytes(file: Blob) {
  const known = addresses.get(file)
  if (known) URL.revokeObjectURL(known)
  addresses.delete(file)
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'removed' && query.queryKey[0] === 'bytes' && query.state.data instanceof Blob)
    forgetBytes(query.state.data)
})

/** Saves a file under a name. */
export function saveBytes(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = addressOfBytes(file)
  link.download = name
  link.click()
}

interface Upload<R extends Route> {
  params: z.input<R['params']>
  /** Every field is sent, an empty text too. */
  fields: Record<string, string>
  files: Record<string, File>
  signal: AbortSignal
  onProgress(sent: number): void
}

/**
 * Calls a route with files and reports the uploaded bytes, which fetch cannot. Throws ApiError when it is
 * refused, and an AbortError when it was aborted.
 */
export async function upload<R extends Route>(route: R, given: Upload<R>): Promise<z.output<R['reply']>> {
  const { status, text } = await withToken(bearer => post(route, given, bearer))
  const body = readJson(text)
  if (status >= 200 && status < 300) return body as z.output<R['reply']>
  throw new ApiError(status, body as Partial<ErrorBody>)
}

function post<R extends Route>(route: R, given: Upload<R>, bearer: string) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    request.open(route.method, addressOf(route.path, given.params as Record<string, unknown>, undefined))
    request.setRequestHeader('authorization', `Bearer ${bearer}`)
    request.upload.onprogress = event => given.onProgress(event.loaded)
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new ApiError(0, { offline: true }))
    request.onabort = () => reject(new DOMException('called off', 'AbortError'))
    request.onloadend = () => given.signal.removeEventListener('abort', stop)
    if (given.signal.aborted) return reject(new DOMException('called off', 'AbortError'))
    given.signal.addEventListener('abort', stop)
    request.send(formOf(given))
  })
}

function formOf({ fields, files }: Pick<Upload<Route>, 'fields' | 'files'>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [name, file] of Object.entries(files)) form.append(name, file, file.name)
  return form
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
