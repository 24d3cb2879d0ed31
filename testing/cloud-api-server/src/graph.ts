import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Account } from './account.ts'
import { type Answer, type Call, readParams } from './call.ts'
import { downloadMedia } from './downloads.ts'
import { answerCall } from './edges.ts'
import type { CallStep } from './faults.ts'
import { GraphError, refusal, unknownPath, usageOf } from './graph-error.ts'
import { exchangeCode } from './oauth.ts'
import { PhoneNumber } from './phone-number.ts'
import type { GraphCall, State } from './state.ts'
import { noToken, strangeToken, type Token } from './token.ts'

/** Versions that live; older ones are served by the oldest of them. */
const VERSIONS = [19, 20, 21, 22, 23, 24, 25]
const CURRENT = 'v25.0'

/** The HTTP side of Graph: versions, tokens, faults, and answers in its shape. */
export function makeGraph(state: State): Server {
  return createServer((request, response) => {
    serve(state, request, response).catch(error => {
      state.errors.push(error)
      response.destroy()
    })
  })
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', state.url)
  const method = request.method ?? 'GET'
  const { params, file } = await readParams(request, url.searchParams)
  const record: GraphCall = { at: state.clock.now(), method, path: url.pathname, params, status: 0 }
  state.calls.push(record)
  const isNumber = method === 'GET' && state.nodes.get(url.pathname.split('/').at(-1)!) instanceof PhoneNumber
  const step = state.faults.calls.take(one =>
    fits(one, url.pathname, { isMark: 'status' in params, isNumber }),
  )
  if (step && interrupts(step, 'before', request)) return
  if (step && 'delay' in step) await new Promise(resolve => setTimeout(resolve, step.delay))
  const afterwards: (() => void)[] = []
  const call = {
    method,
    query: url.searchParams,
    params,
    file,
    bearer: bearerOf(request, params),
    afterwards: (task: () => void) => void afterwards.push(task),
  }
  const answer = await answerOf(state, request, url, call, step, record)
  await state.work.during(async () => {
    if (!(step && interrupts(step, 'after', request))) write(response, answer, step, record)
    for (const task of afterwards) task()
  })
}

type Begun = Omit<Call, 'token' | 'path' | 'version'>

async function answerOf(
  state: State,
  request: IncomingMessage,
  url: URL,
  begun: Begun,
  step: CallStep | undefined,
  record: GraphCall,
): Promise<Answer> {
  try {
    if (url.pathname.startsWith('/whatsapp_business/attachments')) {
      tokenOf(state, begun.bearer)
      return downloadMedia(state, url.searchParams, request.headers['user-agent'])
    }
    const { version, path } = versionOf(url)
    if (path.join('/') === 'oauth/access_token' && !step) return exchangeCode(state, begun.params)
    const token = tokenOf(state, begun.bearer)
    if (step && 'code' in step) throw refusedBy(step)
    if (step && 'text' in step)
      return { status: step.status, body: Buffer.from(step.text), type: 'text/html' }
    return await answerCall(state, { ...begun, version, path, token })
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    record.code = error.about.code
    const headers = usageOf(error, [...state.nodes].find(([, node]) => node instanceof Account)?.[0] ?? '')
    return { status: error.about.status, body: error.body(state.random), headers }
  }
}

/** With a subcode it is Graph's own refusal, which has no `error_data`. */
function refusedBy({
  code,
  details,
  status,
  subcode,
  transient,
  regainIn,
}: Extract<CallStep, { code: number }>) {
  const { message, about } = refusal(code, details, status)
  const { details: words, ...bare } = about
  return new GraphError(message, {
    ...(subcode === undefined
      ? { ...bare, ...(words !== undefined && { details: words }) }
      : { ...bare, subcode }),
    ...(transient && { transient }),
    ...(regainIn !== undefined && { regainIn }),
  })
}

/** What marks as read goes to the same path, at any time: it is no message. */
function fits(
  { on = 'any' }: CallStep,
  path: string,
  { isMark, isNumber }: { isMark: boolean; isNumber: boolean },
) {
  if (on === 'messages' && isMark) return false
  if (on === 'number') return isNumber
  return on === 'any' || path.endsWith(`/${on}`) || (on === 'media' && path.includes('/attachments'))
}

/** Whether the connection ends, or hangs until the caller has had enough. */
function interrupts(step: CallStep, when: 'before' | 'after', request: IncomingMessage): boolean {
  if ('hang' in step) return step.hang === when
  if (!('reset' in step) || step.reset !== when) return false
  request.socket.resetAndDestroy()
  return true
}

function bearerOf(request: IncomingMessage, params: Record<string, unknown>) {
  const header = /^(?:Bearer|OAuth) (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return header ?? (typeof params.access_token === 'string' ? params.access_token : undefined)
}

function tokenOf(state: State, bearer: string | undefined): Token {
  if (!bearer) throw noToken()
  const token = state.tokens.get(bearer)
  const problem = token ? token.problem() : strangeToken()
  if (problem) throw problem
  return token!
}

/** Without a version it is the app's; one that has died is served by the oldest that lives; none comes early. */
function versionOf({ pathname }: URL): { version: string; path: string[] } {
  const [first = '', ...rest] = pathname.split('/').filter(Boolean)
  const match = /^v(\d+)\.\d$/.exec(first)
  if (!match) return { version: CURRENT, path: [first, ...rest] }
  if (Number(match[1]) > VERSIONS.at(-1)! || Number(match[1]) < 1) throw unknownPath(`/${rest.join('/')}`)
  return { version: `v${Math.max(Number(match[1]), VERSIONS[0]!)}.0`, path: rest }
}

function write(response: ServerResponse, answer: Answer, step: CallStep | undefined, record: GraphCall) {
  record.status = answer.status
  const { body, type = 'application/json; charset=UTF-8', headers = {} } = answer
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  response.writeHead(answer.status, { 'content-type': type, 'facebook-api-version': CURRENT, ...headers })
  response.end(step && 'garble' in step ? bytes.subarray(0, bytes.length / 2) : bytes)
}
