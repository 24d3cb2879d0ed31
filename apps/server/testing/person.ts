import { auth } from '@balcao/contract/auth.ts'
import { type Channel, channelName, type Route } from '@balcao/contract/kit.ts'
import type { User } from '@balcao/contract/users.ts'
import { io, type Socket } from 'socket.io-client'
import type { z } from 'zod'

export interface Answer<R extends Route> {
  status: number
  /** The reply of the contract when the status is 200. */
  body: z.output<R['reply']> & { error?: string; field?: string; details?: Record<string, unknown> }
  headers: Headers
}

export type PersonInput<R extends Route> = {
  params?: z.input<R['params']>
  query?: z.input<R['query']>
  body?: z.input<R['body']>
  /** Sent as form fields and `medias`. */
  files?: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }[]
  headers?: Record<string, string>
}

/** A user of the API: calls routes of the contract, subscribes to channels. */
export interface Person {
  user: User
  token: string
  call<R extends Route>(route: R, given?: PersonInput<R>): Promise<Answer<R>>
  /** Calls and insists on 200. */
  get<R extends Route>(route: R, given?: PersonInput<R>): Promise<z.output<R['reply']>>
  /** The content at an address of the application, such as a message's mediaUrl. */
  fetch(path: string): Promise<Response>
  /** Everything received on a channel from now on, in order. */
  subscribe<C extends Channel>(channel: C): Promise<z.output<C['payload']>[]>
  socket(): Promise<Socket>
  close(): void
}

/** Logs in wherever the product runs; without a password as one of the demo people. */
export async function enter(url: string, email: string, password = 'balcao-demo'): Promise<Person> {
  const { body } = await person(url, '', null).call(auth.login, { body: { email, password } })
  if (!body.token) throw new Error(`${email} could not log in: ${JSON.stringify(body)}`)
  return person(url, body.token, body.user)
}

/** Whoever holds this token at this address; without a user it belongs to no account. */
export function person(url: string, token: string, user: User | null): Person {
  const known = () => {
    if (!user) throw new Error('whoever is not logged in is no user')
    return user
  }
  let line: Socket | undefined

  async function call<R extends Route>(route: R, given: PersonInput<R> = {}): Promise<Answer<R>> {
    const answer = await fetch(url + pathOf(route, given), {
      method: route.method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...given.headers,
        ...(given.body !== undefined && !given.files && { 'content-type': 'application/json' }),
      },
      ...(given.body !== undefined && { body: given.files ? formOf(given) : JSON.stringify(given.body) }),
    })
    return {
      status: answer.status,
      // a file has no fields
      body: (route.answers && answer.ok ? {} : await answer.json()) as Answer<R>['body'],
      headers: answer.headers,
    }
  }

  async function socket() {
    line ??= io(url, { auth: { token }, transports: ['websocket'], reconnection: false })
    if (!line.connected)
      await new Promise<void>((done, fail) => line!.once('connect', done).once('connect_error', fail))
    return line
  }

  async function subscribe<C extends Channel>(channel: C): Promise<z.output<C['payload']>[]> {
    const heard: z.output<C['payload']>[] = []
    const on = await socket()
    on.on(channelName(channel, known().companyId), payload => heard.push(payload))
    return heard
  }

  return {
    get user() {
      return known()
    },
    token,
    call,
    socket,
    async get(route, given) {
      const { status, body } = await call(route, given)
      if (status !== 200)
        throw new Error(`${route.method} ${route.path} answered ${status} ${JSON.stringify(body)}`)
      return body
    },
    fetch: path => fetch(url + path, { headers: { authorization: `Bearer ${token}` } }),
    subscribe,
    close: () => void line?.disconnect(),
  }
}

/** As the web app writes the fields of a form. */
const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function formOf({ body, files = [] }: PersonInput<Route>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(body as object)) form.append(name, asText(value))
  for (const { name, type, bytes } of files) form.append('medias', new Blob([bytes], { type }), name)
  return form
}

function pathOf(route: Route, given: PersonInput<Route>) {
  const params = (given.params ?? {}) as Record<string, unknown>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = Object.entries((given.query ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)])
  return query.length > 0 ? `${path}?${new URLSearchParams(query as [string, string][])}` : path
}

/** A shared machine may be several times slower; what holds is never waited for. */
const PATIENCE = (process.env.CI ? 3 : 1) / Number(process.env.TEST_CPU || 1)

/** Waits until something holds, at most so long (ms), on a shared machine longer: pushes arrive when they arrive. */
export async function until<T>(
  read: () => T | Promise<T>,
  ms = 25_000,
): Promise<Exclude<T, false | null | undefined>> {
  const from = Date.now()
  for (const end = from + ms * PATIENCE; ; ) {
    const value = await read()
    if (value) return value as Exclude<T, false | null | undefined>
    if (Date.now() > end) throw new Error(`did not happen within ${ms} ms: ${read}`)
    // longer waits poll less often: polling costs the product and the database as much as working
    await new Promise(done => setTimeout(done, Math.min(100, 10 + (Date.now() - from) / 10)))
  }
}
