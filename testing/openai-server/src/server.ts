import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chunksOf, completionOf } from './completion.ts'
import { type Refused, refusals } from './refusals.ts'
import { Asked, complaintAbout } from './shapes.ts'
import { Script, type Step } from './steps.ts'

export interface Model {
  id: string
  /** Arguments that it refuses, as newer models refuse `max_tokens` and `temperature`. */
  refuses?: string[]
  /** When its maker ends it, as a day. */
  ends?: string
}

export interface OpenAiServer {
  /** Replaces https://api.openai.com/v1. */
  url: string
  /** The one key that opens it; another is refused with 401. */
  token: string
  models: Model[]
  /** The model's answers, in order. */
  script: Script
  /** Every completion requested with a valid key, and its outcome. */
  calls: { asked: Asked; status: number }[]
  /** Calls of paths that are not there, and failures inside: every test asserts that both are empty. */
  unknown: string[]
  errors: Error[]
  close(): Promise<void>
}

export interface ServerOptions {
  port?: number
  token?: string
  models?: Model[]
}

const MODELS: Model[] = [
  { id: 'gpt-3.5-turbo', ends: '2026-10-23' },
  { id: 'gpt-4o' },
  {
    id: 'gpt-5-mini',
    refuses: ['max_tokens', 'temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'stop'],
  },
  { id: 'plain', refuses: ['tools'] },
]

/** Starts a double of the chat-completions protocol on 127.0.0.1. */
export async function startOpenAiServer(options: ServerOptions = {}): Promise<OpenAiServer> {
  const { port = 0, token = 'sk-teste-0001', models = MODELS } = options
  const listener = createServer((request, response) => {
    respond(server, request, response).catch(error => {
      server.errors.push(error)
      response.destroy()
    })
  })
  const server: OpenAiServer = {
    ...{ url: '', token, models: [...models], script: new Script(), calls: [], unknown: [], errors: [] },
    async close() {
      listener.closeAllConnections()
      await new Promise(resolve => listener.close(resolve))
    },
  }
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(port, '127.0.0.1', resolve)
  })
  server.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/v1`
  return server
}

async function respond(server: OpenAiServer, request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (bearer === undefined) return refuse(response, refusals.noKey())
  if (bearer !== server.token) return refuse(response, refusals.wrongKey())
  if (request.method === 'GET' && pathname === '/v1/models') return listModels(server, response)
  if (request.method === 'POST' && pathname === '/v1/chat/completions')
    return complete(server, await read(request), response)
  server.unknown.push(`${request.method} ${pathname}`)
  return refuse(response, refusals.nowhere(request.method ?? '', pathname))
}

function listModels({ models }: OpenAiServer, response: ServerResponse) {
  const data = models.map(({ id, ends }) => ({
    ...{ id, object: 'model', created: 1_700_000_000, owned_by: 'system' },
    ...(ends && { deprecation: { shutdown_date: ends } }),
  }))
  json(response, 200, { object: 'list', data })
}

function complete(server: OpenAiServer, given: unknown, response: ServerResponse) {
  const complaint = complaintAbout(given)
  if (complaint) return refuse(response, refusals.wrong(complaint.message, complaint.param))
  const asked = Asked.parse(given)
  const model = server.models.find(({ id }) => id === asked.model)
  const unsupported = model?.refuses?.find(name => name in asked)
  const step = model && !unsupported ? server.script.take(asked) : undefined
  const refused = !model
    ? refusals.noModel(asked.model)
    : unsupported
      ? refusals.unsupported(unsupported)
      : step && 'refuse' in step
        ? step.refuse
        : null
  server.calls.push({ asked, status: refused?.status ?? 200 })
  if (refused) return refuse(response, refused)
  const number = server.calls.length
  if ('delay' in step!) setTimeout(() => play(asked, step, number, response), step.delay)
  else play(asked, step!, number, response)
}

function play(asked: Asked, step: Step, number: number, response: ServerResponse) {
  if ('hang' in step) return
  if ('raw' in step) return void response.writeHead(200, JSON_TYPE).end(step.raw)
  if ('cut' in step && step.cut === 'before') return void response.destroy()
  const whole = completionOf(
    asked,
    'cut' in step ? { text: HALF } : 'noChoice' in step || 'refuse' in step ? {} : step,
    number,
  )
  if ('noChoice' in step) whole.choices = []
  const body = asked.stream ? streamed(asked, whole) : JSON.stringify(whole)
  response.writeHead(200, asked.stream ? { 'content-type': 'text/event-stream' } : JSON_TYPE)
  if (!('cut' in step)) return void response.end(body)
  response.flushHeaders()
  const said = step.cut === 'half' ? body.slice(0, body.length / 2) : ''
  response.write(said || ' ', () => response.destroy())
}

const HALF = 'Uma resposta que não chega ao fim, porque a linha cai no meio dela.'
const JSON_TYPE = { 'content-type': 'application/json' }

const streamed = (asked: Asked, whole: ReturnType<typeof completionOf>) =>
  [...chunksOf(asked, whole).map(chunk => JSON.stringify(chunk)), '[DONE]']
    .map(line => `data: ${line}\n\n`)
    .join('')

function refuse(response: ServerResponse, { status, headers, ...error }: Refused) {
  json(response, status, { error }, headers)
}

const json = (response: ServerResponse, status: number, body: object, headers = {}) =>
  void response.writeHead(status, { ...JSON_TYPE, ...headers }).end(JSON.stringify(body))

async function read(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return null
  }
}
