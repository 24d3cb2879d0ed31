import { auth } from '@balcao/contract/auth.ts'
import { clients } from '@balcao/contract/clients.ts'
import { companyLimits } from '@balcao/contract/companyLimits.ts'
import { connections } from '@balcao/contract/connections.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { plans } from '@balcao/contract/plans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { settleAllLimits } from './companyLimits.actions.ts'

let app: TestApp
let master: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format()
const settle = (day: string) => settleAllLimits(app.platform.scopes, new Date(`${day}T12:00:00-03:00`))

/** A company of three users and two connections, on a plan for as many. */
async function full() {
  const email = `${unique()}@cliente.test`
  const body = { name: 'Cheia', email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  const limits = { numberAttendants: 3, numberConnections: 2 }
  const plan = await master.get(plans.create, { body: { name: `Cheio ${unique()}`, ...limits } })
  const own = await master.get(plans.assign, { params: { companyId, planId: plan.id } })
  const dona = await app.as(email)
  const people: string[] = []
  for (const name of ['Bia Souza', 'Caio Lima']) {
    const address = `${unique()}@cliente.test`
    await app.database.script(`insert into users (company_id, name, email, password_hash)
      select company_id, '${name}', '${address}', password_hash from users where company_id = ${companyId} limit 1`)
    people.push(address)
  }
  for (const name of ['Loja', 'Entrega'])
    await dona.get(connections.create, { body: { name, lib: 'simulator', isDefault: name === 'Loja' } })
  const params = { companyId }
  const limit = (numberAttendants: number, numberConnections: number) =>
    master.get(plans.change, { params: { planId: own.id }, body: { numberAttendants, numberConnections } })
  return { companyId, params, dona, people, limit, show: () => dona.get(companyLimits.show, { params }) }
}

const login = (email: string) => app.anonymous.call(auth.login, { body: { email, password: 'balcao-demo' } })
const resting = (rows: { isResting: boolean; name: string }[]) =>
  rows.filter(({ isResting }) => isResting).map(({ name }) => name)

test('after a change to a smaller plan the newest rest once the days to choose are over, and a bigger plan wakes them', async () => {
  const shop = await full()
  const caio = await app.as(shop.people[1]!)
  expect(await shop.show()).toMatchObject({ chooseBy: null })
  await shop.limit(2, 1)
  const chooseBy = daysFrom(today, 7)
  const before = await shop.show()
  expect([before.chooseBy, resting(before.users.rows)]).toEqual([chooseBy, []])
  expect((await login(shop.people[1]!)).status).toBe(200)
  await settle(chooseBy)
  expect(resting((await shop.show()).users.rows)).toEqual([])
  await settle(daysFrom(chooseBy, 1))
  const after = await shop.show()
  expect([after.chooseBy, resting(after.users.rows), resting(after.connections.rows)]).toEqual([
    null,
    ['Caio Lima'],
    ['Entrega'],
  ])
  // who rests is off, and does not come back
  await until(async () => (await caio.call(companyLimits.show, { params: shop.params })).status === 401)
  expect((await login(shop.people[1]!)).body).toMatchObject({ error: 'ERR_USER_RESTING' })
  const { id } = after.connections.rows.find(({ isResting }) => isResting)!
  const start = await shop.dona.call(connections.start, { params: { whatsappId: id } })
  expect(start.body).toMatchObject({ error: 'ERR_NO_LIMIT_WHATSAPP' })
  // marked, and found, in the list of the operator
  const marked = async () => {
    const { companies } = await master.get(clients.list, { query: { limits: 'exceeded' } })
    return companies.find(one => one.id === shop.companyId)?.resting
  }
  expect(await marked()).toBe(2)
  await shop.limit(3, 2)
  expect(await marked()).toBeUndefined()
  expect((await login(shop.people[1]!)).status).toBe(200)
  expect((await shop.show()).connections.rows.every(one => !one.isResting)).toBe(true)
})

test('the company chooses itself who goes on: within its plan, with an admin, and nobody else for it', async () => {
  const shop = await full()
  await shop.limit(2, 1)
  const { users: people, connections: lines } = await shop.show()
  const [dona, bia, caio] = people.rows.map(({ id }) => id)
  const [loja, entrega] = lines.rows.map(({ id }) => id)
  const choose = (by: Person, userIds: number[], connectionIds: number[]) =>
    by.call(companyLimits.choose, { params: shop.params, body: { userIds, connectionIds } })
  const other = (await stranger.get(companyLimits.show, { params: { companyId: stranger.user.companyId } }))
    .users
  const refused = [
    await choose(shop.dona, [dona!, bia!, caio!], [loja!]),
    await choose(shop.dona, [dona!, other.rows[0]!.id], [loja!]),
    await choose(shop.dona, [bia!, caio!], [loja!]),
    await choose(shop.dona, [dona!], [loja!, entrega!]),
    await choose(stranger, [dona!], [loja!]),
    await stranger.call(companyLimits.show, { params: shop.params }),
  ]
  expect(refused.map(({ status, body }) => [status, body.error, body.field])).toEqual([
    [400, 'ERR_BAD_REQUEST', 'userIds'],
    [400, 'ERR_BAD_REQUEST', 'userIds'],
    [409, 'ERR_LAST_ADMIN', 'userIds'],
    [400, 'ERR_BAD_REQUEST', 'connectionIds'],
    [404, 'ERR_NO_COMPANY_FOUND', undefined],
    [404, 'ERR_NO_COMPANY_FOUND', undefined],
  ])
  expect((await choose(shop.dona, [dona!, caio!], [entrega!])).status).toBe(200)
  const chosen = await shop.show()
  expect([chosen.chooseBy, resting(chosen.users.rows), resting(chosen.connections.rows)]).toEqual([
    null,
    ['Bia Souza'],
    ['Loja'],
  ])
  await settle(daysFrom(today, 30))
  expect(resting((await shop.show()).users.rows)).toEqual(['Bia Souza'])
})
