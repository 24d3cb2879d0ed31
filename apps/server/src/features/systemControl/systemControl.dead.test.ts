import { gapChannel } from '@balcao/contract/live.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
})
afterEach(() => void vi.useRealTimers())
afterAll(() => app.close())

const script = (statements: string) => app.database.script(statements)

test('where a connection is taken over from a process that died, screens of its company are told that they may have missed something', async () => {
  const whatsappId = await rowsOf(app, admin).connection()
  const stranger = await app.as('admin@outra.test')
  const [gaps, others] = [await admin.subscribe(gapChannel), await stranger.subscribe(gapChannel)]
  await script(`insert into whatsapp_leases (company_id, whatsapp_id, owner, epoch, expires_at)
    values (${admin.user.companyId}, ${whatsappId}, 'who died', 1, now() - interval '1 second')
    on conflict (company_id, whatsapp_id) do update set owner = 'who died', expires_at = excluded.expires_at`)
  await until(() => gaps.length > 0, 15_000)
  expect(others).toEqual([])
})

test('a process that says no more that it lives is missed once; one that ended in order is not, nor one whose clock was set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  const gaps = await admin.subscribe(gapChannel)
  const row = (name: string, instance: string) =>
    `insert into processes (name, instance, host, pid, version, started_at, beat_at)
      values ('${name}', '${instance}', 'elsewhere', 1, '1', now(), now() - interval '1 minute');`
  await script(row('web@ended', ''))
  await script(row('web@dead', 'who died'))
  await until(() => gaps.length > 0, 15_000)
  const [missed] = await app.platform.scopes.platform().transaction(async sql => {
    const { rows } = (await sql.execute(
      `select array_agg(name order by name) as names from processes where is_missed`,
    )) as { rows: { names: string[] }[] }
    return rows
  })
  expect(missed!.names).toEqual(['web@dead'])
  expect(gaps).toHaveLength(1)
})
