import type { Account } from '@balcao/cloud-api-server/account.ts'
import type { PhoneNumber } from '@balcao/cloud-api-server/phone-number.ts'
import { type CloudApiServer, startCloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { SIGN_UP_PATH } from '@balcao/contract/cloud.ts'
import { connections } from '@balcao/contract/connections.ts'
import { optOuts } from '@balcao/contract/optOuts.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { freePort } from '../../platform/postgres/embedded/server.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

/** Sign-ups of accounts that have several numbers, or an address of their own. */

const SECONDS = 20_000
let meta: CloudApiServer
let world: TestApp
let admin: Person
let backendUrl: string
/** The numbers of an account, one of each company. */
let shared: PhoneNumber[] = []
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

const signUp = (account: Account, person = admin) =>
  person.get(connections.signUp, { body: { code: meta.app.signUp([account], backendUrl + SIGN_UP_PATH) } })
const connected = (whatsappId: number, person = admin) =>
  until(async () => {
    const { status } = await person.get(connections.show, { params: { whatsappId } })
    return status === 'CONNECTED'
  }, SECONDS)

test('companies that share an account connect a number each, and each receives its own', async () => {
  const account = meta.app.addAccount({ name: 'Franquia' })
  const numbers = [account.addNumber('551130000081'), account.addNumber('551130000082')]
  shared = numbers
  const other = await world.as('admin@outra.test')
  const customer = meta.addCustomer('5511911110002', { name: 'Zeca' })
  const ids = []
  for (const [at, person] of [admin, other].entries()) {
    const { id, cloud } = await signUp(account, person)
    expect(cloud?.phoneNumberId).toBe(numbers[at]!.id)
    await connected(id, person)
    ids.push(id)
  }
  for (const number of numbers) customer.says(`Para ${number.digits}`, { to: number })
  for (const [at, person] of [admin, other].entries()) {
    const query = { status: 'pending', showAll: true } as const
    const received = await until(async () => {
      const listed = (await person.get(tickets.list, { query })).tickets
      return listed.find(({ contact }) => contact.number === customer.number)
    }, SECONDS)
    expect([received.whatsappId, received.lastMessage]).toEqual([ids[at], `Para ${numbers[at]!.digits}`])
    expect((await signUp(account, person)).id).toBe(ids[at])
  }
})

test('an address of the account that leads here stays when one of its numbers is connected', async () => {
  const account = meta.app.addAccount({ name: 'Com endereço' })
  account.addNumber('551130000083')
  const callback = { url: `${backendUrl}/webhooks/whatsapp/${'a'.repeat(48)}`, verifyToken: 'palavra' }
  account.subscribers.set(meta.app, callback)
  await connected((await signUp(account)).id)
  expect(account.subscribers.get(meta.app)).toEqual(callback)
})

test('another app’s address on the account is not counted as one of this installation', async () => {
  const account = meta.app.addAccount({ name: 'De outro sistema' })
  account.addNumber('551130000085')
  account.subscribers.clear()
  const url = `${backendUrl}/webhooks/whatsapp/${'b'.repeat(48)}`
  account.subscribers.set(meta.addApp({ name: 'Outro' }), { url, verifyToken: 'palavra' })
  await connected((await signUp(account)).id)
  expect([...account.subscribers.keys()].map(({ name }) => name)).toEqual(['Outro', 'Balcão'])
})

test('what Meta sends to the app alone reaches the company that it is about, and no other', async () => {
  const other = await world.as('admin@outra.test')
  const address = `${backendUrl}/webhooks/whatsapp/app`
  await meta.app.subscribe(address, '123456789')
  await expect(meta.app.subscribe(address, 'another word')).rejects.toThrow('403')
  const held = meta.webhooks.hold()
  const stops = (digits: string, at: PhoneNumber) => {
    const customer = meta.addCustomer(digits)
    customer.stopsMarketing(at)
    return customer.number
  }
  const [ours, theirs] = [stops('5511911110003', shared[0]!), stops('5511911110004', shared[1]!)]
  held.release({ together: true })
  const optedOut = async (person: Person) => {
    const { optOuts: listed } = await person.get(optOuts.list, { query: {} })
    return listed.map(({ number }) => number).filter(number => number === ours || number === theirs)
  }
  await until(async () => (await optedOut(admin)).includes(ours), SECONDS)
  await until(async () => (await optedOut(other)).includes(theirs), SECONDS)
  expect([await optedOut(admin), await optedOut(other)]).toEqual([[ours], [theirs]])
  const kept = await world.platform.scopes
    .platform()
    .transaction(sql =>
      rowsFrom<{ company: number }>(
        sql,
        tag`select company_id as company from cloud_deliveries where body like ${`%${theirs}%`}`,
      ),
    )
  expect(kept).toEqual([{ company: other.user.companyId }])
})

test('history and address book are asked for again where Meta could not answer at first', async () => {
  const account = meta.app.addAccount({ name: 'Com celular' })
  const number = account.addNumber('551130000084', { coexistence: true })
  meta.faults.calls.next({ on: 'smb_app_data', code: 131000, status: 500, times: 2 })
  await connected((await signUp(account)).id)
  const customer = meta.addCustomer('5511911110005')
  for (const nth of [1, 2]) {
    customer.says(`Oi ${nth}`, { to: number })
    await meta.settled()
  }
  await until(() => number.businessApp.synced.size === 2, 60_000)
})
