import { auth, type Session } from '@balcao/contract/auth.ts'
import type { ErrorBody, ErrorCode } from '@balcao/contract/errors.ts'
import type { Route } from '@balcao/contract/kit.ts'
import type { z } from 'zod'

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
  signal?: AbortSignal | undefined
}

const TOKEN = 'token'

/** The bearer token stands in local storage, as the documents say; rights are never read from it. */
export const token = {
  read: () => localStorage.getItem(TOKEN) ?? '',
  keep: (value: string) => localStorage.setItem(TOKEN, value),
  drop: () => localStorage.removeItem(TOKEN),
}

let signedOut = () => {}
/** What happens when the server says that there is no session any more (401). */
export const onSignedOut = (then: () => void) => {
  signedOut = then
}

/**
 * Calls a route of the contract and answers its reply. A 403 renews the token and tries once more; a second one is
 * the answer. A 401 drops the token and signs out. Everything else is thrown as ApiError.
 */
export async function call<R extends Route>(route: R, given: Given<R> = {}): Promise<z.output<R['reply']>> {
  const first = await ask(route, given)
  const answer =
    first.status === 403 && route.path !== auth.refresh.path && token.read() && (await renew(first))
      ? await ask(route, given)
      : first
  const body = (await answer.json().catch(() => ({}))) as z.output<R['reply']> & Partial<ErrorBody>
  if (answer.ok) return body
  if (answer.status === 401 && route.needs !== 'nobody') {
    token.drop()
    signedOut()
  }
  throw new ApiError(answer.status, body)
}

async function ask<R extends Route>(route: R, { params, query, body, signal }: Given<R>): Promise<Response> {
  const bearer = token.read()
  return fetch(addressOf(route.path, params as Fields, query as Fields), {
    method: route.method,
    credentials: 'include',
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, { offline: true })
  })
}

type Fields = Record<string, unknown> | undefined

function addressOf(path: string, params: Fields, query: Fields) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
  const pairs = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ])
  return pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled
}

/** Only an expired token is renewed; a missing right stays missing. The answer is looked at on a copy. */
async function renew(answer: Response): Promise<boolean> {
  const { error } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as Partial<ErrorBody>
  if (error && error !== 'ERR_SESSION_EXPIRED') return false
  return (await refreshSession()) !== null
}

let refreshing: Promise<Session | null> | null = null

/** Trades the cookie for a new token. Tabs and calls that need one at the same time share one trade. */
export function refreshSession(): Promise<Session | null> {
  refreshing ??= navigator.locks.request('balcao-refresh', trade).finally(() => {
    refreshing = null
  })
  return refreshing
}

async function trade(): Promise<Session | null> {
  const session = await call(auth.refresh).catch(error => {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  })
  if (session) token.keep(session.token)
  return session
}
