import type { ErrorBody } from '@balcao/contract/errors.ts'
import type { Channel, Route } from '@balcao/contract/kit.ts'
import type { z } from 'zod'
import { liveSocket } from './socket.ts'

/** A call as the server understood it. */
interface Asked<R extends Route = Route> {
  params: z.output<R['params']>
  query: z.output<R['query']>
  body: z.output<R['body']>
  /** What its writer saw of the row, as it was sent. */
  seen: unknown
  files: File[]
}

/**
 * The answer to a call: a value of the reply's shape, or a function of it; thrown refusals are answered as
 * such.
 */
type Answer<R extends Route> =
  | z.input<R['reply']>
  | ((asked: Asked<R>) => z.input<R['reply']> | Promise<z.input<R['reply']>>)

/** A failed answer: a status and the code of the contract, or a lost connection. */
class Refusal extends Error {
  readonly status: number
  readonly body: Partial<ErrorBody>

  constructor(status: number, body: Partial<ErrorBody> = {}) {
    super(`refused with ${status}`)
    this.status = status
    this.body = body
  }
}

/** Refuses with the contract's error body. */
export function refuse(status: number, error?: ErrorBody['error'], more: Partial<ErrorBody> = {}): never {
  throw new Refusal(status, { ...(error && { error }), ...more })
}

/** The connection is lost during the request. */
export function breakOff(): never {
  throw new TypeError('Failed to fetch')
}

/**
 * A server in memory that knows the contract: requests of a screen are parsed by the shapes of their route,
 * and so are the test's answers. An unanswered call is reported at the end of the test, which fails.
 */
export interface Server {
  /** Answers a route from now on; a later answer replaces an earlier one. */
  on<R extends Route>(route: R, answer: Answer<R>): Server
  /** The same for any route: the answer is validated by its shape alone. */
  serve(route: Route, answer: (asked: Asked) => unknown): Server
  /** Requests of a route, oldest first. */
  asked<R extends Route>(route: R): Asked<R>[]
  /** Emits on a live channel. */
  push<C extends Channel>(channel: C, payload: z.input<C['payload']>): void
  /** Answers what `fetch` would. */
  fetch(address: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Unanswered calls, and answers of a wrong shape. */
  complaints: string[]
}

interface Served {
  route: Route
  pattern: RegExp
  names: string[]
  answer(asked: Asked): unknown
}

export function server(): Server {
  const served: Served[] = []
  const requests = new Map<Route, Asked[]>()
  const complaints: string[] = []
  const complain = (what: string) => {
    complaints.push(what)
    return new Response(JSON.stringify({ error: 'ERR_INTERNAL' }), { status: 501 })
  }

  async function answered({ route, pattern, names, answer }: Served, url: URL, init: RequestInit) {
    const found = pattern.exec(url.pathname)!
    const params = Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(found[at + 1]!)]))
    const { body, files } = bodyOf(init.body)
    const read = (shape: z.ZodType, given: unknown, what: string) => {
      const { success, data, error } = shape.safeParse(given)
      if (success) return data
      throw new Refusal(400, { error: 'ERR_BAD_REQUEST', message: `${what}: ${error.message}` })
    }
    try {
      const asked: Asked = {
        params: read(route.params, params, 'params'),
        query: read(route.query, Object.fromEntries(url.searchParams), 'query'),
        body: read(route.body, body, 'body'),
        seen: (body as { seen?: unknown }).seen,
        files,
      }
      requests.set(route, [...(requests.get(route) ?? []), asked])
      const result = await answer(asked)
      const reply = route.reply.safeParse(result)
      if (!reply.success)
        return complain(`${route.method} ${route.path} was answered wrongly: ${reply.error.message}`)
      return new Response(JSON.stringify(reply.data), { headers: { 'content-type': 'application/json' } })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return new Response(JSON.stringify(error.body), { status: error.status })
    }
  }

  const self: Server = {
    complaints,
    on: (route, answer) => self.serve(route, asked => (isMade(answer) ? answer(asked) : answer)),
    serve(route, answer) {
      const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
      const pattern = new RegExp(`^${route.path.replace(/:\w+/g, '([^/]+)')}$`, 'i')
      served.unshift({ route, pattern, names, answer })
      return self
    },
    asked: <R extends Route>(route: R) => (requests.get(route) ?? []) as Asked<R>[],
    push: (channel, payload) => liveSocket.push(channel, payload),
    async fetch(address, init = {}) {
      const url = new URL(String(address instanceof Request ? address.url : address), location.origin)
      const method = init.method ?? 'GET'
      // a literal path takes precedence over one with a parameter
      const mine = served
        .filter(({ route, pattern }) => route.method === method && pattern.test(url.pathname))
        .sort((one, other) => one.names.length - other.names.length)[0]
      return mine
        ? answered(mine, url, init)
        : complain(`no answer is defined for ${method} ${url.pathname}${url.search}`)
    },
  }
  return self
}

const isMade = (answer: unknown): answer is (asked: Asked) => unknown => typeof answer === 'function'

function bodyOf(given: BodyInit | null | undefined): { body: unknown; files: File[] } {
  if (given instanceof FormData) {
    const entries = [...given.entries()]
    const files = entries.flatMap(([, value]) => (typeof value === 'string' ? [] : [value]))
    return { body: Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')), files }
  }
  return { body: typeof given === 'string' ? JSON.parse(given) : {}, files: [] }
}
