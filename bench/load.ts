import autocannon from 'autocannon'
import { emailOf, PASSWORD } from './dataset.ts'
import { type Product, pause } from './product.ts'

/** One measured path. */
export interface Figure {
  path: string
  requestsPerSecond: number
  p50: number
  p99: number
  statements: number
  /** Milliseconds of processor time the server took for one request: what a busy machine cannot blur. */
  cpu: number
  bytes: number
  failures: number
}

export interface Request {
  method?: 'GET' | 'POST'
  path: string
  body?: object
  /** Besides those of whoever asks. */
  headers?: Record<string, string>
}

/** The target: a product, a bare server beside it, the tokens of its people, and the load of its database at rest. */
export interface Driver {
  product: Product
  /** What the product is measured against; not there with the embedded database. */
  bare: Product | null
  seconds: number
  idleStatements: number
  /** Logs in a person, and remembers the token while it is good. */
  as(company: number, user: number): Promise<string>
}

const CONNECTIONS = 8
/** Tokens are good for fifteen minutes, and the longest row is driven for one. */
const FRESH_MS = 8 * 60_000

export async function openDriver(product: Product, bare: Product | null, seconds: number): Promise<Driver> {
  const tokens = new Map<string, { token: Promise<string>; at: number }>()
  await pause(2_000)
  const before = await product.metric('database_statements_total')
  await pause(3_000)
  const idleStatements = ((await product.metric('database_statements_total')) - before) / 3
  return {
    product,
    bare,
    seconds,
    idleStatements,
    as(company, user) {
      const email = emailOf(company, user)
      const known = tokens.get(email)
      if (known && performance.now() - known.at < FRESH_MS) return known.token
      const token = login(product.url, email)
      tokens.set(email, { token, at: performance.now() })
      return token
    },
  }
}

async function login(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const { token } = (await answer.json()) as { token?: string }
  if (!token) throw new Error(`${email} could not log in: ${answer.status}`)
  return token
}

/**
 * Sends what `next` makes, one after the other on each of eight connections. Statements are counted over the run,
 * less what the database does by itself.
 */
export async function drive(
  driver: Driven,
  path: string,
  token: string,
  next: () => Request,
): Promise<Figure> {
  const course = await openCourse(driver, path, token, next)
  return course.figure([await course.lap(driver.seconds)])
}

/** The target: a product, or the bare server, which has no sessions. */
export type Driven = Pick<Driver, 'product' | 'seconds' | 'idleStatements'>

/** One path, requested for the given time and rate. */
export interface Course {
  lap(seconds: number): Promise<Lap>
  figure(laps: Lap[]): Figure
}

export interface Lap {
  requests: number
  seconds: number
  p50: number
  p99: number
  statements: number
  cpuSeconds: number
  failures: number
}

/** Warms it up. Throws when the path refuses. */
export async function openCourse(
  { product, idleStatements }: Driven,
  path: string,
  token: string,
  next: () => Request,
): Promise<Course> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const one = next()
  const bytes = await sizeOfAnswer(product.url + one.path, one, headers)
  await run(product.url, headers, next, 1)
  return {
    async lap(seconds) {
      const [before, cpu, start] = [
        await product.metric('database_statements_total'),
        await product.metric('process_cpu_seconds_total'),
        performance.now(),
      ]
      const { requests, duration, latency, non2xx, errors } = await run(product.url, headers, next, seconds)
      const idle = (idleStatements * (performance.now() - start)) / 1000
      return {
        requests: requests.total,
        seconds: duration,
        p50: latency.p50,
        p99: latency.p99,
        statements: (await product.metric('database_statements_total')) - before - idle,
        cpuSeconds: (await product.metric('process_cpu_seconds_total')) - cpu,
        failures: non2xx + errors,
      }
    },
    figure(laps) {
      const sum = (of: (lap: Lap) => number) => laps.reduce((all, lap) => all + of(lap), 0)
      const requests = Math.max(
        1,
        sum(lap => lap.requests),
      )
      return {
        path,
        requestsPerSecond: Math.round(sum(lap => lap.requests) / sum(lap => lap.seconds)),
        p50: median(laps.map(lap => lap.p50)),
        p99: median(laps.map(lap => lap.p99)),
        statements: Math.max(0, Math.round((sum(lap => lap.statements) / requests) * 10) / 10),
        cpu: Math.round((sum(lap => lap.cpuSeconds) / requests) * 100_000) / 100,
        bytes,
        failures: sum(lap => lap.failures),
      }
    },
  }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** `perSecond`: so many in all, instead of the next as soon as one is answered. */
export const run = (
  url: string,
  headers: Record<string, string>,
  next: () => Request,
  duration: number,
  { connections = CONNECTIONS, perSecond }: { connections?: number; perSecond?: number } = {},
) =>
  autocannon({
    url,
    connections,
    ...(perSecond && { overallRate: perSecond }),
    duration,
    headers,
    requests: [
      {
        setupRequest(request) {
          const { method = 'GET', path, body, headers: own } = next()
          const all = { ...request.headers, ...own }
          return { ...request, method, path, headers: all, ...(body && { body: JSON.stringify(body) }) }
        },
      },
    ],
  })

async function sizeOfAnswer(
  url: string,
  { method, body, headers: own }: Request,
  headers: Record<string, string>,
) {
  const answer = await fetch(url, {
    method: method ?? 'GET',
    headers: { ...headers, ...own, 'accept-encoding': 'identity' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`)
  return Buffer.byteLength(text)
}
