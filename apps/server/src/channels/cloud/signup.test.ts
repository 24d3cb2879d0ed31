import { type CloudApiServer, startCloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { SIGN_UP_PATH } from '@balcao/contract/cloud.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { freePort } from '../../platform/postgres/embedded/server.ts'

/** Meta's embedded sign-up: a company connects a number with the operator's app, without entering any credential. */

const SECONDS = 20_000
let meta: CloudApiServer
let world: TestApp
let admin: Person
let backendUrl: string
beforeAll(async () => {
  meta = await startCloudApiServer({ webhooks: { backOff: [200] } })
  const config = { META_APP_ID: meta.app.id, META_APP_SECRET: meta.app.secret, META_CONFIG_ID: '123456789' }
  const port = await freePort()
  backendUrl = `http://127.0.0.1:${port}`
  world = await openTestApp({ GRAPH_API_URL: meta.url, PORT: port, BACKEND_URL: backendUrl, ...config })
  admin = await world.as('admin@balcao.test')
})
afterAll(async () => {
  await world.close()
  await meta.close()
  expect(meta.unknown).toEqual([])
  expect(meta.errors).toEqual([])
})

const code = (accounts = [meta.account]) => meta.app.signUp(accounts, backendUrl + SIGN_UP_PATH)
const signUp = (body: { code: string; pin?: string; importsHistory?: boolean }, person = admin) =>
  person.call(connections.signUp, { body })
const show = (whatsappId: number) => admin.get(connections.show, { params: { whatsappId } })
const connected = (id: number) => until(async () => (await show(id)).status === 'CONNECTED', SECONDS)

test('a number of the Business app is connected at its own address, with the names and the history of the phone', async () => {
  meta.number.coexistence = true
  const ana = meta.addCustomer('5511911110001', { name: 'Ana' })
  meta.number.businessApp.book.set(ana.number, 'Ana do Bolo')
  meta.number.businessApp.recalls(ana, 'Bom dia', { daysAgo: 30 })
  const { status, body } = await signUp({ code: code(), importsHistory: true })
  expect([status, body.lib, body.name]).toEqual([200, 'cloud', 'Padaria Central'])
  await connected(body.id)
  const found = () => admin.get(contacts.list, { query: { searchParam: 'Ana do Bolo' } })
  await until(async () => (await found()).contacts.length === 1, SECONDS)
  expect([...meta.number.businessApp.synced.keys()]).toEqual(['smb_app_state_sync', 'history'])
  ana.says('Oi')
  await until(async () => (await found()).contacts[0]?.ticketsCount === 2, SECONDS)
})

test('again it renews the access of the same connection, and asks for nothing twice', async () => {
  const before = await admin.get(connections.list, {})
  const { body } = await signUp({ code: code() })
  await connected(body.id)
  expect((await admin.get(connections.list, {})).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(body.cloud?.secrets.accessToken).toBe(true)
})

test('a number on no phone is registered with its PIN; a wrong one is refused and connects nothing', async () => {
  const account = meta.app.addAccount({ name: 'Loja Nova' })
  const number = account.addNumber('551130000077', { registered: false, pin: '111222' })
  for (const pin of [undefined, '999999']) {
    const refused = await signUp({ code: code([account]), ...(pin && { pin }) })
    expect(refused.body).toMatchObject({ error: 'ERR_WAPP_CLOUD_PIN' })
  }
  const { body } = await signUp({ code: code([account]), pin: '111222' })
  await connected(body.id)
  expect([number.registered, body.name]).toEqual([true, 'Loja Nova'])
})

test('a code that is used, foreign or made up is refused, to users too, and reveals nothing', async () => {
  const used = code()
  await signUp({ code: used })
  const stranger = meta.addApp()
  const foreign = stranger.signUp([meta.account], backendUrl + SIGN_UP_PATH)
  for (const one of [used, foreign, 'made up, ten letters'])
    expect((await signUp({ code: one })).body).toMatchObject({ error: 'ERR_WAPP_SIGN_UP' })
  const attendant = await world.as('atendente@balcao.test')
  expect((await signUp({ code: code() }, attendant)).status).toBe(403)
})
