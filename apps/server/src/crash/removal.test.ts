import { connections } from '@balcao/contract/connections.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let store: Store
let product: Process
let admin: Person

async function start() {
  product = await startProcess({ ...store.env, LOG_LEVEL: 'error' })
  admin = await enter(product.url, 'admin@balcao.test')
}
beforeAll(async () => {
  store = await freshStore()
  await start()
})
afterAll(async () => {
  await product?.stop()
  await store?.remove()
})

const MANY = 150
const FIRST = 900_000

test('kill -9 while a connection is removed: its job is free within a minute, and removes the rest, each ticket once', async () => {
  const { id: whatsappId } = await admin.get(connections.create, {
    body: { name: 'Cheia', lib: 'simulator' },
  })
  const { companyId } = admin.user
  await store.rows(`insert into contacts (company_id, id, name, number)
    select ${companyId}, ${FIRST} + n, 'C' || n, (5511900000000 + n)::text from generate_series(1, ${MANY}) n returning 1`)
  await store.rows(`insert into tickets (company_id, id, uuid, protocol, contact_id, whatsapp_id, status)
    select ${companyId}, ${FIRST} + n, gen_random_uuid(), 'p' || n, ${FIRST} + n, ${whatsappId}, 'pending'
    from generate_series(1, ${MANY}) n returning 1`)
  await product.dieAt('features/tickets/moves/moves.actions.ts#writeHistories:after', 1)
  const query = { closeTickets: true }
  await admin.call(connections.remove, { params: { whatsappId }, query }).catch(() => {})
  expect(await product.ended).toBe('SIGKILL')
  const count = async (what: string) => (await store.rows(`select count(*)::int as n from ${what}`))[0]!.n
  const open = `tickets where whatsapp_id = ${whatsappId}`
  expect(await count(open)).toBeGreaterThan(0)
  // its job was under way, too
  await store.rows(`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now()
    where name = 'connections.remove' and state < 'completed' returning 1`)
  await start()
  const began = performance.now()
  await until(async () => (await count(`whatsapps where id = ${whatsappId}`)) === 0, 60_000)
  console.log(`removed ${Math.round(performance.now() - began)} ms after the start`)
  const ours = `id between ${FIRST} and ${FIRST + MANY}`
  expect(await count(`tickets where ${ours} and status = 'closed' and whatsapp_id is null`)).toBe(MANY)
  expect(await count(`ticket_history where ticket_${ours} and what = 'resolved'`)).toBe(MANY)
})
