import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Account, AccountEvent } from './account.ts'
import { type Body, CUSTOMER_VERBS, list, word } from './control-customers.ts'
import type { CallStep, DeliveryStep, DownloadStep } from './faults.ts'
import type { PhoneNumberOptions, Quality } from './phone-number.ts'
import type { CloudApiServer } from './server.ts'
import type { Template, TemplateOptions, TemplateStatus } from './templates.ts'
import type { Hold } from './webhooks.ts'

type Verb = (server: CloudApiServer, body: Body) => unknown

/** Control calls of the server, as `METHOD /path`. */
const VERBS: Record<string, Verb> = {
  'GET /': identity,
  'GET /stats': ({ calls, sent, webhooks, unknown, errors, ...server }) => ({
    ...{ calls: calls.length, sent: sent.length, attempts: webhooks.attempts.length },
    ...{ doubled: server.doubled(), givenUp: webhooks.givenUp.length, unknown },
    errors: errors.map(({ message }) => message),
  }),
  'GET /calls': ({ calls }) => calls,
  'GET /deliveries': ({ webhooks }) => webhooks.attempts,
  'GET /sent': ({ sent }) =>
    sent.map(({ id, number, input, content, callbackData, statuses, failure }) => ({
      ...{
        id,
        number: number.digits,
        to: input,
        type: content.type,
        text: content.text,
        callbackData,
        statuses,
      },
      failure: failure?.code,
    })),
  'POST /subscribe': (server, body) => server.app.subscribe(word(body, 'url'), word(body, 'verifyToken')),
  'POST /customers': (server, body) => ({ userId: server.addCustomer(word(body, 'number'), body).userId() }),
  'POST /numbers': (server, body) => ({
    id: server.account.addNumber(word(body, 'number'), body as PhoneNumberOptions).id,
  }),
  'POST /templates': (server, body) => ({
    id: server.account.addTemplate(body as Body & TemplateOptions).id,
  }),
  'POST /settle': server => server.settled(),
  'POST /clock': async (server, body) => {
    await server.clock.advance(Number(body.advance ?? 0))
    return { now: server.clock.now() }
  },
  'POST /faults/calls': (server, body) => server.faults.calls.next(...list<CallStep>(body, 'steps')),
  'POST /faults/deliveries': (server, body) =>
    server.faults.deliveries.next(...list<DeliveryStep>(body, 'steps')),
  'POST /faults/downloads': (server, body) =>
    server.faults.downloads.next(...list<DownloadStep>(body, 'steps')),
  'POST /faults/failures': (server, body) =>
    server.faults.failures.next(...list<{ code: number }>(body, 'steps')),
  'POST /faults/at-once': (server, body) => {
    for (const code of list<number>(body, 'codes')) server.faults.atOnce.add(code)
  },
  'POST /faults/clear': server => server.faults.clear(),
  'POST /webhooks/hold': server => void holds.set(server, server.webhooks.hold()),
  'POST /webhooks/release': (server, body) => holds.get(server)?.release(body),
  'POST /webhooks/forget': server => holds.get(server)?.forget(),
  'POST /token/expire': ({ token }) => token.expire(),
  'POST /token/revoke': ({ token }) => token.revoke(),
  'POST /token/new': server => {
    server.token = server.app.addToken([server.account])
    return identity(server)
  },
  'POST /account/update': ({ account }, { event, ...more }) => account.update(event as AccountEvent, more),
  'POST /account/alert': ({ account }, body) => account.alert(word(body, 'type'), word(body, 'description')),
  'POST /number/quality': ({ number }, body) => number.setQuality(word(body, 'quality') as Quality),
  'POST /template/decide': ({ account }, body) =>
    templateOf(account, word(body, 'name')).decide(
      word(body, 'status') as TemplateStatus,
      body.reason as string | undefined,
    ),
}

const holds = new WeakMap<CloudApiServer, Hold>()

/**
 * Lets another process play Meta and the customers: JSON in, JSON out, on 127.0.0.1; bytes of files in base64.
 * What goes wrong is answered with 400 and `{error}`, what is not there with 404.
 */
export async function startControl(server: CloudApiServer, port = 0): Promise<Server> {
  const control = createServer(async (request, response) => {
    const answer = await respond(server, request).catch(error => ({
      status: 400,
      body: { error: error.message },
    }))
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body ?? {}))
  })
  await new Promise<void>((resolve, reject) => {
    control.once('error', reject)
    control.listen(port, '127.0.0.1', resolve)
  })
  return control
}

async function respond(server: CloudApiServer, request: IncomingMessage) {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const body = await readBody(request)
  const verb = VERBS[`${request.method} ${pathname}`]
  if (verb) return { status: 200, body: await verb(server, body) }
  const [, customers, number = '', name] = pathname.split('/')
  const customerVerb = customers === 'customers' ? CUSTOMER_VERBS[`${request.method} ${name}`] : undefined
  if (customerVerb) return { status: 200, body: await customerVerb(server.customer(number), body, server) }
  return { status: 404, body: { error: `there is no ${request.method} ${pathname}` } }
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const revive = (key: string, value: unknown) =>
    key === 'bytes' && typeof value === 'string' ? Buffer.from(value, 'base64') : value
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString(), revive) : {}
}

function identity({ url, app, account, number, token }: CloudApiServer) {
  return {
    url,
    app: { id: app.id, secret: app.secret },
    account: { id: account.id },
    number: { id: number.id, digits: number.digits },
    token: token.value,
  }
}

function templateOf({ templates }: Account, name: string): Template {
  const template = templates.find(one => one.name === name)
  if (!template) throw new Error(`there is no template ${name}`)
  return template
}
