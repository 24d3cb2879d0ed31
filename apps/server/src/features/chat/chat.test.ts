import { randomUUID } from 'node:crypto'
import { chat, chatMessageChannel } from '@balcao/contract/chat.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let [admin, marina, caio, stranger]: Person[] = []
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script('update companies set number_attendants = 999')
  const emails = ['admin@balcao.test', 'atendente@balcao.test', 'caio@balcao.test', 'admin@outra.test']
  ;[admin, marina, caio, stranger] = await Promise.all(emails.map(email => app.as(email)))
  rows = rowsOf(app, admin!)
})
afterAll(() => app.close())

const idOf = (who: Person | undefined) => who!.user.id
const send = (who: Person, roomId: number, body: object) => who.call(chat.send, { params: { roomId }, body })
const roomOf = async (who: Person, roomId: number) =>
  (await who.get(chat.rooms)).rooms.find(({ id }) => id === roomId)

test('two have one room; a message is there once, is pushed to both and to no other, and counts as unread until it is read', async () => {
  const open = (who: Person, other: Person) => who.get(chat.open, { body: { userIds: [idOf(other)] } })
  const [room, same] = await Promise.all([open(marina!, caio!), open(caio!, marina!)])
  expect(same.id).toBe(room.id)
  const [seen, others, elsewhere] = await Promise.all(
    [caio!, admin!, stranger!].map(who => who.subscribe(chatMessageChannel)),
  )
  const id = randomUUID()
  const sent = await Promise.all([1, 2, 3].map(() => send(marina!, room.id, { id, body: ' Oi, Caio ' })))
  expect(sent.map(({ body }) => [body.id, body.body, body.position])).toEqual(
    Array(3).fill([id, 'Oi, Caio', 1]),
  )
  await until(() => seen!.length === 1)
  expect(seen![0]).toMatchObject({ action: 'create', id, from: { id: idOf(marina) }, body: 'Oi, Caio' })
  expect([others, elsewhere]).toEqual([[], []])
  expect((await roomOf(caio!, room.id))!.unread).toBe(1)
  expect((await roomOf(marina!, room.id))!.unread).toBe(0)
  const params = { roomId: room.id }
  expect(await caio!.get(chat.read, { params, body: { position: 99 } })).toEqual({ unread: 0 })
  const { messages, hasMore } = await caio!.get(chat.messages, { params })
  expect([messages.map(one => one.id), hasMore]).toEqual([[id], false])
  expect((await send(caio!, room.id, { body: '  ' })).body.field).toBe('body')
  expect((await send(caio!, room.id, { id, body: 'outra' })).body.field).toBe('id')
})

test('who is not in a room gets 404, also an admin and another company, for messages, files and search', async () => {
  const room = await marina!.get(chat.open, { body: { name: 'Turno', userIds: [idOf(caio)] } })
  const params = { roomId: room.id }
  const bytes = new TextEncoder().encode('%PDF-1.4\n%%EOF')
  const file = { name: 'escala.pdf', type: 'application/pdf', bytes }
  const word = `escala${unique()}`
  const message = await marina!.get(chat.send, { params, body: { body: word }, files: [file] })
  const { url } = message.medias[0]!
  expect(message.medias[0]).toMatchObject({ name: 'escala.pdf', kind: 'document' })
  expect((await caio!.fetch(url)).status).toBe(200)
  const found = async (who: Person) =>
    (await who.get(chat.search, { query: { searchParam: word.toUpperCase() } })).messages.length
  expect(await found(caio!)).toBe(1)
  for (const who of [admin!, stranger!]) {
    const answers = await Promise.all([
      who.call(chat.messages, { params }),
      send(who, room.id, { body: 'Oi' }),
      who.call(chat.read, { params, body: { position: 1 } }),
      who.call(chat.change, { params, body: { name: 'Meu' } }),
      who.call(chat.leave, { params }),
      who.call(chat.remove, { params: { messageId: message.id } }),
      who.fetch(url),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(404))
    expect(await found(who)).toBe(0)
  }
  expect((await marina!.call(chat.open, { body: { userIds: [idOf(stranger)] } })).body.error).toBe(
    'ERR_NO_USER_FOUND',
  )
  const edit = { params: { messageId: message.id }, body: { body: 'Nova' } }
  expect((await caio!.call(chat.edit, edit)).body.error).toBe('ERR_NO_PERMISSION')
  expect(await marina!.get(chat.edit, edit)).toMatchObject({ body: 'Nova', editedAt: expect.any(String) })
  expect(await marina!.get(chat.remove, { params: edit.params })).toMatchObject({
    body: '',
    medias: [],
    isDeleted: true,
  })
  await until(async () => (await marina!.fetch(url)).status === 404)
})

test('a group has an owner who sets its members; who joins reads it, who leaves does not, and a deleted user stays by name', async () => {
  const email = `colega${unique()}@balcao.test`
  const queueIds = marina!.user.queues.map(({ id }) => id)
  const body = {
    name: 'Bruna',
    email,
    password: 'balcao-demo',
    queueIds,
    whatsappId: admin!.user.whatsappId,
    userAuthorizationId: marina!.user.userAuthorizationId,
  }
  const { id: userId } = await admin!.get(users.create, { body })
  const bruna = await app.as(email)
  const room = await bruna.get(chat.open, { body: { name: 'Vendas', userIds: [idOf(marina)] } })
  const params = { roomId: room.id }
  const ticketId = await rows.ticket()
  await send(bruna, room.id, { body: 'Vejam', ticketId: undefined })
  expect((await marina!.call(chat.change, { params, body: { name: 'X' } })).body.error).toBe(
    'ERR_NO_PERMISSION',
  )
  const changed = await bruna.get(chat.change, { params, body: { userIds: [idOf(marina), idOf(admin)] } })
  expect([...changed.userIds].sort()).toEqual([userId, idOf(marina), idOf(admin)].sort())
  expect((await roomOf(admin!, room.id))!.unread).toBe(0)
  expect((await send(admin!, room.id, { body: '', ticketId })).body.ticketId).toBe(ticketId)
  expect((await send(admin!, room.id, { body: '', ticketId: 2_000_000_000 })).status).toBe(404)
  const pair = await bruna.get(chat.open, { body: { userIds: [idOf(marina)] } })
  await send(bruna, pair.id, { body: 'Até logo' })
  await admin!.get(users.remove, { params: { userId } })
  const left = await roomOf(marina!, room.id)
  expect(left).toMatchObject({ ownerId: idOf(marina), userIds: expect.not.arrayContaining([userId]) })
  expect(await roomOf(marina!, pair.id)).toMatchObject({
    name: 'Bruna',
    lastMessage: { from: { name: 'Bruna' } },
  })
  await marina!.get(chat.leave, { params })
  expect((await marina!.call(chat.messages, { params })).status).toBe(404)
  await admin!.get(chat.leave, { params })
  expect(await roomOf(admin!, room.id)).toBeUndefined()
})

test('one id in two rooms at once is one message, and who may no longer chat is pushed nothing and reads no file', async () => {
  const email = `calado${unique()}@balcao.test`
  const group = await admin!.get(permissions.create, { body: { name: `Sem chat ${unique()}` } })
  const body = {
    ...{ name: 'Davi', email, password: 'balcao-demo', whatsappId: admin!.user.whatsappId },
    queueIds: marina!.user.queues.map(({ id }) => id),
    userAuthorizationId: group.id,
  }
  const { id: userId } = await admin!.get(users.create, { body })
  const davi = await app.as(email)
  const [one, other] = await Promise.all(
    ['Um', 'Dois'].map(name => marina!.get(chat.open, { body: { name, userIds: [userId] } })),
  )
  const id = randomUUID()
  const sent = await Promise.all([one!, other!].map(room => send(marina!, room.id, { id, body: 'Oi' })))
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 400])
  const bytes = new TextEncoder().encode('%PDF-1.4\n%%EOF')
  const { medias } = await marina!.get(chat.send, {
    params: { roomId: one!.id },
    body: { body: '' },
    files: [{ name: 'a.pdf', type: 'application/pdf', bytes }],
  })
  const { url } = medias[0]!
  expect((await davi.fetch(url)).status).toBe(200)
  await admin!.get(permissions.change, {
    params: { authorizationId: group.id },
    body: { name: group.name, allowInternalChat: false },
  })
  const [pushed, seen] = [
    await davi.subscribe(chatMessageChannel),
    await marina!.subscribe(chatMessageChannel),
  ]
  await send(marina!, one!.id, { body: 'Sem ele' })
  await until(() => seen.find(({ message }) => message.body === 'Sem ele'))
  expect([pushed, (await davi.fetch(url)).status]).toEqual([[], 404])
})
