import { Readable } from 'node:stream'
import { request } from 'undici'
import { OutboundError, openOutbound } from '../../platform/outbound.ts'

/** Meta keeps a version for two years; this one came out in 2025-10. */
const VERSION = 'v24.0'
const PATIENCE_MS = 20_000
/** A file of 100 MB over a slow line. */
const UPLOAD_MS = 180_000
const MAX_ANSWER = 4 * 1_048_576
const USER_AGENT = 'Balcao'

/** Meta said no, in its own shape: it did not do what was asked. */
export class GraphRefusal extends Error {
  readonly status: number
  readonly code: number
  readonly details: string
  constructor(status: number, code: number, message: string, details: string) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/**
 * No answer that can be read. `reached` false: the call surely did not arrive; true: nobody knows. It has no `cause`:
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
  post<T>(path: string, body: object): Promise<T>
  /** Sends a file of so many bytes; answers Meta's id of it. */
  upload(path: string, file: Upload): Promise<string>
  /** The bytes at an address that Meta gave, with its status. Only Meta's own hosts are shown the token. */
  download(url: string): Promise<{ status: number; body: Readable }>
  close(): Promise<void>
}

export interface Upload {
  name: string
  type: string
  size: number
  open(): Promise<Readable>
}

interface GraphOptions {
  /** Where Graph is; the operator says so, and it may be a private address. */
  url: string
  token: string
  /** Private addresses that may be called besides. */
  outboundAllow?: string[]
  /** So long an answer may take. */
  patienceMs?: number
}

/** Calls of Meta's Graph API in the name of one access token. */
export function openGraph({ url, token, outboundAllow = [], patienceMs = PATIENCE_MS }: GraphOptions): Graph {
  const { origin, hostname } = new URL(url)
  const outside = openOutbound({ outboundAllow: [...outboundAllow, hostname.replace(/^\[|\]$/g, '')] })
  const secret = { authorization: `Bearer ${token}` }
  const headers = { ...secret, 'user-agent': USER_AGENT }
  const patience = { headersTimeout: patienceMs, bodyTimeout: patienceMs }

  async function ask<T>(path: string, given: Parameters<typeof request>[1]): Promise<T> {
    // Whatever a webhook told is in a path as digits, or nowhere.
    if (!PATH.test(path)) throw new GraphSilence(`no path of Graph's: ${path.slice(0, 100)}`, false)
    const address = `${url}/${VERSION}/${path}`
    const { dispatcher } = outside
    const reply = await request(address, { dispatcher, ...patience, ...given }).catch(silence)
    const text = await reply.body.text().catch(silence)
    return answerOf<T>(reply.statusCode, text)
  }

  return {
    get: (path, query) => ask(path, { method: 'GET', headers, ...(query && { query }) }),
    post: (path, body) =>
      ask(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async upload(path, file) {
      const { type, length, body } = formOf(file)
      const { id } = await ask<{ id?: string }>(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': type, ...(length > 0 && { 'content-length': `${length}` }) },
        headersTimeout: UPLOAD_MS,
        body,
      })
      if (!id) throw new GraphSilence('no id of the file', true)
      return id
    },
    download: from =>
      outside
        .openOutside(from, { secret, mayKnow: to => to.origin === origin || isMetas(to), patienceMs })
        .catch(silence),
    close: outside.close,
  }
}

/** `{id}`, `{id}/messages`, `debug_token`. */
const PATH = /^(\d{1,32}(\/[a-z_]{1,40})?|debug_token)$/

/** Hosts on which Meta keeps files. */
const isMetas = ({ protocol, hostname }: URL) =>
  protocol === 'https:' && /(^|\.)(fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/.test(hostname)

interface ErrorShape {
  error?: { message?: string; code?: number; error_data?: { details?: string } }
}

function answerOf<T>(status: number, text: string): T {
  let answer: (T & ErrorShape) | undefined
  try {
    if (text.length < MAX_ANSWER) answer = JSON.parse(text)
  } catch {
    // said below: something on the way to Meta answered, or half of it is missing
  }
  if (!answer) throw new GraphSilence(`${status} without an answer of Graph's`, status < 400 || status >= 500)
  const { error } = answer
  if (!error && status < 400) return answer
  const { code = 0, message = '', error_data: data } = error ?? {}
  throw new GraphRefusal(status, code, message.slice(0, 300), (data?.details ?? '').slice(0, 500))
}

/** Codes under which no byte of ours can have arrived. */
const BEFORE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|DEPTH_ZERO|UNABLE_TO_)/

function silence(error: unknown): never {
  const { code = '', message } = error as Error & { code?: string }
  const isBefore = BEFORE.test(code) || (error instanceof OutboundError && error.reason === 'forbidden')
  throw new GraphSilence(`${code} ${message}`.trim().slice(0, 200), !isBefore)
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
  async function* body() {
    yield head
    yield* await open()
    yield tail
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: size > 0 ? head.length + size + tail.length : 0,
    body: Readable.from(body()),
  }
}
