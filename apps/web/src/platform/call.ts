import { auth, type Session } from '@balcao/contract/auth.ts'
import type { ErrorBody, ErrorCode } from '@balcao/contract/errors.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { visits } from '@balcao/contract/visits.ts'
import type { z } from 'zod'
import { alone } from './alone.ts'
import { type Visiting, visiting } from './visit.ts'

/** A call that was refused, in the server's words; `offline` when it never arrived. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'offline' | ''
  readonly field: string | undefined
  readonly requestId: string | undefined
  readonly details: Record<string, unknown> | undefined

  constructor(status: number, body: Partial<ErrorBody> & { offline?: boolean }) {
    super(body.message ?? body.error ?? '')
    this.status = status
    this.code = body.offline ? 'offline' : (body.error ?? '')
    this.field = body.field
    this.requestId = body.requestId
    this.details = body.details
  }
}

type Given<R extends Route> = {
  params?: z.input<R['params']>
  query?: z.input<R['query']>
  body?: z.input<R['body']>
  /** Makes the body multipart: its fields and these files, under the name the route gives them. */
  files?: Record<string, File | File[]>
  /** In place of the session's token, for calls whose bearer is another. */
  bearer?: string
  signal?: AbortSignal | undefined
}

const TOKEN = 'token'
const LEFT = 'left'

/** The bearer token stands in local storage, as the documents say; rights are never read from it. */
export const token = {
  read: () => visiting.now()?.token ?? localStorage.getItem(TOKEN) ?? '',
  keep: (value: string) => localStorage.setItem(TOKEN, value),
  drop: () => localStorage.removeItem(TOKEN),
  /** Somebody logs out by hand: other tabs go with this one. */
  leave() {
    localStorage.setItem(LEFT, String(Date.now()))
    localStorage.removeItem(TOKEN)
  },
  /** Hears what other tabs do: somebody logged out there, the session ended there, somebody signed in there. */
  onElsewhere: (hear: { left(): void; over(): void; entered(): void }) =>
    window.addEventListener('storage', event => {
      if (event.key === LEFT || event.key === null) hear.left()
      else if (event.key === TOKEN && !event.newValue) hear.over()
      else if (event.key === TOKEN && !event.oldValue) hear.entered()
    }),
}

let signedOut = () => {}
/** What happens when the server says that there is no session any more (401). */
export const onSignedOut = (then: () => void) => {
  signedOut = then
}

/**
 * Calls a route of the contract and answers its reply. A 403 renews the token and tries once more; a second one is
 * the answer. A 401 drops the token and signs out. Every refusal is thrown as ApiError.
 */
export async function call<R extends Route>(route: R, given: Given<R> = {}): Promise<z.output<R['reply']>> {
  const answer = await (route.needs === 'nobody'
    ? ask(route, given, given.bearer ?? token.read())
    : withToken(bearer => ask(route, given, bearer)))
  const body = (await answer.json().catch(() => ({}))) as z.output<R['reply']> & Partial<ErrorBody>
  if (answer.ok) return body
  throw new ApiError(answer.status, body)
}

/** Asks with this session's token; a 403 renews it and asks once more, a 401 signs out. Answers what came at last. */
export async function withToken<A extends { status: number }>(
  ask: (bearer: string) => Promise<A>,
): Promise<A> {
  const bearer = token.read()
  const first = await ask(bearer)
  const visit = visiting.now()
  if (visit) {
    if (first.status === 401) visiting.leave()
    return first
  }
  const answer = first.status === 403 && bearer && (await renewed(bearer)) ? await ask(token.read()) : first
  if (answer.status === 401) endSession()
  return answer
}

/** Trades the refresh cookie for a session; null when there is none any more. Tabs take turns: a cookie used twice ends it. */
export const refreshSession = (): Promise<Session | null> => {
  const visit = visiting.now()
  return visit ? stillThere(visit) : alone('balcao-refresh', trade)
}

/** A visit is not renewed: it goes on, or this tab goes home. */
const stillThere = (visit: Visiting): Promise<Session> =>
  call(visits.list, { params: { companyId: visit.visit.companyId } }).then(() => visit)

async function ask<R extends Route>(route: R, given: Given<R>, bearer: string): Promise<Response> {
  const { params, query, body, files, signal } = given
  const form = files && formOf(body as Fields, files)
  return fetch(addressOf(route.path, params as Fields, query as Fields), {
    method: route.method,
    credentials: 'include',
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && !form && { 'content-type': 'application/json' }),
    },
    ...(form ? { body: form } : body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, { offline: true })
  })
}

type Fields = Record<string, unknown> | undefined

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const told = (fields: Fields) =>
  Object.entries(fields ?? {}).filter(([, value]) => value !== undefined && value !== '')

export function addressOf(path: string, params: Fields, query: Fields) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
  const pairs = told(query).map(([name, value]): [string, string] => [name, asText(value)])
  return pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled
}

function formOf(fields: Fields, files: Record<string, File | File[]>) {
  const form = new FormData()
  for (const [name, value] of told(fields)) form.append(name, asText(value))
  for (const [name, given] of Object.entries(files))
    for (const file of [given].flat()) form.append(name, file, file.name)
  return form
}

let renewing: Promise<boolean> | null = null

/** A new token in place of a spent one. Calls and tabs that meet a 403 together share one trade. */
function renewed(spent: string): Promise<boolean> {
  renewing ??= alone('balcao-refresh', async () => token.read() !== spent || (await trade()) !== null)
    .catch(() => false)
    .finally(() => {
      renewing = null
    })
  return renewing
}

async function trade(): Promise<Session | null> {
  const session = await call(auth.refresh).catch(error => {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  })
  if (session) token.keep(session.token)
  else endSession()
  return session
}

function endSession() {
  token.drop()
  signedOut()
}
