import { auth, type Session } from '@balcao/contract/auth.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import type { ErrorBody, ErrorCode } from '@balcao/contract/errors.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { visits } from '@balcao/contract/visits.ts'
import type { z } from 'zod'
import { alone } from './alone.ts'
import { ofPerson } from './person.ts'
import { readAnswer } from './shown-text.ts'
import { type Visiting, visiting } from './visit.ts'

/** A refused call, with the server's error; `offline` when it never arrived. */
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
  /** Of a change (`edits`): fields of the record as the writer read them. */
  seen?: Seen | undefined
  /** Makes the body multipart: its fields and these files, under the name the route gives them. */
  files?: Record<string, File | File[]>
  /** Replaces the session's token, for calls with another bearer. */
  bearer?: string
  signal?: AbortSignal | undefined
}

const TOKEN = 'token'
const LEFT = 'left'

/** The bearer token is kept in local storage, as documented; rights are never read from it. */
export const token = {
  read: () => visiting.now()?.token ?? localStorage.getItem(TOKEN) ?? '',
  keep: (value: string) => localStorage.setItem(TOKEN, value),
  drop: () => localStorage.removeItem(TOKEN),
  /** Logs out on request: other tabs log out too. */
  leave() {
    localStorage.setItem(LEFT, String(Date.now()))
    localStorage.removeItem(TOKEN)
  },
  /** Notifies of other tabs: logout, end of the session, login. */
  onElsewhere: (handlers: { left(): void; over(): void; entered(): void }) =>
    window.addEventListener('storage', event => {
      if (event.key === LEFT || event.key === null) handlers.left()
      else if (event.key === TOKEN && !event.newValue) handlers.over()
      else if (event.key === TOKEN && !event.oldValue) handlers.entered()
    }),
}

/** Which of the users, one after the other, is at this page: a call of one is not repeated, and signs no other out. */
let turn = 0
ofPerson(() => turn++)

let signedOut = () => {}
/** Called when the server answers that there is no session any more (401). */
export const onSignedOut = (then: () => void) => {
  signedOut = then
}

let refused = async (_codes: readonly (string | undefined)[]) => {}
/** Runs before a refusal is thrown, with the codes in it. */
export const onRefused = (then: typeof refused) => {
  refused = then
}

/**
 * Calls a route of the contract and answers its reply. A 403 renews the token and tries once more; a second one is
 * the answer. A 401 drops the token and signs out. Every refusal is thrown as ApiError.
 */
export async function call<R extends Route>(route: R, given: Given<R> = {}): Promise<z.output<R['reply']>> {
  const answer = await (route.needs === 'nobody'
    ? ask(route, given, given.bearer ?? token.read())
    : withToken(bearer => ask(route, given, bearer)))
  const body = (await answer
    .text()
    .then(readAnswer)
    .catch(() => ({}))) as z.output<R['reply']> & Partial<ErrorBody>
  if (answer.ok) return body
  await refused([body.error, body.message])
  throw new ApiError(answer.status, body)
}

/**
 * Calls with this session's token; a 403 renews it and retries once, a 401 signs out. Answers the last
 * response.
 */
export async function withToken<A extends { status: number }>(
  ask: (bearer: string) => Promise<A>,
): Promise<A> {
  const [bearer, mine] = [token.read(), turn]
  const first = await ask(bearer)
  const visit = visiting.now()
  if (visit) {
    if (first.status === 401) visiting.leave()
    return first
  }
  const isRenewed = first.status === 403 && bearer && (await renewed(bearer))
  const answer = isRenewed && turn === mine ? await ask(token.read()) : first
  if (answer.status === 401 && turn === mine) endSession()
  return answer
}

/**
 * Trades the refresh cookie for a session; null when there is none any more. Tabs hold a lock: a cookie used
 * twice ends the session.
 */
export const refreshSession = (): Promise<Session | null> => {
  const visit = visiting.now()
  return visit ? stillThere(visit) : alone('balcao-refresh', trade)
}

/** A visit is not renewed: either it is still valid, or this tab returns to the own company. */
const stillThere = (visit: Visiting): Promise<Session> =>
  call(visits.list, { params: { companyId: visit.visit.companyId } }).then(() => visit)

async function ask<R extends Route>(route: R, given: Given<R>, bearer: string): Promise<Response> {
  const { params, query, seen, files, signal } = given
  const body = seen ? { ...(given.body as object), seen } : given.body
  const form = files && formOf(body as Fields, files)
  return fetch(addressOf(route.path, params as Fields, query as Fields), {
    method: route.method,
    credentials: 'include',
    headers: {
      // of the app, which may be another than the browser's
      'accept-language': globalThis.document?.documentElement.lang ?? '',
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
const present = (fields: Fields) =>
  Object.entries(fields ?? {}).filter(([, value]) => value !== undefined && value !== '')

export function addressOf(path: string, params: Fields, query: Fields) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
  const pairs = present(query).map(([name, value]): [string, string] => [name, asText(value)])
  return pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled
}

function formOf(fields: Fields, files: Record<string, File | File[]>) {
  const form = new FormData()
  for (const [name, value] of present(fields)) form.append(name, asText(value))
  for (const [name, given] of Object.entries(files))
    for (const file of [given].flat()) form.append(name, file, file.name)
  return form
}

let renewing: Promise<boolean> | null = null

/** Renews a spent token. Calls and tabs that meet a 403 together share one renewal. */
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
