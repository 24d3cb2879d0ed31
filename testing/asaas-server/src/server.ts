import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  bank,
  createAuthorization,
  listAuthorizations,
  removeAuthorization,
  showAuthorization,
} from './authorizations.ts'
import { issuer, payWithCard } from './cards.ts'
import { createCustomer, updateCustomer } from './customers.ts'
import { Faults, faultsBy } from './faults.ts'
import { authorizeNote, changeNote, createNote, listNotes, showNote, town } from './notes.ts'
import { showPayment } from './payments.made.ts'
import { cashier, createPayment, listPayments, refundPayment, removePayment } from './payments.ts'
import { AsaasRefusal, refusals } from './refusals.ts'
import { fitting, ListAsked } from './shapes.ts'
import { type Customer, listed, type Note, type Payment, type State } from './state.ts'
import { type WebhookOptions, Webhooks } from './webhooks.ts'

export type AsaasServer = State &
  ReturnType<typeof cashier> &
  ReturnType<typeof town> &
  ReturnType<typeof bank> &
  ReturnType<typeof issuer> &
  ReturnType<typeof faultsBy> & {
    /** Replaces https://api.asaas.com/v3. */
    url: string
    /** The one key that opens it; another is refused with 401. */
    token: string
    /** All requests and the status of each reply; 0: none. */
    calls: AsaasCall[]
    /** Calls of paths that are not there, and failures inside: every test asserts that both are empty. */
    unknown: string[]
    errors: Error[]
    close(): Promise<void>
  }

export interface AsaasCall {
  method: string
  path: string
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

/** Starts a double of Asaas' API on 127.0.0.1. */
export async function startAsaasServer(options: ServerOptions = {}): Promise<AsaasServer> {
  const { port = 0, token = '$aact_hmlg_teste0001', now = () => new Date() } = options
  const faults = new Faults()
  const listener = createServer((request, response) => {
    respond(server, faults, request, response).catch(error => {
      server.errors.push(error)
      response.destroy()
    })
  })
  const state: State = {
    ...{
      now,
      customers: [] as Customer[],
      payments: [] as Payment[],
      notes: [] as Note[],
      ...{ authorizations: [], cards: [], analysed: new Set<string>(), options: { keepsCards: true } },
      delayed: new Set(),
    },
    webhooks: new Webhooks(now, options.webhooks),
  }
  const server: AsaasServer = {
    ...{ ...state, ...cashier(state), ...town(state), ...bank(state), ...issuer(state), ...faultsBy(faults) },
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
  server.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/v3`
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
  server: AsaasServer,
  faults: Faults,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://localhost')
  const method = request.method ?? ''
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const note = (status: number) => server.calls.push({ method, path, body: jsonOr(text), status })
  const fault = faults.take(`${method} ${path}`)
  if (fault && 'hang' in fault) return void note(0)
  if (fault && 'cut' in fault) await fault.reached
  const { status, body } =
    fault && 'refuse' in fault
      ? answerOf(fault.refuse)
      : answer(server, { method, path, query, text, request })
  if (fault && 'wait' in fault) await fault.wait
  if (fault && 'cut' in fault) {
    note(0)
    return void response.destroy()
  }
  note(status)
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' })
  response.end(fault && 'garble' in fault ? '<html>' : JSON.stringify(body))
}

const answerOf = ({ status, errors }: AsaasRefusal) => ({ status, body: { errors } as object })

function answer(server: AsaasServer, asked: Asked): { status: number; body: object } {
  try {
    admit(server, asked)
    const body = serve(server, asked)
    if (body) return { status: 200, body }
    server.unknown.push(`${asked.method} ${asked.path}`)
    return answerOf(refusals.notFound('Recurso'))
  } catch (error) {
    if (error instanceof AsaasRefusal) return answerOf(error)
    throw error
  }
}

function admit({ token }: AsaasServer, { method, text, request }: Asked) {
  const given = request.headers.access_token
  if (given === undefined) throw refusals.noToken()
  if (given !== token) throw refusals.wrongToken()
  if (!request.headers['user-agent']) throw refusals.noUserAgent()
  if (method === 'GET' && text) throw refusals.bodyOfGet()
}

/** Undefined where nothing answers. */
function serve(state: State, { method, path, query, text }: Asked): object | undefined {
  const [, kind, id = '', more] = /^\/v3\/(customers|payments|invoices)(?:\/(\w+))?(\/.*)?$/.exec(path) ?? []
  if (path.startsWith(AUTHORIZATIONS)) return serveAuthorizations(state, { method, path, query, text })
  const ask = () => fitting(ListAsked, Object.fromEntries(query))
  if (method === 'POST' && kind === 'payments' && more === '/refund')
    return refundPayment(state, id, jsonOr(text))
  if (method === 'POST' && kind === 'invoices' && more === '/authorize') return authorizeNote(state, id)
  if (method === 'POST' && kind === 'payments' && more === '/payWithCreditCard')
    return payWithCard(state, id, jsonOr(text))
  if (more !== undefined) return undefined
  switch (`${method} ${kind}${id && '/'}`) {
    case 'POST customers':
      return createCustomer(state, jsonOr(text))
    case 'PUT customers/':
      return updateCustomer(state, id, jsonOr(text))
    case 'GET customers':
      return listed(state.customers, ask())
    case 'POST payments':
      return createPayment(state, jsonOr(text))
    case 'GET payments':
      return listPayments(state, Object.fromEntries(query))
    case 'GET payments/':
      return showPayment(state, id)
    case 'DELETE payments/':
      return removePayment(state, id)
    case 'POST invoices':
      return createNote(state, jsonOr(text))
    case 'GET invoices':
      return listNotes(state, Object.fromEntries(query))
    case 'GET invoices/':
      return showNote(state, id)
    case 'PUT invoices/':
      return changeNote(state, id, jsonOr(text))
    default:
      return undefined
  }
}

const AUTHORIZATIONS = '/v3/pix/automatic/authorizations'

function serveAuthorizations(state: State, { method, path, query, text }: Omit<Asked, 'request'>) {
  const id = path.slice(AUTHORIZATIONS.length + 1)
  switch (`${method}${id && '/'}`) {
    case 'POST':
      return createAuthorization(state, jsonOr(text))
    case 'GET':
      return listAuthorizations(state, Object.fromEntries(query))
    case 'GET/':
      return showAuthorization(state, id)
    case 'DELETE/':
      return removeAuthorization(state, id)
    default:
      return undefined
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
