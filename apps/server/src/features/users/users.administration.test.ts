import { permissions } from '@balcao/contract/permissions.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let caio: Person
let groupId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  caio = await app.as('caio@balcao.test')
  const body = { name: 'Sem administração', enableAdministration: 0 as const }
  groupId = (await admin.get(permissions.create, { body })).id
})
afterAll(() => app.close())

const change = (by: Person, of: Person, body: { userAuthorizationId?: number; profile?: 'user' }) =>
  by.call(users.change, { params: { userId: of.user.id }, body })
const changeGroup = (by: Person, authorizationId: number, name: string) =>
  by.call(permissions.change, { params: { authorizationId }, body: { name, enableAdministration: 0 } })
const remove = (by: Person, of: Person) => by.call(users.remove, { params: { userId: of.user.id } })

/** Both may administrate again, and every process knows it. */
async function bothAdmins() {
  await app.database.script(
    `update users set profile = 'admin', user_authorization_id = null where id in (${admin.user.id}, ${caio.user.id})`,
  )
  for (const { user } of [admin, caio]) app.platform.access.forget(user.id)
}

test('an admin without the finance panel takes it from no colleague: by a password, an e-mail or a deletion [USER-012]', async () => {
  const { id: userId, email, userAuthorizationId } = admin.user
  await bothAdmins()
  await app.database.script(
    `update users set pay_panel_access = (id = ${userId}) where id in (${userId}, ${caio.user.id})`,
  )
  for (const { user } of [admin, caio]) app.platform.access.forget(user.id)
  const refusals = [
    await caio.call(users.change, { params: { userId }, body: { password: 'outra-senha' } }),
    await caio.call(users.change, { params: { userId }, body: { email: 'minha@balcao.test' } }),
    await remove(caio, admin),
  ]
  expect(refusals.map(({ status, body }) => [status, body.error, body.field])).toEqual([
    [403, 'ERR_NO_PERMISSION', 'password'],
    [403, 'ERR_NO_PERMISSION', 'email'],
    [403, 'ERR_NO_PERMISSION', 'userId'],
  ])
  expect((await app.as(email)).user.id).toBe(userId)
  // fields that only the admin changes stay
  expect((await caio.call(users.change, { params: { userId }, body: { name: 'Helena P.' } })).status).toBe(
    200,
  )
  await app.database.script(`update users set pay_panel_access = true where id = ${caio.user.id}`)
  app.platform.access.forget(caio.user.id)
  expect((await caio.call(users.change, { params: { userId }, body: { email: `x${email}` } })).status).toBe(
    200,
  )
  expect((await caio.call(users.change, { params: { userId }, body: { email } })).status).toBe(200)
  await app.database.script(`update users set profile = 'user' where id = ${caio.user.id};
    update users set user_authorization_id = ${userAuthorizationId} where id in (${userId}, ${caio.user.id})`)
  app.platform.access.forget(caio.user.id)
  admin = await app.as(email)
})

test('the only admin can give away neither the own group, nor its flag, nor be demoted by somebody else', async () => {
  const ownGroup = admin.user.userAuthorization!
  const refusals = [
    await change(admin, admin, { userAuthorizationId: groupId }),
    await changeGroup(admin, ownGroup.id, ownGroup.name),
  ]
  expect(refusals.map(({ status, body }) => [status, body.error, body.field])).toEqual([
    [409, 'ERR_LAST_ADMIN', 'userAuthorizationId'],
    [409, 'ERR_LAST_ADMIN', 'enableAdministration'],
  ])
  expect((await admin.get(users.show, { params: { userId: admin.user.id } })).userAuthorization).toEqual(
    ownGroup,
  )
  await bothAdmins()
  const rests = (since: string) =>
    app.database.script(`update users set resting_since = ${since} where id = ${caio.user.id}`)
  // who rests cannot log in
  await rests('now()')
  expect((await change(admin, admin, { userAuthorizationId: groupId })).body.error).toBe('ERR_LAST_ADMIN')
  await rests('null')
  expect((await change(admin, admin, { userAuthorizationId: groupId })).status).toBe(200)
  // whoever may not administrate any more does not count
  app.platform.access.forget(caio.user.id)
  expect((await change(caio, caio, { userAuthorizationId: groupId })).body.error).toBe('ERR_LAST_ADMIN')
  expect((await remove(caio, admin)).status).toBe(200)
})

test('of two admins who put each other out at once one stays', async () => {
  const { body } = await caio.call(users.create, {
    body: {
      name: 'Segunda',
      email: 'segunda@balcao.test',
      password: 'balcao-demo',
      profile: 'admin',
      userAuthorizationId: groupId,
      whatsappId: caio.user.whatsappId,
      queueIds: caio.user.queues.map(({ id }) => id),
    },
  })
  expect(body.email).toBe('segunda@balcao.test')
  admin = await app.as('segunda@balcao.test')
  const ways: [string, (by: Person, of: Person) => Promise<{ status: number }>][] = [
    ['profile', (by, of) => change(by, of, { profile: 'user' })],
    ['group', (by, of) => change(by, of, { userAuthorizationId: groupId })],
    ['own group', by => change(by, by, { userAuthorizationId: groupId })],
  ]
  for (const [, way] of ways)
    for (let round = 0; round < 3; round++) {
      await bothAdmins()
      const answers = await Promise.all([way(admin, caio), way(caio, admin)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  await bothAdmins()
  const removals = await Promise.all([remove(admin, caio), remove(caio, admin)])
  expect(removals.filter(({ status }) => status === 200)).toHaveLength(1)
})
