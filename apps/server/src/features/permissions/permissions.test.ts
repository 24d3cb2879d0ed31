import type { Route } from '@balcao/contract/kit.ts'
import { permissions, userAuthorizationChannel } from '@balcao/contract/permissions.ts'
import { queues } from '@balcao/contract/queues.ts'
import { userChannel, users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let marina: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
})
afterAll(() => app.close())

const documented = {
  allowNoQueue: 1,
  allowMultipleTickets: 0,
  viewMessagesByTicket: 0,
  disableGreeting: false,
  disableSignature: false,
  allowCategorizeContacts: true,
  allowCreateCategoryContacts: true,
  enableAdministration: 1,
  enableDash: 1,
}

test('a new group has the documented defaults, and everyone hears of it [LIVE-016, PERM-003, EVENT-012, OP-37]', async () => {
  const pushes = await marina.subscribe(userAuthorizationChannel)
  const group = await admin.get(permissions.create, { body: { name: 'Plantão' } })
  expect(group).toMatchObject({ name: 'Plantão', ...documented })
  await until(() => pushes.length > 0)
  expect(pushes).toEqual([{ action: 'create', userAuthorization: group }])
})

test('groups are found by a part of the name, twenty a page [PERM-006]', async () => {
  for (let n = 0; n < 21; n++) await admin.get(permissions.create, { body: { name: `Turno ${n}` } })
  const first = await admin.get(permissions.list, { query: { searchParam: 'turno' } })
  const second = await admin.get(permissions.list, { query: { searchParam: 'turno', pageNumber: 2 } })
  expect([first.userAuthorizations.length, first.hasMore]).toEqual([20, true])
  expect([second.userAuthorizations.length, second.hasMore]).toEqual([1, false])
})

test('a right that is sent as the text "false" is not given, and what is neither yes nor no is refused [PERM-004, OP-64]', async () => {
  const create = (body: object) => admin.call<Route>(permissions.create, { body })
  const words = { allowTicketExport: 'false', allowViewPendingTickets: '0', enableDash: 'false' }
  const { body: group } = await create({ name: 'Por texto', ...words, disableGreeting: 'true' })
  expect(group).toMatchObject({ allowTicketExport: false, allowViewPendingTickets: false, enableDash: 0 })
  expect(group).toMatchObject({ disableGreeting: true })
  for (const odd of ['no', 'não', 2, null, [], {}]) {
    const { status, body } = await create({ name: 'Estranho', allowTicketExport: odd })
    expect([odd, status, body.field]).toEqual([odd, 400, 'allowTicketExport'])
  }
  for (const odd of [true, '', null, 3, '٢'])
    expect((await create({ name: 'Estranho', viewMessagesByTicket: odd })).body.field).toBe(
      'viewMessagesByTicket',
    )
})

test('a name that is taken is refused [ERR-010]', async () => {
  const { status, body } = await admin.call(permissions.create, { body: { name: 'gerentes' } })
  expect([status, body.error, body.field]).toEqual([409, 'ERR_NAME_EXISTS', 'name'])
})

test('a changed group reaches its users on their screens and at their next call [PERM-008, ROLE-004, EVENT-001]', async () => {
  const pushes = await admin.subscribe(userChannel)
  const { userAuthorization } = admin.user
  const change = { name: userAuthorization!.name, enableAdministration: 0 as const }
  await app.database.script(
    `update users set profile = 'admin', user_authorization_id = null where email = 'caio@balcao.test'`,
  )
  await admin.get(permissions.change, { params: { authorizationId: userAuthorization!.id }, body: change })
  const push = await until(() => pushes[0])
  expect(push.user.userAuthorization).toMatchObject({ enableAdministration: 0 })
  const refused = await admin.call(queues.create, { body: { name: 'Nova', color: '#123456' } })
  expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  await app.database.script('update user_authorizations set enable_administration = 1')
  await new Promise(done => setTimeout(done, 3_100)) // a viewer is known for three seconds
})

test('a group says how many users are in it', async () => {
  const params = { authorizationId: marina.user.userAuthorizationId! }
  const { usersCount, ...group } = await admin.get(permissions.show, { params })
  const { users: all } = await admin.get(users.list)
  expect(usersCount).toBe(all.filter(one => one.userAuthorization?.id === group.id).length)
  const { userAuthorizations } = await admin.get(permissions.list)
  expect(userAuthorizations).toContainEqual(group)
  const empty = await admin.get(permissions.create, { body: { name: 'Vazio' } })
  const unused = { params: { authorizationId: empty.id } }
  expect(await admin.get(permissions.show, unused)).toEqual({ ...empty, usersCount: 0 })
})

test('the users of a removed group fall back to the defaults [PERM-007, OP-70]', async () => {
  const pushes = await marina.subscribe(userChannel)
  const authorizationId = marina.user.userAuthorizationId!
  await admin.get(permissions.remove, { params: { authorizationId } })
  const push = await until(() => pushes.at(-1))
  expect(push.user).toMatchObject({ userAuthorizationId: null, userAuthorization: null })
  expect(await marina.get(users.show, { params: { userId: marina.user.id } })).toEqual(push.user)
  const again = await admin.call(permissions.remove, { params: { authorizationId } })
  expect([again.status, again.body.error]).toEqual([404, 'ERR_NO_AUTHORIZATION_FOUND'])
})
