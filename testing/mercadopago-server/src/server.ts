import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Faults, faultsBy } from './faults.ts'
import {
  cashier,
  changePayment,
  createPayment,
  refundPayment,
  searchPayments,
  showPayment,
} from './payments.ts'
import { MercadoPagoRefusal, refusals } from './refusals.ts'
import type { Payment, State } from './state.ts'
import { type WebhookOptions, Webhooks } from './webhooks.ts'

export type MercadoPagoServer = State &
  ReturnType<typeof cashier> &
  ReturnType<typeof faultsBy> & {
    /** Replaces https://api.mercadopago.com. */
    url: string
    /** The one token that opens it; another is refused with 401. */
    token: string
    /** All requests and the status of each reply; 0: none. */
    calls: MercadoPagoCall[]
    /** Calls of paths that are not there, and failures inside: every test asserts that both are empty. */
    unknown: string[]
    errors: Error[]
    close(): Promise<void>
  }

export interface MercadoPagoCall {
  method: string
  path: string
  query: string
  body: unknown
  status: number
}

export interface ServerOptions {
  port?: number
  token?: string
  /** Replaces the clock. */
  now?: () => Date
  webhooks?: WebhookOptions
}

/** Starts a double of Mercado Pago’s API on 127.0.0.1. */
export async function startMercadoPagoServer(options: ServerOptions = {}): Promise<MercadoPagoServer> {
  const { port = 0, token = 'APP_USR-teste-0001', now = () => new Date() } = options
  const faults = new Faults()
  const listener = createServer((request, response) => {
    respond(server, faults, request, response).catch(error => {
      server.errors.push(error)
      response.destroy()
    })
  })
  const state: State = {
    ...{ now, payments: [] as Payment[], delayed: new Set<number>(), keys: new Map() },
    webhooks: new Webhooks(now, options.webhooks),
  }
  const server: MercadoPagoServer = {
    ...{ ...state, ...cashier(state), ...faultsBy(faults) },
    ...{ url: '', token, calls: [], unknown: [], errors: [] },
    async close() {
      state.webhooks.close()
      listener.closeAllConnections()
      await new Promise(resolve => listener.close(resolve))
    },
  }
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(port, '127.0.0.1', resolve)
  })
  server.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  return server
}

/** One parsed request. */
interface Asked {
  method: string
  path: string
  query: URLSearchParams
  text: string
  request: IncomingMessage
}

async function respond(
  server: MercadoPagoServer,
  faults: Faults,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://localhost')
  const method = request.method ?? ''
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const note = (status: number) =>
    server.calls.push({ method, path, query: query.toString(), body: jsonOr(text), status })
  const fault = faults.take(`${method} ${path}`)
  if (fault && 'hang' in fault) return void note(0)
  const { status, body } =
    fault && 'refuse' in fault ? fault.refuse : answer(server, { method, path, query, text, request })
  if (fault && 'wait' in fault) await fault.wait
  if (fault && 'cut' in fault) {
    note(0)
    return void response.destroy()
  }
  note(status)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(fault && 'garble' in fault ? '<html>' : JSON.stringify(body))
}

function answer(server: MercadoPagoServer, asked: Asked): { status: number; body: object } {
  try {
    admit(server, asked)
    const found = serve(server, asked)
    if (found) return found
    server.unknown.push(`${asked.method} ${asked.path}`)
    return refusals.nothingThere()
  } catch (error) {
    if (error instanceof MercadoPagoRefusal) return error
    throw error
  }
}

function admit({ token }: MercadoPagoServer, { text, request }: Asked) {
  const given = request.headers.authorization
  if (given === undefined) throw refusals.noToken()
  if (given !== `Bearer ${token}`) throw refusals.wrongToken()
  if (text && request.headers['content-type'] !== 'application/json') throw refusals.noJson()
}

/** Undefined where nothing answers. */
function serve(state: State, { method, path, query, text, request }: Asked) {
  const key = () => {
    const given = request.headers['x-idempotency-key']
    if (typeof given !== 'string' || given === '') throw refusals.noKey()
    return given
  }
  if (`${method} ${path}` === 'POST /v1/payments')
    return { status: 201, body: createPayment(state, key(), jsonOr(text)) }
  if (`${method} ${path}` === 'GET /v1/payments/search')
    return { status: 200, body: searchPayments(state, Object.fromEntries(query)) }
  const [, id, more] = /^\/v1\/payments\/(\w+)(\/refunds)?$/.exec(path) ?? []
  if (!id) return undefined
  if (method === 'POST' && more)
    return { status: 201, body: refundPayment(state, { id, key: key() }, jsonOr(text)) }
  if (method === 'GET' && !more) return { status: 200, body: showPayment(state, id) }
  if (method === 'PUT' && !more) return { status: 200, body: changePayment(state, id, jsonOr(text)) }
  return undefined
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
