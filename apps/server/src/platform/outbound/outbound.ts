import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import type { Config } from '../config.ts'
import { type AddressRule, addressRule } from './addresses.ts'
import { type Callee, OutsideCalls, ShareFull } from './calls.ts'
import { byteRate, endsWithin, flowing, TooLate } from './flow.ts'

/** Calls to addresses that a company typed in: webhooks, integrations, lookups. Nothing private is reached. */
export interface Outbound {
  /** Calls that are counted, and bounded for each company. */
  by(callee: Callee): Outside
  /** Whether the address may be called as far as it is known now: an unknown name may. */
  mayCall(url: string): Promise<boolean>
  /** The same wall for libraries with an HTTP client of their own (undici's `dispatcher`). */
  dispatcher: Dispatcher
  calls: OutsideCalls
  close(): Promise<void>
}

/** HTTP in the name of one company, for one purpose. */
export interface Outside {
  /** Throws OutboundError and nothing else. Follows up to three redirects, each checked like the first address. */
  fetchOutside(url: string, given?: OutsideRequest): Promise<OutsideReply>
  /**
   * The same, but `read` consumes its body as a stream: errors in it are thrown as they are. The body is not kept in
   * memory.
   */
  receiveOutside<T>(
    url: string,
    given: OutsideRequest,
    read: (reply: OutsideReply<AsyncIterable<Uint8Array>>) => Promise<T>,
  ): Promise<T>
  /**
   * The answer as it comes, for files. No redirect is followed. `secret` headers go to those hosts alone that
   * `mayKnow` names. Throws OutboundError.
   */
  openOutside(url: string, given?: FileRequest): Promise<{ status: number; body: Readable }>
}

export interface OutsideRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** For everything together, redirects included. */
  timeoutMs?: number
  maxBytes?: number
  /**
   * Only whether it arrived matters: what is answered is not read, and a redirect that it could follow only as another call
   * (without its body, or without its headers) is the answer.
   */
  delivers?: boolean
}

export interface FileRequest {
  headers?: Record<string, string>
  secret?: Record<string, string>
  mayKnow?: (url: URL) => boolean
  /** So long (ms) an answer may take, and its bytes may come too slowly. */
  patienceMs?: number
}

export interface OutsideReply<Body = Buffer> {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Body
}

type Reason = 'forbidden' | 'timeout' | 'too-large' | 'redirects' | 'unreachable'

/**
 * `forbidden` is the same for every private address, so that it reveals nothing of the network. It has no `cause`: an
 * outage of somebody else's server must not look like one of ours.
 */
export class OutboundError extends Error {
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.name = 'OutboundError'
    this.reason = reason
  }
}

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>

const systemResolve: Resolve = host => lookup(host, { all: true })
const TIMEOUT = 10_000
const MAX_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3
const UNREAD_BYTES = 64 * 1024

/** What may be called: in a drill nothing. */
export type OutboundRule = Pick<Config, 'outboundAllow'> & Partial<Pick<Config, 'drill'>>

/** `resolve` replaces the system's name lookup. */
export function openOutbound(
  { outboundAllow, drill = false }: OutboundRule,
  { resolve = systemResolve, calls = new OutsideCalls() }: { resolve?: Resolve; calls?: OutsideCalls } = {},
): Outbound {
  const rule: AddressRule = drill ? { allows: () => false } : addressRule(outboundAllow)
  const dispatcher = guardedAgent(rule, resolve)
  return {
    ...{ dispatcher, calls },
    close: () => dispatcher.destroy(),
    by(callee) {
      const run = <T>(work: () => Promise<T>) =>
        calls.run(callee, work).catch(error => {
          throw error instanceof ShareFull ? new OutboundError('timeout', error.message) : error
        })
      return {
        openOutside: (url, given) => run(() => openFile(dispatcher, url, given)),
        fetchOutside: (url, given = {}) =>
          run(() =>
            receive(dispatcher, url, given, async reply => ({ ...reply, body: await whole(reply.body) })),
          ),
        receiveOutside: (url, given, read) => run(() => receive(dispatcher, url, given, read)),
      }
    },
    async mayCall(address) {
      const url = partsOf(address)
      if (!url) return false
      const host = hostOf(url)
      const found = isIP(host) ? [{ address: host }] : await resolve(host).catch(() => [])
      return found.every(one => rule.allows(one.address, host))
    },
  }
}

async function openFile(
  dispatcher: Dispatcher,
  address: string,
  { headers = {}, secret = {}, mayKnow = () => false, patienceMs = TIMEOUT }: FileRequest = {},
) {
  try {
    const url = parse(address)
    const { statusCode, body } = await endsWithin(patienceMs, signal =>
      request(url, {
        ...{ dispatcher, signal },
        headersTimeout: patienceMs,
        bodyTimeout: 0,
        headers: { 'user-agent': 'Balcao', ...headers, ...(mayKnow(url) && secret) },
      }),
    )
    return { status: statusCode, body: flowing(body, { ...byteRate, graceMs: patienceMs }) }
  } catch (error) {
    throw asOutboundError(error)
  }
}

/**
 * The address is checked where the connection is made, and the checked one is the one connected to: a name that
 * answers otherwise the second time (DNS rebinding) is never asked a second time.
 */
function guardedAgent(rule: AddressRule, resolve: Resolve) {
  const guardedLookup: LookupFunction = (host, options, done) => {
    resolve(host).then(
      found => {
        const bad = found.length === 0 || found.some(({ address }) => !rule.allows(address, host))
        const [first] = found
        if (bad || !first) done(forbidden(host), '', 0)
        else if (options.all) done(null, found)
        else done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    )
  }
  const connect = buildConnector({ lookup: guardedLookup, timeout: TIMEOUT })
  return new Agent({
    connections: 100,
    connect(options, done) {
      const host = hostOf(options)
      if (isIP(host) && !rule.allows(host, host)) done(forbidden(host), null)
      else connect(options, done)
    },
  })
}

const hostOf = ({ hostname }: { hostname: string }) => hostname.replace(/^\[|\]$/g, '')
const forbidden = (host: string) => new OutboundError('forbidden', `${host} may not be called`)

async function receive<T>(
  dispatcher: Dispatcher,
  url: string,
  given: OutsideRequest,
  read: (reply: OutsideReply<AsyncIterable<Uint8Array>>) => Promise<T>,
): Promise<T> {
  const timeoutMs = given.timeoutMs ?? TIMEOUT
  const signal = AbortSignal.timeout(timeoutMs)
  const failureOf = (error: unknown) =>
    signal.aborted ? new OutboundError('timeout', `no answer within ${timeoutMs} ms`) : asOutboundError(error)
  const reply = await Promise.race([follow(dispatcher, signal, url, given), end(signal)]).catch(error => {
    throw failureOf(error)
  })
  const stream = reply.body instanceof Readable ? reply.body : null
  // a failure is reported to the reader of the body, or ignored
  stream?.on('error', () => {})
  const body = bounded(reply.body, given.maxBytes ?? MAX_BYTES, failureOf)
  try {
    return await read({ ...reply, body })
  } finally {
    // an unread rest does not keep the connection
    stream?.destroy()
  }
}

async function follow(dispatcher: Dispatcher, signal: AbortSignal, start: string, given: OutsideRequest) {
  let url = parse(start)
  let { method = 'GET', headers = {}, body } = given
  for (let redirects = 0; ; redirects++) {
    const reply = await request(url, {
      dispatcher,
      signal,
      method,
      body,
      headers: { 'user-agent': 'Balcao', 'accept-encoding': 'identity', ...headers },
    })
    const { statusCode: status } = reply
    const location = reply.headers.location
    const isRedirect = REDIRECTS.includes(status) && typeof location === 'string'
    if (!isRedirect && !given.delivers) return { status, headers: reply.headers, body: reply.body }

    // read away a little, so that the connection serves the next call
    void reply.body.dump({ limit: UNREAD_BYTES }).catch(() => {})
    if (!isRedirect || (given.delivers && status < 307)) return unread(reply)
    if (redirects === MAX_REDIRECTS) throw new OutboundError('redirects', 'redirected too many times')
    const next = parse(location, url)
    const isElsewhere = next.origin !== url.origin
    if (given.delivers && isElsewhere) return unread(reply)
    if (status < 307 && method !== 'HEAD') [method, body] = ['GET', undefined]
    // Headers may hold the company's secrets, meant for the first address alone.
    if (isElsewhere) headers = {}
    url = next
  }
}

const REDIRECTS = [301, 302, 303, 307, 308]

const unread = ({ statusCode: status, headers }: Dispatcher.ResponseData) => ({ status, headers, body: [] })

/** A call that is still connecting does not look at its signal. */
const end = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

function parse(text: string, base?: URL) {
  const url = partsOf(text, base)
  if (url) return url
  throw new OutboundError('forbidden', 'only http:// and https:// addresses without a password may be called')
}

/** Null for what may not be called at all. */
function partsOf(text: string, base?: URL): URL | null {
  const url = URL.parse(text, base?.href)
  return url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password ? url : null
}

async function* bounded(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  failureOf: (error: unknown) => OutboundError,
) {
  let size = 0
  try {
    for await (const chunk of stream) {
      size += chunk.length
      if (size > maxBytes) throw new OutboundError('too-large', `the answer is larger than ${maxBytes} bytes`)
      yield chunk
    }
  } catch (error) {
    throw failureOf(error)
  }
}

async function whole(stream: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function asOutboundError(error: unknown) {
  if (error instanceof OutboundError) return error
  if (error instanceof TooLate) return new OutboundError('timeout', error.message)
  const { code, message } = error as { code?: string; message: string }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new OutboundError('timeout', 'no connection in time')
  return new OutboundError('unreachable', code ?? message)
}
