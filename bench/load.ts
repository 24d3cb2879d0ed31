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

/** Who drives: a product, the tokens of its people, and how busy its database is when nobody asks. */
export interface Driver {
  product: Product
  seconds: number
  idleStatements: number
  /** Logs in once a person and remembers the token. */
  as(company: number, user: number): Promise<string>
}

const CONNECTIONS = 8

export async function openDriver(product: Product, seconds: number): Promise<Driver> {
  const tokens = new Map<string, Promise<string>>()
  await pause(2_000)
  const before = await product.metric('database_statements_total')
  await pause(3_000)
  const idleStatements = ((await product.metric('database_statements_total')) - before) / 3
  return {
    product,
    seconds,
    idleStatements,
    as(company, user) {
      const email = emailOf(company, user)
      if (!tokens.has(email)) tokens.set(email, login(product.url, email))
      return tokens.get(email)!
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
  { product, seconds, idleStatements }: Driver,
  path: string,
  token: string,
  next: () => Request,
): Promise<Figure> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const one = next()
  const bytes = await sizeOfAnswer(product.url + one.path, one, headers)
  await run(product.url, headers, next, 1)
  const [before, cpu, start] = [
    await product.metric('database_statements_total'),
    await product.metric('process_cpu_seconds_total'),
    performance.now(),
  ]
  const result = await run(product.url, headers, next, seconds)
  const idle = (idleStatements * (performance.now() - start)) / 1000
  const statements = (await product.metric('database_statements_total')) - before - idle
  const used = (await product.metric('process_cpu_seconds_total')) - cpu
  const requests = Math.max(1, result.requests.total)
  return {
    path,
    requestsPerSecond: Math.round(result.requests.total / result.duration),
    p50: result.latency.p50,
    p99: result.latency.p99,
    statements: Math.max(0, Math.round((statements / requests) * 10) / 10),
    cpu: Math.round((used / requests) * 100_000) / 100,
    bytes,
    failures: result.non2xx + result.errors,
  }
}

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
