import { createServer } from 'node:http'
import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { MAX_FILES } from '@balcao/contract/media.ts'
import { messages } from '@balcao/contract/messages.ts'
import {
  type ApiOperation,
  apiDocuments,
  PublicMessage,
  publicApi,
  SENDS_PER_MINUTE,
} from '@balcao/contract/publicApi.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { WebhookPayload } from '@balcao/contract/webhooks.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { paper, photo } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import type { Chat } from '../../driver.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { receiveMessage } from '../messages/inbound/inbound.actions.ts'

let app: TestApp
let admin: Person
let caio: Person
let stranger: Person
let rows: Rows
let whatsappId: number
/** A shop's own server: `/foto.jpg` is a picture, `/vazia.jpg` has no bytes, anything else is not there. */
let fetched = 0
/** `/espera` answers when it is notified to. */
const opening = Promise.withResolvers<void>()
const shop = createServer(({ url }, response) => {
  fetched++
  response.statusCode = /^\/(foto|vazia|espera)/.test(url ?? '') ? 200 : 404
  if (url === '/espera') return void opening.promise.then(() => response.end(photo().bytes))
  if (url === '/foto-grande.jpg') {
    response.write(photo().bytes)
    response.write(new Uint8Array(17 * 1_048_576))
  }
  response.end(url?.startsWith('/foto.jpg') ? photo().bytes : '')
})
const at = (path: string) => `http://127.0.0.1:${(shop.address() as { port: number }).port}${path}`

beforeAll(async () => {
  await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve))
  app = await openTestApp({ OUTBOUND_ALLOW: '127.0.0.1' })
  admin = await app.as('admin@balcao.test')
  caio = await app.as('caio@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
  whatsappId = await rows.connection()
  await until(
    async () => (await admin.get(connections.show, { params: { whatsappId } })).status === 'CONNECTED',
  )
})
afterAll(async () => {
  await app.close()
  shop.close()
})

const make = (fields: object = {}, who = admin) =>
  who.get(apiTokens.create, { body: { name: 'Loja virtual', whatsappId, ...fields } })
const as = (token: string, headers: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${token}`, ...headers },
})
const receivedBy = async (number: string) =>
  (await admin.get(simulator.chat, { params: { whatsappId, number } })).filter(one => one.fromMe)
const arrived = (number: string, count = 1) =>
  until(async () => {
    const received = await receivedBy(number)
    return received.length >= count && received
  })
const text = (token: string, body: object, headers: Record<string, string> = {}) =>
  app.anonymous.call(publicApi.text, { body: body as { number: string }, ...as(token, headers) })

test('a token is told once: it is kept as a hash, and lists name it by a handle that sends nothing [API-023, ENTITY-027, TOKEN-009]', async () => {
  const made = await make()
  expect(made).toMatchObject({ userId: admin.user.id, ticketSetStatus: 'closed', usedAt: null })
  expect(made.ending).toBe(made.id.slice(-4))
  expect(await admin.get(apiTokens.show, { params: { tokenId: made.id } })).toEqual(made)
  const kept = await app.platform.scopes
    .inCompany(admin.user.companyId)
    .read(async tx => JSON.stringify(await tx.sql.execute(`select * from api_tokens`)))
  expect(kept).not.toContain(made.id)
  for (const who of [admin, caio]) {
    const { apiSendMessageTokens } = await who.get(apiTokens.list, { query: { searchParam: 'virtual' } })
    const listed = apiSendMessageTokens.find(({ ending }) => ending === made.ending)!
    expect(listed).toEqual({ ...made, id: expect.not.stringMatching(made.id) })
    const refused = await text(listed.id, { number: newNumber(), body: 'Oi' })
    expect([refused.status, refused.body.error]).toEqual([401, 'ERR_API_TOKEN'])
    expect(await who.get(apiTokens.show, { params: { tokenId: listed.id } })).toEqual(listed)
    const theirs = await stranger.call(apiTokens.show, { params: { tokenId: listed.id } })
    expect(theirs.body.error).toBe('ERR_NOT_FOUND')
  }
  expect((await text(made.id, { number: newNumber(), body: 'Oi' })).status).toBe(200)
  const theirs = await stranger.get(apiTokens.list, { query: {} })
  expect(theirs.apiSendMessageTokens).toEqual([])
})

test('a token is refused when its time is over; renewed it is another, which is told once', async () => {
  const past = await admin.call(apiTokens.create, {
    body: { name: 'Curto', whatsappId, expiresAt: '2020-01-01T00:00:00Z' },
  })
  expect([past.status, past.body.field]).toEqual([400, 'expiresAt'])
  const made = await make({ name: 'Curto', expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
  const say = (token: string) => text(token, { number: newNumber(), body: 'Oi' })
  expect((await say(made.id)).status).toBe(200)
  await app.database.script(`update api_tokens set expires_at = now() where name = 'Curto'`)
  expect((await say(made.id)).body.error).toBe('ERR_API_TOKEN')
  const { apiSendMessageTokens: listed } = await admin.get(apiTokens.list, {
    query: { searchParam: 'Curto' },
  })
  const renewed = await admin.get(apiTokens.renew, { params: { tokenId: listed[0]!.id } })
  expect(renewed).toMatchObject({ ending: renewed.id.slice(-4), usedAt: null, expiresAt: null })
  expect((await say(renewed.id)).status).toBe(200)
  expect((await say(made.id)).body.error).toBe('ERR_API_TOKEN')
})

test('admins and its owner change a token, others read it (TOKEN-011, ROLE-006) [ROLE-005, ROLE-006, API-023, TOKEN-011]', async () => {
  const mine = await make({}, caio)
  const others = await make()
  const body = { name: 'Outro nome', whatsappId }
  expect(await caio.get(apiTokens.change, { params: { tokenId: mine.id }, body })).toMatchObject({
    name: 'Outro nome',
    userId: caio.user.id,
  })
  for (const route of [apiTokens.renew, apiTokens.remove])
    expect((await caio.call(route, { params: { tokenId: others.id } })).status).toBe(403)
  expect((await caio.call(apiTokens.show, { params: { tokenId: others.id } })).status).toBe(200)
  const named = { name: 'De outro', whatsappId, userId: admin.user.id }
  expect((await caio.call(apiTokens.create, { body: named })).body.field).toBe('userId')
})

test('a text leaves over the connection of its token, to somebody new, and is answered as documented (PUBAPI-004, PUBAPI-007, PUBAPI-011) [API-025, ENTITY-032, PUBAPI-004, PUBAPI-007, PUBAPI-009, PUBAPI-011]', async () => {
  const queueId = admin.user.queues[0]!.id
  const { id } = await make({ queueId, ticketSetStatus: 'open' })
  const number = newNumber()
  const { status, body } = await text(id, { contactNumber: `+${number}`, contactName: 'Ana', body: 'Oi' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ contactName: 'Ana', contactNumber: number, ticketStatus: 'open' })
  expect((await arrived(number)).map(one => one.body)).toEqual(['Oi'])
  const ticketId = Number(body.ticketUrl.split('/').at(-1))
  const ticket = await admin.get(tickets.show, { params: { ticketId } })
  expect(ticket).toMatchObject({ protocol: body.ticketProtocol, queueId, whatsappId, userId: admin.user.id })
  const { messages: said } = await admin.get(messages.list, { params: { ticketId } })
  expect(said).toMatchObject([{ id: body.messageId, source: 'api', fromMe: true }])
  const state = await until(async () => {
    const asked = { params: { messageId: body.messageId }, ...as(id) }
    const notified = await app.anonymous.get(publicApi.status, asked)
    return notified.status !== 'waiting' && notified
  })
  expect(state).toMatchObject({ reason: '', ticketProtocol: body.ticketProtocol })
  expect((await admin.get(apiTokens.show, { params: { tokenId: id } })).usedAt).not.toBeNull()
})

test('both names of the number are taken on each path, which may end in a slash (OP-08) [OP-08, PUBAPI-002, PUBAPI-006]', async () => {
  const { id } = await make()
  const number = newNumber()
  const say = (route: typeof publicApi.send, body: object) =>
    app.anonymous.call(route, { body: body as { number: string }, ...as(id) })
  expect((await say(publicApi.send, { number, body: 'um' })).status).toBe(200)
  expect((await say(publicApi.send, { contactNumber: number, body: 'dois' })).status).toBe(200)
  expect((await text(id, { number, body: 'três' })).status).toBe(200)
  const slash = await fetch(`${app.url}/api/messages/send/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...as(id).headers },
    body: JSON.stringify({ number, body: 'quatro' }),
  })
  expect(slash.status).toBe(200)
  expect((await arrived(number, 4)).map(one => one.body)).toEqual(['um', 'dois', 'três', 'quatro'])
})

test('the ticket goes on, is made anew, or goes when its message has left (TOKEN-004, TOKEN-005) [TOKEN-004 … TOKEN-005]', async () => {
  const number = newNumber()
  const send = async (token: string) => (await text(token, { number, body: 'Oi' })).body.ticketProtocol
  const update = (await make({ ticketSetStatus: 'pending' })).id
  const first = await send(update)
  expect(await send(update)).toBe(first)
  const create = (await make({ ticketSetStatus: 'closed', ticketCreateOrUpdate: 'create' })).id
  const [another, third] = [await send(create), await send(create)]
  expect(new Set([first, another, third]).size).toBe(3)

  const destroys = (await make({ ticketSetStatus: 'destroy', ticketCreateOrUpdate: 'create' })).id
  const { body } = await text(destroys, { number: newNumber(), body: 'Código 1234' })
  expect(await arrived(body.contactNumber)).toHaveLength(1)
  const ticketId = Number(body.ticketUrl.split('/').at(-1))
  await until(async () => (await admin.call(tickets.show, { params: { ticketId } })).status === 404)
  // what went with its ticket was sent all the same
  const asked = { params: { messageId: body.messageId }, ...as(destroys) }
  expect((await app.anonymous.get(publicApi.status, asked)).status).toMatch(/sent|delivered|read/)
})

test('of several files of one call, or addresses in one form, none is lost, and each message is asked for by its own id [PUBAPI-003]', async () => {
  const { id } = await make({ queueId: await rows.queue() })
  const number = newNumber()
  const form = new FormData()
  form.append('number', number)
  for (const path of ['/foto.jpg', '/foto.jpg?dois']) form.append('medias', at(path))
  const sent = await fetch(`${app.url}/api/messages/send/media`, { method: 'POST', body: form, ...as(id) })
  expect(sent.status).toBe(200)
  expect((await arrived(number, 2)).map(one => one.mediaType)).toEqual(['image', 'image'])
  const answer = (await sent.json()) as { ticketUrl: string }
  const ticketId = Number(answer.ticketUrl.split('/').at(-1))
  const { messages: said } = await admin.get(messages.list, { params: { ticketId } })
  for (const { id: messageId } of said) {
    const state = await app.anonymous.get(publicApi.status, { params: { messageId }, ...as(id) })
    expect(state).toMatchObject({ messageId, status: expect.stringMatching(/sent|delivered|read/) })
  }
  // such as a bill: it is read where its conversation is
  expect((await admin.fetch(said[0]!.mediaUrl!)).status).toBe(200)
  expect((await caio.fetch(said[0]!.mediaUrl!)).status).toBe(404)
})

test.each([
  ['5511970000001, 5511970000002', 'number', 'Not a phone number'],
  ['5511970000001:12@s.whatsapp.net', 'number', 'Not a phone number'],
  ['123456789012345@lid', 'number', 'Not a phone number'],
  ['120363000000000000@g.us', 'number', 'Not a phone number'],
  ['-5511970000001.5', 'number', 'Not a phone number'],
  ['5'.repeat(30), 'number', 'Too Long!'],
])(
  'what is no number of a person is refused, not made one: %s [PUBAPI-008]',
  async (number, field, message) => {
    const refused = { status: 400, body: { error: 'ERR_BAD_REQUEST', field, message } }
    expect(await text((await make()).id, { number, body: 'Oi' })).toMatchObject(refused)
  },
)

test('a ticket or a contact stands for a number, also one known only by LID or a group; nothing of others is reached', async () => {
  const { id } = await make()
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const receive = async (chat: Chat) => {
    const received = { kind: 'message' as const, externalId: newNumber(), fromMe: false, name: 'Rita' }
    const at = new Date().toISOString()
    await scope.transaction(tx =>
      receiveMessage(tx, whatsappId, { ...received, chat, body: 'Oi', mediaType: null, at }),
    )
    const [row] = await scope.read(tx =>
      rowsFrom<{ ticketId: number; contactId: number }>(
        tx.sql,
        tag`select id as "ticketId", contact_id as "contactId" from tickets order by id desc limit 1`,
      ),
    )
    return row!
  }
  const hidden = await receive({ kind: 'lid', value: newNumber() })
  const group = await receive({ kind: 'group', value: `12036300000${newNumber()}`.slice(0, 18) })
  const key = { 'idempotency-key': 'resposta-1' }
  const answer = () => text(id, { ticketId: hidden.ticketId, body: 'Pelo atendimento' }, key)
  const [one, two] = [await answer(), await answer()]
  expect([one.status, two.body]).toEqual([200, one.body])
  expect(one.body).toMatchObject({ contactName: 'Rita', contactNumber: '', ticketStatus: 'pending' })
  expect((await text(id, { contactId: String(hidden.contactId), body: 'Pelo contato' })).status).toBe(200)
  expect((await text(id, { ticketId: group.ticketId, body: 'Ao grupo' })).status).toBe(200)
  const { messages: said } = await admin.get(messages.list, { params: { ticketId: hidden.ticketId } })
  expect(said.map(({ body }) => body)).toEqual(['Oi', 'Pelo atendimento', 'Pelo contato'])
  const other = await text(id, { ticketId: group.ticketId, body: 'Pelo atendimento' }, key)
  expect(other.body.error).toBe('ERR_IDEMPOTENCY_KEY')

  const refused = async (body: object, token = id) => {
    const answered = await text(token, { body: 'Oi', ...body })
    return [answered.status, answered.body.error, answered.body.field]
  }
  const both = { ticketId: hidden.ticketId, contactId: hidden.contactId }
  expect(await refused(both)).toEqual([400, 'ERR_BAD_REQUEST', 'ticketId'])
  expect(await refused({ ticketId: 'abc' })).toEqual([400, 'ERR_BAD_REQUEST', 'ticketId'])
  const noTicket = [404, 'ERR_NO_TICKET_FOUND', 'ticketId']
  const elsewhere = await make({ whatsappId: await rows.connection() })
  await until(async () => (await refused({ number: newNumber() }, elsewhere.id))[0] === 200)
  expect(await refused({ ticketId: hidden.ticketId }, elsewhere.id)).toEqual(noTicket)
  // a ticket of a colleague that the token's user does not see
  const { id: ofCaio } = await make({}, caio)
  const params = { ticketId: hidden.ticketId }
  await admin.get(tickets.change, {
    params,
    body: { transf: true, queueId: await rows.queue(), userId: null },
  })
  expect(await refused({ ticketId: hidden.ticketId }, ofCaio)).toEqual(noTicket)
  const strangers = await rowsOf(app, stranger).connection()
  const theirs = await make({ whatsappId: strangers }, stranger)
  await until(async () => (await refused({ number: newNumber() }, theirs.id))[0] === 200)
  expect(await refused({ ticketId: hidden.ticketId }, theirs.id)).toEqual(noTicket)
  expect((await refused({ contactId: hidden.contactId }, theirs.id)).slice(0, 2)).toEqual([
    ...[404, 'ERR_NO_CONTACT_FOUND'],
  ])
})

test('a number may be a JSON number, as WhatsApp writes it, dialled abroad, or by one name alone; not two', async () => {
  const { id } = await make()
  const number = newNumber()
  const spellings = [
    ...[{ number: Number(number) }, { number: `${number}@s.whatsapp.net` }, { number: `00${number}` }],
    ...[{ number: `+${number.slice(0, 2)} (${number.slice(2, 4)}) ${number.slice(4)}` }],
    ...[
      { number: null, contactNumber: number },
      { number: '', contactNumber: `+${number}` },
    ],
  ]
  for (const spelling of spellings) {
    const { status, body } = await text(id, { ...spelling, body: 'Oi' })
    expect([spelling, status, body.contactNumber]).toEqual([spelling, 200, number])
  }
  const two = await text(id, { number, contactNumber: newNumber(), body: 'Oi' })
  expect([two.status, two.body.field]).toEqual([400, 'contactNumber'])
})

test('files leave as they are uploaded or named by an address; a private address is not called (PUBAPI-003, PUBAPI-005) [API-025, PUBAPI-003, PUBAPI-005]', async () => {
  const { id } = await make()
  const number = newNumber()
  const call = (route: typeof publicApi.media, body: object, files?: ReturnType<typeof photo>[]) =>
    app.anonymous.call(route, {
      body: { number, ...body } as { number: string },
      ...(files && { files }),
      ...as(id),
    })
  expect((await call(publicApi.media, { body: 'Veja' }, [photo(), paper()])).status).toBe(200)
  expect((await call(publicApi.send, { medias: at('/foto.jpg') })).status).toBe(200)
  expect((await call(publicApi.send, { body: 'A nota' }, [paper()])).status).toBe(200)
  const received = (await arrived(number, 4)).map(one => one.mediaType)
  expect(received).toEqual(['image', 'document', 'image', 'document'])

  const refused = async (body: object, files?: ReturnType<typeof photo>[]) => {
    const answer = await call(publicApi.media, body, files)
    return [answer.status, answer.body.error, answer.body.field]
  }
  expect(await refused({})).toEqual([400, 'ERR_BAD_REQUEST', 'medias'])
  expect(await refused({ medias: 'http://10.0.0.1/foto.jpg' })).toEqual([400, 'ERR_MEDIA_ADDRESS', 'medias'])
  expect(await refused({ medias: 'http://169.254.169.254/latest' })).toEqual([
    400,
    'ERR_MEDIA_ADDRESS',
    'medias',
  ])
  expect(await refused({ medias: at('/nada.jpg') })).toEqual([400, 'ERR_MEDIA_ADDRESS', 'medias'])
  expect(await refused({ medias: 'ftp://loja.test/a' })).toEqual([400, 'ERR_BAD_REQUEST', 'medias.0'])
  expect((await refused({ medias: at('/vazia.jpg') }))[0]).toBe(415)
  expect((await refused({}, [{ ...photo(), bytes: new Uint8Array() }]))[0]).toBe(415)
  expect(await refused({}, Array.from({ length: MAX_FILES + 1 }, photo))).toEqual([
    ...[400, 'ERR_BAD_REQUEST', 'body'],
  ])
  expect((await refused({ medias: at('/foto-grande.jpg') })).slice(0, 2)).toEqual([413, 'ERR_FILE_TOO_LARGE'])
  expect(await receivedBy(number)).toHaveLength(4)
  // what was sent is not fetched a second time
  const key = { 'idempotency-key': 'foto' }
  const once = { body: { number, medias: [at('/foto.jpg?um')] }, ...as(id, key) }
  const before = fetched
  const [one, two] = [
    await app.anonymous.call(publicApi.send, once),
    await app.anonymous.call(publicApi.send, once),
  ]
  expect([one.status, two.body, fetched - before]).toEqual([200, one.body, 1])
})

test('a key is one message for a day: again, and two at once; with other words it is refused', async () => {
  const { id } = await make()
  const number = newNumber()
  const key = { 'idempotency-key': 'pedido-77' }
  const [one, two] = await Promise.all([
    text(id, { number, body: 'Pedido 77' }, key),
    text(id, { number, body: 'Pedido 77' }, key),
  ])
  expect([one.status, two.status]).toEqual([200, 200])
  expect(two.body).toEqual(one.body)
  expect((await text(id, { number, body: 'Pedido 77' }, key)).body).toEqual(one.body)
  const other = await text(id, { number, body: 'Pedido 78' }, key)
  expect([other.status, other.body.error]).toEqual([409, 'ERR_IDEMPOTENCY_KEY'])
  expect(await arrived(number)).toHaveLength(1)
  // another token has keys of its own
  expect((await text((await make()).id, { number, body: 'Pedido 78' }, key)).status).toBe(200)
  await app.database.script(`update api_sends set created_at = now() - interval '25 hours'`)
  expect((await text(id, { number, body: 'Pedido 78' }, key)).status).toBe(200)
  expect(await arrived(number, 3)).toHaveLength(3)
})

test('what is refused says why, sends nothing and leaves no contact behind (PUBAPI-008) [OP-132, PUBAPI-008]', async () => {
  const { id } = await make()
  const refused = async (body: object) => {
    const answer = await text(id, body)
    return [answer.status, answer.body.error, answer.body.field]
  }
  const number = newNumber()
  expect(await refused({ body: 'Oi' })).toEqual([400, 'ERR_BAD_REQUEST', 'number'])
  expect(await refused({ number: 'abc', body: 'Oi' })).toEqual([400, 'ERR_BAD_REQUEST', 'number'])
  expect(await refused({ number: '5,5119E+12', body: 'Oi' })).toEqual([400, 'ERR_BAD_REQUEST', 'number'])
  expect(await refused({ number, body: '  ' })).toEqual([400, 'ERR_BAD_REQUEST', 'body'])
  expect(await refused({ number, body: 'a\0b' })).toEqual([400, 'ERR_BAD_REQUEST', 'body'])
  const { contacts: found } = await admin.get(contacts.list, { query: { searchParam: number } })
  expect(found).toEqual([])
  const long = await text(id, { number, body: 'Oi' }, { 'idempotency-key': 'a'.repeat(256) })
  expect([long.status, long.body.field]).toEqual([400, 'Idempotency-Key'])
})

test('a token that is unknown, renewed, revoked or of somebody logged in is refused alike (PUBAPI-001, PUBAPI-010) [PUBAPI-001, PUBAPI-008, PUBAPI-010]', async () => {
  const { id } = await make()
  const body = { number: newNumber(), body: 'Oi' }
  const refused = async (token: string) => {
    const answer = await text(token, body)
    return [answer.status, answer.body.error]
  }
  const no = [401, 'ERR_API_TOKEN']
  const renewed = await admin.get(apiTokens.renew, { params: { tokenId: id } })
  expect(renewed.id).not.toBe(id)
  expect(await refused(id)).toEqual(no)
  const { body: sent, status } = await text(renewed.id, body)
  expect(status).toBe(200)
  expect(await refused(admin.token)).toEqual(no)
  expect(await refused('nada')).toEqual(no)
  expect((await app.anonymous.call(publicApi.send, { body })).status).toBe(401)
  // before anything else of the call is looked at
  for (const type of ['application/json', 'application/xml']) {
    const broken = { method: 'POST', headers: { 'content-type': type }, body: '{"number":' }
    expect((await fetch(`${app.url}/api/messages/send`, broken)).status).toBe(401)
  }
  // neither another company's token nor another of the same company reads what this one sent
  const line = await rowsOf(app, stranger).connection()
  const foreign = await stranger.get(apiTokens.create, { body: { name: 'Outra loja', whatsappId: line } })
  for (const token of [foreign.id, (await make()).id]) {
    const asked = { params: { messageId: sent.messageId }, ...as(token) }
    expect((await app.anonymous.call(publicApi.status, asked)).status).toBe(404)
  }
  const stolen = await stranger.call(apiTokens.create, { body: { name: 'Loja', whatsappId } })
  expect([stolen.status, stolen.body.error]).toEqual([404, 'ERR_NO_WAPP_FOUND'])
  await admin.get(apiTokens.remove, { params: { tokenId: renewed.id } })
  expect(await refused(renewed.id)).toEqual(no)
})

test('a token of a connection that is down or gone says so, and sends again over another', async () => {
  const line = await rows.connection()
  const { id } = await make({ whatsappId: line })
  const body = { number: newNumber(), body: 'Oi' }
  await until(
    async () => (await admin.get(connections.show, { params: { whatsappId: line } })).status === 'CONNECTED',
  )
  await admin.get(connections.remove, { params: { whatsappId: line } })
  expect((await text(id, body)).body.error).toBe('ERR_NO_WAPP_FOUND')
  expect((await admin.get(apiTokens.show, { params: { tokenId: id } })).whatsappId).toBeNull()
  await admin.get(apiTokens.change, { params: { tokenId: id }, body: { name: 'Loja', whatsappId } })
  expect((await text(id, body)).status).toBe(200)
})

test('a token whose user is gone is revoked, or sends on as that of the colleague who takes it, and what it sent stays whose it was', async () => {
  const userId = await rows.user()
  const { id } = await make({ userId })
  const body = { number: newNumber(), body: 'Oi' }
  const sent = await text(id, body)
  await admin.get(users.remove, { params: { userId }, query: { heirId: caio.user.id } })
  expect((await admin.get(apiTokens.show, { params: { tokenId: id } })).userId).toBe(caio.user.id)
  const after = await text(id, body)
  const sends = await app.platform.scopes
    .inCompany(admin.user.companyId)
    .read(tx =>
      rowsFrom<{ user_id: number }>(
        tx.sql,
        tag`select user_id from api_sends where id in (${sent.body.messageId}, ${after.body.messageId}) order by created_at`,
      ),
    )
  expect(sends.map(({ user_id }) => user_id)).toEqual([userId, caio.user.id])

  const second = await rows.user()
  const theirs = await make({ userId: second })
  await admin.get(users.remove, { params: { userId: second } })
  expect((await text(theirs.id, body)).body.error).toBe('ERR_API_TOKEN')
  expect((await admin.call(apiTokens.show, { params: { tokenId: theirs.id } })).status).toBe(404)

  // one from before an heir was required: only a new id lets it send again
  const old = await make({ name: 'Antigo' })
  await app.database.script(`update api_tokens set user_id = null where name = 'Antigo'`)
  const { id: tokenId } = await admin.get(apiTokens.change, {
    params: { tokenId: old.id },
    body: { name: 'Antigo', whatsappId },
  })
  expect((await text(old.id, body)).body.error).toBe('ERR_API_TOKEN')
  const renewed = await admin.get(apiTokens.renew, { params: { tokenId } })
  expect(renewed.userId).toBe(admin.user.id)
  expect((await text(renewed.id, body)).status).toBe(200)
})

test('a token of a company that is switched off sends nothing, and does when it is on again (OP-45) [OP-45]', async () => {
  const { id } = await make()
  const body = { number: newNumber(), body: 'Oi' }
  const turn = (status: 0 | 1) =>
    app.database.script(`update companies set status = ${status} where id = ${admin.user.companyId}`)
  await turn(0)
  const refused = await text(id, body)
  await turn(1)
  expect([refused.status, refused.body.error]).toEqual([401, 'ERR_API_TOKEN'])
  expect((await text(id, body)).status).toBe(200)
})

test('a token of a company whose plan has no API sends nothing (OP-25) [OP-25]', async () => {
  const { id } = await make()
  const body = { number: newNumber(), body: 'Oi' }
  const turn = (isOn: boolean) =>
    app.database.script(`update plans set enable_api = ${isOn} where company_id = ${admin.user.companyId}`)
  await turn(false)
  const refused = await text(id, body)
  await turn(true)
  expect([refused.status, refused.body.error]).toEqual([402, 'ERR_NOT_IN_PLAN'])
  expect((await text(id, body)).status).toBe(200)
})

test('a token calls so often a minute, over all its paths, and is told when to come again', async () => {
  const { id } = await make()
  const calls = Array.from({ length: SENDS_PER_MINUTE }, (_, at) =>
    app.anonymous.call(at % 2 ? publicApi.send : publicApi.text, { body: { number: '1' }, ...as(id) }),
  )
  expect((await Promise.all(calls)).every(({ status }) => status === 400)).toBe(true)
  // of what was counted before a full minute a little has faded: a few more may pass
  const more = () => text(id, { number: newNumber(), body: 'Oi' })
  const over = await until(async () => {
    const answer = await more()
    return answer.status !== 200 && answer
  })
  expect([over.status, over.body.error]).toEqual([429, 'ERR_TOO_MANY_REQUESTS'])
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await text((await make()).id, { number: newNumber(), body: 'Oi' })).status).toBe(200)
})

test('of one company so many calls fetch files at once; another is told to come again, and others are served', async () => {
  const { id } = await make()
  const ask = (path: string, token = id) =>
    app.anonymous.call(publicApi.media, { body: { number: newNumber(), medias: at(path) }, ...as(token) })
  const before = fetched
  const calls = Array.from({ length: 8 }, () => ask('/espera'))
  await until(() => fetched === before + 8)
  const over = await ask('/foto.jpg')
  expect([over.status, over.body.error, over.headers.get('retry-after')]).toEqual([
    429,
    'ERR_TOO_MANY_REQUESTS',
    '2',
  ])
  const strangers = await rowsOf(app, stranger).connection()
  const theirs = await make({ whatsappId: strangers }, stranger)
  expect((await ask('/foto.jpg', theirs.id)).status).not.toBe(429)
  opening.resolve()
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await ask('/foto.jpg')).status).toBe(200)
})

test('a company has fifty tokens', async () => {
  await stranger.get(apiTokens.list, { query: {} })
  const strangers = await rowsOf(app, stranger).connection()
  const add = () => stranger.call(apiTokens.create, { body: { name: 'Mais um', whatsappId: strangers } })
  expect((await add()).status).toBe(200)
  await app.database.script(`insert into api_tokens (company_id, name, hash, whatsapp_id, ticket_set_status, ticket_create_or_update)
    select company_id, name, hash || at, whatsapp_id, ticket_set_status, ticket_create_or_update
    from (select * from api_tokens where company_id = ${stranger.user.companyId} limit 1) one, generate_series(1, 60) at`)
  const over = await add()
  expect([over.status, over.body.error]).toEqual([409, 'ERR_TOO_MANY_TOKENS'])
})

test('the description tells the public calls and nothing else (APIDOC-001) [API-024]', async () => {
  const notified = (await admin.get(apiDocuments.show)) as { openapi: string; paths: Record<string, object> }
  expect(notified.openapi).toBe('3.1.0')
  expect(Object.keys(notified.paths)).toEqual([
    '/api/messages/send',
    '/api/messages/send/text',
    '/api/messages/send/media',
    '/api/messages/{messageId}',
  ])
  expect(notified.paths['/api/messages/send/text']).toMatchObject({
    post: { responses: { 401: expect.anything(), 402: expect.anything(), 429: expect.anything() } },
  })
  const { webhooks: told } = await admin.get(apiDocuments.show)
  for (const [type, { post }] of Object.entries(told!)) {
    const { example } = post.requestBody.content['application/json']!
    expect(WebhookPayload.parse(example)).toEqual(example)
    expect(example).toMatchObject({ type })
  }
  const fields = notified.paths['/api/messages/send'] as { post: ApiOperation }
  const { examples, schema } = fields.post.requestBody!.content['application/json']!
  expect(Object.keys(examples!)).toEqual(['number', 'ticketId', 'contactId'])
  for (const { value } of Object.values(examples!)) PublicMessage.parse(value)
  const described = { type: 'integer', description: expect.any(String) }
  expect(schema.properties).toMatchObject({ ticketId: described, contactId: described })
})
