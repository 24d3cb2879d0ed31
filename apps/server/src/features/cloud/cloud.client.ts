import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { cut } from '@balcao/contract/cut.rules.ts'
import { request } from 'undici'
import { OutsideCalls } from '../../platform/outbound/calls.ts'
import { endsWithin } from '../../platform/outbound/flow.ts'
import { OutboundError, type OutboundRule, openOutbound } from '../../platform/outbound/outbound.ts'
import type { GraphTemplate } from './cloud.rules.ts'

/** Meta keeps a version for two years; this one came out in 2025-10. */
const VERSION = 'v24.0'
const PATIENCE_MS = 20_000
/** A file of 100 MB over a slow line. */
const UPLOAD_MS = 180_000
const LONGEST_MS = 30 * 60_000
const MAX_ANSWER = 4 * 1_048_576
const USER_AGENT = 'Balcao'

/** Meta refused in its own shape: the call had no effect. */
export class GraphRefusal extends Error {
  readonly status: number
  readonly code: number
  readonly details: string
  readonly subcode: number
  /** Meta says itself that the same call may succeed later. */
  readonly isTransient: boolean
  /** How long (ms) Meta asks to wait; 0 when it does not say. */
  readonly waitMs: number
  constructor(status: number, { code = 0, message = '', ...more }: GraphComplaint, waitMs = 0) {
    super(cut(message, 300))
    this.status = status
    this.code = code
    this.details = cut(more.error_data?.details ?? '', 500)
    this.subcode = more.error_subcode ?? 0
    this.isTransient = more.is_transient === true
    this.waitMs = waitMs
  }

  /** The token has no access to what the path names, or it does not exist: for Graph these are one. */
  get isOfStranger(): boolean {
    return this.code === 100 && this.subcode === 33
  }
}

interface GraphComplaint {
  code?: number
  error_subcode?: number
  message?: string
  is_transient?: boolean
  error_data?: { details?: string }
}

/**
 * No answer that can be read. `reached` false: the call certainly did not arrive; true: unknown. It has no `cause`:
 * an outage of Meta's must not look like one of our database.
 */
export class GraphSilence extends Error {
  readonly reached: boolean
  constructor(message: string, reached: boolean) {
    super(message)
    this.reached = reached
  }
}

export interface Graph {
  /** Throws GraphRefusal or GraphSilence, and nothing else. */
  get<T>(path: string, query?: Record<string, string>): Promise<T>
  /** `leave` is called in the step in which the call leaves the process; what it throws is thrown, and nothing left. */
  post<T>(path: string, body: object, leave?: () => Promise<void>): Promise<T>
  /** Sends a file of so many bytes; answers Meta's id of it. Where the file cannot be read it throws what that threw. */
  upload(path: string, file: Upload): Promise<string>
  /** The bytes at an address that Meta gave, with its status. Only Meta's own hosts receive the token. */
  download(url: string): Promise<{ status: number; body: Readable }>
  close(): Promise<void>
}

export interface Upload {
  name: string
  type: string
  size: number
  open(): Promise<Readable>
}

interface GraphOptions extends Partial<OutboundRule> {
  /** The address of Graph; the operator configures it, and it may be private. */
  url: string
  token: string
  /** How long (ms) an answer may take. */
  patienceMs?: number
  /** Where its calls are counted, and whose they are. */
  calls?: OutsideCalls
  companyId?: number | null
}

/** Calls of Meta's Graph API with one access token. */
export function openGraph(options: GraphOptions): Graph {
  const {
    url,
    token,
    outboundAllow = [],
    drill = false,
    patienceMs = PATIENCE_MS,
    calls = new OutsideCalls(),
  } = options
  const callee = { target: 'graph', companyId: options.companyId ?? null } as const
  const { origin, hostname } = new URL(url)
  const rule = { outboundAllow: [...outboundAllow, hostname.replace(/^\[|\]$/g, '')], drill }
  const outside = openOutbound(rule, { calls })
  const secret = { authorization: `Bearer ${token}` }
  const headers = { ...secret, 'user-agent': USER_AGENT }
  const patience = { headersTimeout: patienceMs, bodyTimeout: patienceMs }

  const ask: Ask = async <T>(path: string, given: Parameters<typeof request>[1]): Promise<T> => {
    // What a webhook posted is in a path as digits, or nowhere.
    if (!PATH.test(path)) throw new GraphSilence(`no path of Graph's: ${cut(path, 100)}`, false)
    const address = `${url}/${VERSION}/${path}`
    const { dispatcher } = outside
    const isFile = given?.headersTimeout !== undefined
    const asked = calls.run(callee, () =>
      endsWithin(isFile ? LONGEST_MS : 2 * patienceMs, async signal => {
        const reply = await request(address, { ...{ dispatcher, signal }, ...patience, ...given })
        return { reply, text: await reply.body.text() }
      }),
    )
    const { reply, text } = await asked.catch(silence)
    return answerOf<T>(reply.statusCode, text, reply.headers)
  }

  return {
    get: (path, query) => ask(path, { method: 'GET', headers, ...(query && { query }) }),
    post: (path, given, leave) => post(ask, path, headers, given, leave),
    upload: (path, file) => upload(ask, path, headers, file),
    download: from =>
      outside
        .by(callee)
        .openOutside(from, { secret, mayKnow: to => to.origin === origin || isMetas(to), patienceMs })
        .catch(silence),
    close: outside.close,
  }
}

type Ask = <T>(path: string, given: Parameters<typeof request>[1]) => Promise<T>
type Headers = Record<string, string>

async function post<T>(
  ask: Ask,
  path: string,
  headers: Headers,
  given: object,
  leave?: () => Promise<void>,
): Promise<T> {
  const json = { ...headers, 'content-type': 'application/json' }
  const bytes = Buffer.from(JSON.stringify(given))
  if (!leave) return ask<T>(path, { method: 'POST', headers: json, body: bytes })
  const { body, refusal, hasLeft } = guardedBy(leave, bytes)
  const sized = { ...json, 'content-length': `${bytes.length}` }
  return ask<T>(path, { method: 'POST', headers: sized, body }).catch(error => {
    const isCertain = error instanceof GraphSilence && error.reached && !hasLeft()
    throw refusal() ?? (isCertain ? new GraphSilence(error.message, false) : error)
  })
}

async function upload(ask: Ask, path: string, headers: Headers, file: Upload): Promise<string> {
  const { type, length, body, broken } = formOf(file)
  const asked = ask<{ id?: string }>(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': type, ...(length > 0 && { 'content-length': `${length}` }) },
    headersTimeout: UPLOAD_MS,
    body,
  })
  const { id } = await asked.catch(error => {
    throw broken() ?? error
  })
  if (!id) throw new GraphSilence('no id of the file', true)
  return id
}

/**
 * A body that calls `leave` before its first byte: the head of the call is written with that byte, on an open connection. Until
 * then nothing left, whatever failed: the name, the connection, its encryption, or the end of the session.
 */
function guardedBy(leave: () => Promise<void>, bytes: Buffer) {
  let refusal: unknown
  let hasLeft = false
  async function* body() {
    try {
      await leave()
    } catch (error) {
      refusal = error
      throw error
    }
    hasLeft = true
    yield bytes
  }
  return { body: Readable.from(body()), refusal: () => refusal, hasLeft: () => hasLeft }
}

/** `{id}`, `{id}/messages`, `debug_token`, `oauth/access_token`. */
const PATH = /^(\d{1,32}(\/[a-z_]{1,40})?|debug_token|oauth\/access_token)$/

/** Hosts on which Meta keeps files. */
const isMetas = ({ protocol, hostname }: URL) =>
  protocol === 'https:' && /(^|\.)(fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/.test(hostname)

function answerOf<T>(status: number, text: string, headers: IncomingHttpHeaders): T {
  let answer: (T & { error?: GraphComplaint }) | undefined
  try {
    if (text.length < MAX_ANSWER) answer = JSON.parse(text)
  } catch {
    // thrown below: something on the way to Meta answered, or half of it is missing
  }
  if (!answer) throw new GraphSilence(`${status} without an answer of Graph's`, status < 400 || status >= 500)
  const { error } = answer
  if (!error && status < 400) return answer
  throw new GraphRefusal(status, error ?? {}, waitOf(headers))
}

const MINUTE_MS = 60_000
const MOST_WAIT_MS = 60 * MINUTE_MS

/** Graph's page "Rate limits": the header names, by account, the minutes until calls are accepted again. */
function waitOf({ 'x-business-use-case-usage': usage }: IncomingHttpHeaders): number {
  if (typeof usage !== 'string') return 0
  const minutes = [...usage.matchAll(/"estimated_time_to_regain_access"\s*:\s*(\d{1,6})/g)].map(([, n]) =>
    Number(n),
  )
  return Math.min(Math.max(0, ...minutes) * MINUTE_MS, MOST_WAIT_MS)
}

/** Codes under which no byte of ours can have arrived. */
const BEFORE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|DEPTH_ZERO|UNABLE_TO_)/

function silence(error: unknown): never {
  const { code = '', message } = error as Error & { code?: string }
  const isBefore = BEFORE.test(code) || (error instanceof OutboundError && error.reason === 'forbidden')
  throw new GraphSilence(cut(`${code} ${message}`.trim(), 200), !isBefore)
}

/** A form with one file, written as it is read: no file is ever held whole. */
function formOf({ name, type, size, open }: Upload) {
  const boundary = `balcao-${crypto.randomUUID()}`
  const part = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`
  const plain = name.replace(/["\r\n\\]/g, '_')
  const head = Buffer.from(
    `${part('name="messaging_product"')}\r\nwhatsapp\r\n${part('name="type"')}\r\n${type}\r\n` +
      `${part(`name="file"; filename="${plain}"`)}content-type: ${type}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  let broken: unknown
  async function* body() {
    yield head
    try {
      yield* await open()
    } catch (error) {
      broken = error
      throw error
    }
    yield tail
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    broken: () => broken,
    length: size > 0 ? head.length + size + tail.length : 0,
    body: Readable.from(body()),
  }
}

const TEMPLATE_FIELDS =
  'name,language,status,category,parameter_format,components,rejected_reason,quality_score'
/** Meta allows 6,000 in an account. */
const MAX_PAGES = 60

/** All templates of an account, as Meta has them now; of one name when it is given. */
export async function fetchTemplates(
  graph: Graph,
  accountId: string,
  name?: string,
): Promise<GraphTemplate[]> {
  const found: GraphTemplate[] = []
  let after = ''
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, paging } = await graph.get<{
      data: GraphTemplate[]
      paging?: { next?: string; cursors?: { after?: string } }
    }>(`${accountId}/message_templates`, {
      fields: TEMPLATE_FIELDS,
      limit: '100',
      ...(name && { name }),
      ...(after && { after }),
    })
    found.push(...data)
    after = paging?.cursors?.after ?? ''
    if (!paging?.next || !after) break
  }
  return found
}
