import { connections } from '@balcao/contract/connections.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql } from '../../platform/postgres/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({}, { connections: 14 })
})
afterAll(() => app.close())

test('transactions that a frozen owner left, each waiting for the one before, are ended by whoever claims its connection', async () => {
  const { database, platform } = app
  const admin = await app.as('admin@balcao.test')
  const { id } = await until(async () =>
    (await admin.get(connections.list)).find(({ status }) => status === 'CONNECTED'),
  )
  const thaw = Promise.withResolvers<void>()
  let fenced = 0
  /** Locks the lease as a transaction of its owner does, waits for the transaction before it, and stays idle. */
  const stuck = () =>
    database.transaction('set local idle_in_transaction_session_timeout = 0', async tx => {
      await rowsFrom(tx, sql`select 1 from whatsapp_leases where whatsapp_id = ${id} for key share`)
      fenced++
      await rowsFrom(tx, sql`select pg_advisory_xact_lock(7)`)
      await thaw.promise
    })
  const all = Promise.allSettled([stuck(), stuck(), stuck(), stuck()])
  await until(() => fenced === 4)
  await database.script(
    `update whatsapp_leases set owner = 'frozen', expires_at = now() - interval '1 second' where whatsapp_id = ${id}`,
  )
  await until(async () => {
    const [row] = await database.transaction('', tx =>
      rowsFrom<{ owner: string }>(tx, sql`select owner from whatsapp_leases where whatsapp_id = ${id}`),
    )
    return row?.owner === platform.instance
  })
  thaw.resolve()
  expect(new Set((await all).map(({ status }) => status))).toEqual(new Set(['rejected']))
})
