import { createServer, type IncomingMessage, type Server } from 'node:http'
import { proto } from 'baileys'
import { asJson, contentIn } from './control-content.ts'
import { type Invention, inventPast } from './past.ts'
import type { LinkOptions, Phone } from './phone.ts'
import type { WriteOptions } from './phone-outbox.ts'
import type { PhoneOptions, WhatsAppServer } from './server.ts'

type Body = Record<string, unknown>
type Verb = (server: WhatsAppServer, body: Body) => unknown
type PhoneVerb = (phone: Phone, body: Body) => unknown

/** Control calls of the server, as `METHOD /path`. */
const VERBS: Record<string, Verb> = {
  'GET /': ({ url, rootPublicKey, media: { host, certificate } }) => ({
    url,
    rootPublicKey: rootPublicKey.toString('hex'),
    media: { host, certificate },
  }),
  'GET /stats': stats,
  'POST /phones': async (server, body) => {
    const { account } = await server.addPhone(word(body, 'number'), body as PhoneOptions)
    return { number: account.number, lid: account.lid }
  },
  'POST /groups': (server, body) => {
    const members = (body.members as string[]).map(number => server.phone(number))
    return { id: server.addGroup(word(body, 'subject'), members).id }
  },
  'POST /drop': (server, { number }) => ({ dropped: server.dropSockets(number as string | undefined) }),
  'POST /faults/refuse': (server, { code }) => server.faults.refuse((code as number | null) ?? undefined),
  'POST /faults/fail': (server, body) =>
    void server.faults.failAcks(amount(body, 'code'), amount(body, 'times')),
  'POST /faults/corrupt': (server, body) =>
    server.faults.corrupt(word(body, 'number'), amount(body, 'times')),
  'POST /faults/drop-after': (server, body) =>
    server.faults.dropAfter(word(body, 'number'), amount(body, 'frames')),
  'POST /media/expire': ({ media }, { code }) => media.expire(code === 404 ? 404 : 410),
  'POST /media/refuse': ({ media }, body) => media.refuseUploads(amount(body, 'code'), amount(body, 'times')),
  'POST /media/break-off': ({ media }, body) => media.breakOff(amount(body, 'times')),
  'POST /media/stall': ({ media }, body) => media.stall(amount(body, 'times')),
  'POST /media/spoil': ({ media }, body) => media.spoil(amount(body, 'times')),
  'POST /media/slow': ({ media }, body) => media.slowDown(amount(body, 'bytesPerSecond')),
}

/** Control calls of a phone, as `METHOD /phones/NUMBER/…`. */
const PHONE_VERBS: Record<string, PhoneVerb> = {
  'POST scan': async (phone, body) => companion(await phone.scan(word(body, 'qr'), before(phone, body))),
  'POST code': async (phone, body) =>
    companion(await phone.enterCode(word(body, 'code'), before(phone, body))),
  'POST restrict': (phone, { seconds }) =>
    phone.restrict(seconds ? new Date(Date.now() + Number(seconds) * 1000) : null),
  'POST unlink': phone => phone.unlink(),
  'POST offline': phone => phone.goOffline(),
  'POST online': phone => phone.goOnline(),
  'GET messages': phone => phone.received().map(asJson),
  'POST messages': async (phone, body) => ({
    id: await phone.write(word(body, 'to'), contentIn(body), body as WriteOptions),
  }),
  'POST status': async (phone, body) => ({ id: await phone.post(contentIn(body), body.to as string[]) }),
  'POST past': (phone, body) =>
    phone.tellPast(
      inventPast({
        ...body,
        chats: amount(body, 'chats'),
        messages: amount(body, 'messages'),
        of: phone.number,
      }),
    ),
  'POST react': async (phone, body) => ({
    id: await phone.react(word(body, 'to'), word(body, 'id'), `${body.emoji ?? ''}`),
  }),
  'POST edit': async (phone, body) => ({
    id: await phone.edit(word(body, 'to'), word(body, 'id'), word(body, 'text')),
  }),
  'POST revoke': async (phone, body) => ({ id: await phone.revoke(word(body, 'to'), word(body, 'id')) }),
  'POST play': (phone, body) => phone.play(word(body, 'id')),
  'POST read': (phone, body) => phone.read(...(body.ids as string[])),
  'POST typing': (phone, body) =>
    phone.type(word(body, 'to'), word(body, 'state') as Parameters<Phone['type']>[1]),
  'GET typing': phone => Object.fromEntries(phone.typing()),
  'GET sent': phone => phone.sent(),
  'GET calls': phone => phone.calls(),
  'POST missed-call': (phone, body) => {
    const call = phone.call(word(body, 'to'), { video: body.video === true })
    call.end(body.hungUp === true ? 'terminate' : 'timeout')
    return { id: call.id }
  },
  'POST appear': (phone, body) => phone.appear(body.online === true ? 'available' : 'unavailable'),
  'POST rename': (phone, body) => phone.rename(word(body, 'name')),
  'POST picture': (phone, { picture }) =>
    phone.setPicture(typeof picture === 'string' ? Buffer.from(picture, 'base64') : undefined),
  'POST reveal': phone => phone.reveal(),
}

/**
 * Lets another process play the phones: JSON in, JSON out, on 127.0.0.1.
 * What goes wrong is answered with 400 and `{error}`, what is not there with 404.
 */
export async function startControl(server: WhatsAppServer, port = 0): Promise<Server> {
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

async function respond(server: WhatsAppServer, request: IncomingMessage) {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const body = await readBody(request)
  const verb = VERBS[`${request.method} ${pathname}`]
  if (verb) return { status: 200, body: await verb(server, body) }
  const [, phones, number = '', name] = pathname.split('/')
  const phoneVerb = phones === 'phones' ? PHONE_VERBS[`${request.method} ${name}`] : undefined
  if (phoneVerb) return { status: 200, body: await phoneVerb(server.phone(number), body) }
  return { status: 404, body: { error: `there is no ${request.method} ${pathname}` } }
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}
}

function stats({ tally, unknown, errors }: WhatsAppServer) {
  const { accepted, delivered, confirmed, retries, nacks, asked, unreadable } = tally
  const counts = Object.entries({ accepted, delivered, confirmed, retries })
  return {
    ...Object.fromEntries(counts.map(([name, ids]) => [name, Object.fromEntries(ids)])),
    nacks,
    asked,
    unreadable,
    unknown,
    errors: errors.map(({ message }) => message),
    process: { rss: process.memoryUsage.rss(), cpu: process.cpuUsage() },
  }
}

function companion({ account, id }: { account: { number: string }; id: number }) {
  return { number: account.number, device: id }
}

/** The phone's history: an invented past, or chunks. */
function before({ number }: Phone, { past, history }: Body): LinkOptions {
  if (past) return { past: inventPast({ ...(past as Invention), of: number }) }
  return history ? { history: (history as object[]).map(chunk => proto.HistorySync.fromObject(chunk)) } : {}
}

function word(body: Body, name: string): string {
  const value = body[name]
  if (typeof value !== 'string' || !value) throw new Error(`${name} must be a text`)
  return value
}

function amount(body: Body, name: string): number {
  const value = body[name] ?? 1
  if (typeof value !== 'number') throw new Error(`${name} must be a number`)
  return value
}
