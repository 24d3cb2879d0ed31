import { connections } from '@balcao/contract/connections.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp, until } from '../../../testing/test-app.ts'
import { desiredStates } from './connections.session.queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('a process looks after the connections that it runs and those that nobody holds any more', async () => {
  const admin = await app.as('admin@balcao.test')
  const { id } = await until(async () =>
    (await admin.get(connections.list)).find(({ status }) => status === 'CONNECTED'),
  )
  const platform = app.platform.scopes.platform()
  const wantedBy = async (owner: string, order = 0) =>
    (await desiredStates(platform, owner, [{ whatsappId: id, order }])).some(
      ({ whatsappId }) => whatsappId === id,
    )
  expect(await wantedBy(app.platform.instance, 0), 'a newer order of its own').toBe(true)
  expect(await wantedBy(app.platform.instance, 1_000), 'its own').toBe(false)
  expect(await wantedBy('another process'), 'held by this one').toBe(false)
  await app.database.script(
    `update whatsapp_leases set owner = 'dead', expires_at = now() - interval '1 second' where whatsapp_id = ${id}`,
  )
  expect(await wantedBy('another process'), 'its owner died').toBe(true)
})
