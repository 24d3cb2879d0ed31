import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { auth } from '@balcao/contract/auth.ts'
import { clients } from '@balcao/contract/clients.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { openToVisitors } from '@balcao/contract/visits.rules.ts'
import { visitChannel, visits } from '@balcao/contract/visits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { photo } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { features } from '../../features.ts'
import { itemsOf } from '../../platform/features.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let app: TestApp
let master: Person
let admin: Person
let stranger: Person
let home: number
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  home = admin.user.companyId
})
afterAll(() => app.close())

const input = { reason: 'Chamado 42: fila vazia', minutes: 30 as const }
const start = (companyId = home, body: object = input, who = master) =>
  who.call(visits.start, { params: { companyId }, body: body as typeof input })

async function visit(companyId = home) {
  const { token, user, visit } = await master.get(visits.start, { params: { companyId }, body: input })
  return { visit, visitor: app.holding(token, user) }
}
const end = (visitId: string, companyId = home) => master.call(visits.end, { params: { companyId, visitId } })
const read = (who: Person, companyId = home) => who.get(visits.list, { params: { companyId } })

test('a master sees nothing of a company without a visit; with one what its admins see, and nothing of his own [GEN-001]', async () => {
  const ticketId = await rowsOf(app, admin).ticket()
  expect((await master.call(tickets.show, { params: { ticketId } })).status).toBe(404)
  expect((await master.call(messages.list, { params: { ticketId } })).status).toBe(404)

  const { visitor } = await visit()
  expect(visitor.user).toMatchObject({
    ...{ companyId: home, name: master.user.name, profile: 'admin', master: 0, payPanelAccess: false },
    company: { companyName: 'Lume Móveis', payBy: null },
  })
  expect((await visitor.get(tickets.show, { params: { ticketId } })).id).toBe(ticketId)
  await visitor.get(messages.list, { params: { ticketId } })
  expect((await visitor.get(users.all)).map(({ id }) => id)).toContain(admin.user.id)
  const theirs = await rowsOf(app, stranger).ticket()
  expect((await visitor.call(tickets.show, { params: { ticketId: theirs } })).status).toBe(404)
})

test('the files of the visited company are seen until the visit ends, and those of no other', async () => {
  const put = async (companyId: number) => {
    const { key } = await app.platform.files.put(companyId, photo().bytes, { name: 'sofa.jpg', type: '' })
    return `${app.url}/media/${key}`
  }
  const [own, foreign] = [await put(home), await put(stranger.user.companyId)]
  const { visitor, visit: begun } = await visit()
  const look = async (url: string) =>
    (await fetch(url, { headers: { authorization: `Bearer ${visitor.token}` } })).status
  expect(await look(own)).toBe(200)
  expect(await look(foreign)).toBe(404)
  // each file that was opened is in the record, with the ticket whose message names it
  const [own1] = (await read(admin)).visits
  expect(own1!.looks).toMatchObject([{ subject: 'file', subjectId: null, times: 2 }])
  const ticketId = await rowsOf(app, admin).ticket()
  const send = { params: { ticketId, companyId: home }, body: { body: 'A foto' }, files: [photo()] }
  const { mediaUrl } = await admin.get(messages.send, send)
  expect((await visitor.fetch(mediaUrl!)).headers.get('cache-control')).toBe('private, no-store')
  expect((await read(admin)).visits[0]!.looks).toContainEqual(
    expect.objectContaining({ subject: 'file', subjectId: ticketId }),
  )
  await end(begun.id)
  await until(async () => (await look(own)) === 401, 10_000)
})

test('every call that changes something, takes data away or tells a token is refused, and so is every call of a master [GEN-001]', async () => {
  const { visitor } = await visit()
  const open = new Set<Route>(openToVisitors())
  const closed = itemsOf(features, 'route').filter(
    ({ route, enter }) => !enter && route.needs !== 'nobody' && !open.has(route),
  )
  expect(closed.length).toBeGreaterThan(120)
  for (const { route } of closed) {
    const { status, body } = await visitor.call(route as Route, {
      params: new Proxy({}, { get: () => '1' }),
    })
    expect([route.method, route.path, status]).toEqual([route.method, route.path, 403])
    expect(['ERR_VISIT_CLOSED', 'ERR_NO_PERMISSION']).toContain(body.error)
  }
  for (const route of open) expect(route.method).toBe('GET')
  expect(
    (await visitor.call(quickAnswers.create, { body: { shortcut: 'oi', message: 'Bom dia!' } })).body.error,
  ).toBe('ERR_VISIT_CLOSED')
  expect((await visitor.call(apiTokens.list)).body.error).toBe('ERR_VISIT_CLOSED')
  expect((await visitor.fetch('/api/internalDocs')).status).toBe(403)
})

test('even what a call would write is refused by the database', async () => {
  const { visitor } = await visit()
  const { visit: own } = await visit()
  const viewer = await app.platform.access.viewerOf({
    ...{
      userId: master.user.id,
      companyId: home,
      sessionId: sessionOf(visitor.token),
      visitId: visitOf(visitor.token),
    },
  })
  expect(viewer?.visitId).toBeDefined()
  const write = app.platform.scopes
    .inCompany(home, viewer)
    .transaction(tx => rowsFrom(tx.sql, tag`update visits set reason = 'outro' where id = ${own.id}`))
  await expect(write).rejects.toThrow()
  expect((await read(admin)).visits.find(({ id }) => id === own.id)!.reason).toBe(input.reason)
})

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, string>
const sessionOf = (token: string) => claimsOf(token).sid!
const visitOf = (token: string) => claimsOf(token).visit!

test('its admins read who came, why, until when and at what he looked, as it happens; others read nothing', async () => {
  const pushes = await admin.subscribe(visitChannel)
  const foreign = await stranger.subscribe(visitChannel)
  const ticketId = await rowsOf(app, admin).ticket()
  const { visit: begun, visitor } = await visit()
  for (let time = 0; time < 3; time++) await visitor.get(messages.list, { params: { ticketId } })
  await visitor.get(users.all)
  const [newest] = (await read(admin)).visits
  expect(newest).toMatchObject({
    ...{ id: begun.id, visitorName: master.user.name, visitorEmail: master.user.email, reason: input.reason },
    endedAt: null,
  })
  expect(Date.parse(newest!.endsAt) - Date.parse(newest!.startedAt)).toBeCloseTo(30 * 60_000, -4)
  expect(newest!.looks).toMatchObject([
    { subject: 'people', subjectId: null, times: 1 },
    { subject: 'conversation', subjectId: ticketId, times: 3 },
  ])
  await end(begun.id)
  await until(() => pushes.filter(({ visit }) => visit.id === begun.id).length === 2)
  expect(pushes.at(-1)!.visit.endedAt).not.toBeNull()
  expect(foreign).toEqual([])

  expect((await read(stranger, stranger.user.companyId)).visits).toEqual([])
  expect((await stranger.call(visits.list, { params: { companyId: home } })).body.error).toBe(
    'ERR_NO_COMPANY_FOUND',
  )
  expect((await read(master)).visits[0]!.id).toBe(begun.id)
})

test('what a customer writes reaches the visitor live where he opened the conversation, which is written down, and from the end of the visit nothing does', async () => {
  const { visitor, visit: begun } = await visit()
  const pushes = await visitor.subscribe(messageChannel)
  const inLists = await visitor.subscribe(ticketChannel)
  const known = await admin.subscribe(messageChannel)
  const line = await visitor.socket()
  const rows = rowsOf(app, admin)
  const write = async (number: string) => {
    const params = { whatsappId: admin.user.whatsappId! }
    const before = known.length
    await admin.get(simulator.write, { params, body: { number, name: 'Rita', body: 'Só para a loja' } })
    await until(() => known.length > before)
  }
  const [number, other] = [newNumber(), newNumber()]
  await write(number)
  const ticketId = (known.at(-1) as { ticket: { id: number } }).ticket.id
  expect(await line.emitWithAck('joinChatBox', ticketId)).toEqual({ joined: true })
  const [newest] = (await read(admin)).visits
  expect(newest!.looks).toMatchObject([{ subject: 'conversation', subjectId: ticketId, times: 1 }])
  await write(other)
  await write(number)
  await until(() => pushes.length > 0)
  expect(pushes.map(push => 'message' in push && push.message.ticketId)).toEqual([ticketId])
  expect(inLists).toEqual([])
  await end(begun.id)
  await until(() => line.disconnected, 5_000)
  expect((await visitor.call(tickets.list)).status).toBe(401)
  const before = pushes.length
  await rows.ticket()
  expect(pushes.length).toBe(before)
})

test('it ends by itself: its token, its screens and what it could read', async () => {
  const { visitor, visit: begun } = await visit()
  const line = await visitor.socket()
  await app.database.script(
    `update visits set ends_at = now() - interval '1 second' where id = '${begun.id}'`,
  )
  await until(async () => (await visitor.call(tickets.list)).status === 401, 5_000)
  await until(() => line.disconnected, 9_000)
  expect(claimsOf(visitor.token).exp).toBe(Math.floor(Date.parse(begun.endsAt) / 1_000))
})

test.each<[string, () => Promise<unknown>]>([
  ['logs out', () => master.get(auth.logout)],
  [
    'is no master any more',
    () => app.database.script(`update users set master = 0 where id = ${master.user.id}`),
  ],
])('it ends when its master %s', async (_what, happens) => {
  const { visitor } = await visit()
  await happens()
  await until(async () => (await visitor.call(tickets.list)).status === 401, 6_000)
  await app.database.script(`update users set master = 1 where id = ${master.user.id}`)
  master = await app.as('master@balcao.test')
})

test('a visit of one company opens no other, and a token of one visit not the next', async () => {
  const one = await visit()
  const other = await visit(stranger.user.companyId)
  await end(one.visit.id)
  expect((await one.visitor.call(tickets.list)).status).toBe(401)
  const seen = await other.visitor.get(users.all)
  expect(seen.map(({ id }) => id)).toContain(stranger.user.id)
  expect(seen.map(({ id }) => id)).not.toContain(admin.user.id)
  expect((await end(other.visit.id)).body.error).toBe('ERR_NOT_FOUND')
})

test.each<[object, string]>([
  [{ minutes: 30 }, 'reason'],
  [{ ...input, reason: 'Oi' }, 'reason'],
  [{ ...input, reason: 'x'.repeat(301) }, 'reason'],
  [{ ...input, minutes: 600 }, 'minutes'],
  [{ reason: input.reason }, 'minutes'],
])('without a reason or a length it does not begin: case %#', async (body, field) => {
  const answer = await start(home, body)
  expect([answer.status, answer.body.field]).toEqual([400, field])
})

test('only another company that is there is visited, by masters alone', async () => {
  expect((await start(master.user.companyId)).body.error).toBe('ERR_OWN_COMPANY')
  expect((await start(2_000_000_000)).body.error).toBe('ERR_NO_COMPANY_FOUND')
  for (const who of [admin, stranger])
    expect((await start(home, input, who)).body.error).toBe('ERR_NO_PERMISSION')
  const { company } = await master.get(clients.create, {
    body: { name: 'Breve', email: `${newNumber()}@b.test`, userName: 'Dona', passwordDefault: 'balcao-demo' },
  })
  const { visitor } = await visit(company.id)
  await master.get(clients.remove, { params: { companyId: company.id } })
  await until(async () => (await visitor.call(tickets.list)).status === 401, 6_000)
})
