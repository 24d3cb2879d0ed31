import { auth } from '@balcao/contract/auth.ts'
import { ClientCompany, clients } from '@balcao/contract/clients.ts'
import { companies } from '@balcao/contract/companies.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let master: Person
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  admin = await app.as('admin@balcao.test')
})
afterAll(() => app.close())

const aCompany = (over: object = {}) => ({
  ...{ name: 'Cliente', email: `${unique()}@cliente.test`, userName: 'Dona', passwordDefault: 'balcao-demo' },
  ...over,
})
const found = (over: object = {}) => master.call(clients.create, { body: aCompany(over) })
const show = async (companyId: number) => master.get(clients.show, { params: { companyId } })
const change = (companyId: number, body: object, who = master) =>
  who.call(clients.change, { params: { companyId }, body })

test('a new company has a first admin, who logs in by the company’s e-mail, and no plan yet [API-036]', async () => {
  const body = aCompany({ name: 'Loja Nova' })
  const { company } = await master.get(clients.create, { body })
  expect(company).toMatchObject({ name: 'Loja Nova', companyName: 'Loja Nova', status: 1, plan: [] })
  expect(company).toMatchObject({ userName: 'Dona', passwordDefault: '', usedAttendants: 1 })
  const dona = await app.as(body.email)
  expect(dona.user).toMatchObject({
    companyId: company.id,
    profile: 'admin',
    payPanelAccess: true,
    master: 0,
  })
  const again = await found({ email: body.email.toUpperCase() })
  expect([again.status, again.body.error, again.body.field]).toEqual([409, 'ERR_EMAIL_EXISTS', 'email'])
})

test('every field of a company is kept and returned, but its password (ENTITY-014) [COMPANY-020 … COMPANY-023, API-036, ENTITY-014]', async () => {
  const fields = {
    ...{ name: 'Completa', email: `${unique()}@completa.test`, companyName: 'Completa Ltda', slogan: 'Tudo' },
    ...{ documentNumber: '12ABC34501DE35', inscrMunicipal: '123', inscrEstadual: '456', observation: 'Boa' },
    ...{ emailsOfNotifications: 'a@x.test, b@x.test', whatsappsOfNotifications: '5511999990000' },
    ...{ cep: '01310100', street: 'Avenida Paulista', numberAddress: '1', complement: 'Sala 2' },
    ...{ district: 'Bela Vista', city: 'São Paulo', state: 'SP', country: 'Brasil', status: 1 },
    ...{ numberAttendants: 4, numberConections: 2, enableReports: false, enableDashboard: false },
    ...{ enableCampaigns: true, enableSchedules: false, enableBots: false, enableFlows: false },
  }
  const { body } = await found(fields)
  expect(body.company).toMatchObject(fields)
  expect(Object.keys(body.company).sort()).toEqual(Object.keys(ClientCompany.shape).sort())
  expect(await show(body.company.id)).toEqual(body.company)
  const changed = { ...fields, name: 'Outra', enableReports: true, numberAttendants: 9, cep: '' }
  expect((await change(body.company.id, changed)).body).toMatchObject(changed)
})

test('the list has all companies, a page at a time, with a search and with what they use of their plan [API-036]', async () => {
  for (let at = 10; at < 31; at++) await found({ name: `Página ${at}` })
  const page = (pageNumber: number) =>
    master.get(clients.list, { query: { searchParam: 'página', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.companies.length, first.hasMore]).toEqual([20, true])
  expect([second.companies.map(({ name }) => name), second.hasMore]).toEqual([['Página 30'], false])
  const { companies: lume } = await master.get(clients.list, { query: { searchParam: 'lume' } })
  const { length } = await admin.get(users.all)
  expect(lume).toMatchObject([
    { name: 'Lume Móveis', usedAttendants: length, plan: [{ numberAttendants: 25 }] },
  ])
  const byEmail = await master.get(clients.list, { query: { searchParam: 'ADMIN@OUTRA' } })
  expect(byEmail.companies.map(({ name }) => name)).toEqual(['Padaria Outra'])
})

test('the operator sees how many people its campaigns wrote to within the hour, and the room of its files [COMPANY-024]', async () => {
  const { companyId } = admin.user
  const { id: foreign } = (await found()).body.company
  const sends = async (id: number) => (await show(id)).usedSends
  const before = await sends(companyId)
  await app.database.script(`insert into campaign_departures (company_id, dispatch_id, whatsapp_id, at)
    select ${companyId}, 900000 + n, 1, now() - n * interval '20 minutes' from generate_series(1, 4) n`)
  expect([await sends(companyId), await sends(foreign)]).toEqual([before + 2, 0])
  await app.platform.files.put(foreign, pixel, { name: 'foto.png', type: 'image/png' })
  const storage = await master.get(clients.storage, { params: { companyId: foreign } })
  expect(storage).toEqual({ files: 1, bytes: pixel.length, limitMb: 0 })
  expect((await master.call(clients.storage, { params: { companyId: 2_000_000_000 } })).status).toBe(404)
})

const pixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  letter => letter.charCodeAt(0),
)

test.each<[object, string, string | undefined]>([
  [{ name: '' }, 'name', 'Nome é obrigatório'],
  [{ name: 'L' }, 'name', 'Too Short!'],
  [{ name: 'L'.repeat(51) }, 'name', 'Too Long!'],
  [{ email: '' }, 'email', 'E-mail é obrigatório'],
  [{ email: 'x' }, 'email', 'Email é inválido'],
  [{ documentNumber: '11222333000180' }, 'documentNumber', 'CNPJ invalido'],
  [{ status: 2 }, 'status', undefined],
  [{ userName: undefined }, 'userName', undefined],
  [{ passwordDefault: '1234' }, 'passwordDefault', 'Too Short!'],
  [{ numberAttendants: 0 }, 'numberAttendants', undefined],
])('what is wrong is refused with its field: case %#', async (given, field, message) => {
  const { status, body } = await found(given)
  expect([status, body.field]).toEqual([400, field])
  if (message) expect((body as { message?: string }).message).toBe(message)
})

test('a name of up to 150 letters is taken in a change (COMPANY-010)', async () => {
  const { id } = (await found()).body.company
  expect((await change(id, { name: 'L'.repeat(150) })).status).toBe(200)
  expect((await change(id, { name: 'L'.repeat(151) })).body.field).toBe('name')
})

test('who pays changes the own company, but neither its status nor its limits and switches [GEN-006]', async () => {
  const { companyId } = admin.user
  const before = await show(companyId)
  for (const [field, value] of Object.entries({ status: 0, numberAttendants: 99, enableCampaigns: false })) {
    const { status, body } = await change(companyId, { [field]: value }, admin)
    expect([status, body.field]).toEqual([403, field])
  }
  const { status: _its, ...form } = before
  const saved = await change(companyId, { ...form, status: 1, slogan: 'Nossa' }, admin)
  expect(saved.body).toEqual({ ...before, slogan: 'Nossa' })
  const stranger = await app.as('admin@outra.test')
  expect((await change(companyId, { slogan: 'Dela' }, stranger)).body.error).toBe('ERR_NO_COMPANY_FOUND')
})

test('a company that is switched off is out within five seconds, sockets included, and back when it is on', async () => {
  const body = aCompany()
  const { id } = (await master.get(clients.create, { body })).company
  const dona = await app.as(body.email)
  const line = await dona.socket()
  const began = Date.now()
  expect((await change(id, { status: 0 })).body.status).toBe(0)
  await until(() => line.disconnected, 5_000)
  await until(async () => (await dona.call(users.all)).status === 401, 5_000)
  expect(Date.now() - began).toBeLessThan(5_000)
  const login = await app.anonymous.call(auth.login, { body: { email: body.email, password: 'balcao-demo' } })
  expect([login.status, login.body.error]).toEqual([403, 'ERR_COMPANY_OFF'])
  await change(id, { status: 1 })
  expect((await app.as(body.email)).user.companyId).toBe(id)
})

test('nobody switches off or deletes his own company [OP-129]', async () => {
  const { companyId } = master.user
  const off = await change(companyId, { status: 0 })
  expect([off.body.error, off.body.field]).toEqual(['ERR_OWN_COMPANY', 'status'])
  expect((await master.call(clients.remove, { params: { companyId } })).body.error).toBe('ERR_OWN_COMPANY')
})

test('flags of a company reach the menus of its people at once (OP-25) [COMPANY-025, OP-25]', async () => {
  const received = async () => (await admin.get(users.show, { params: { userId: admin.user.id } })).company
  const { companyId } = admin.user
  const off = { enableReports: false, enableDashboard: false, enableBots: false, enableFlows: false }
  await change(companyId, off)
  expect(await received()).toMatchObject(off)
  await change(companyId, { enableReports: true, enableDashboard: true, enableBots: true, enableFlows: true })
  expect((await admin.call(companies.show, { params: { companyId } })).body.enableBots).toBe(true)
})
