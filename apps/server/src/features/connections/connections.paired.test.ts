import { connections, MOST_FALLS } from '@balcao/contract/connections.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import type { SessionReport } from '../../driver.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { reportSession } from './connections.session.actions.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
})
afterAll(() => app.close())

const reporterOf = (whatsappId: number) => (state: SessionReport) =>
  app.platform.scopes
    .inCompany(admin.user.companyId)
    .transaction(tx => reportSession(tx, app.platform.secrets, whatsappId, state))

/** A new connection whose own session has reported: what it reports later would mix with the reports of a test. */
async function connected(): Promise<number> {
  const whatsappId = await rowsOf(app, admin).connection()
  await until(
    async () =>
      (await admin.get(connections.list)).find(({ id }) => id === whatsappId)?.status === 'CONNECTED',
  )
  return whatsappId
}

test('a number is as young as its pairing: it comes back as it was, and begins anew when it is paired again', async () => {
  const whatsappId = await connected()
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const report = reporterOf(whatsappId)
  const age = async () => {
    const [row] = await scope.read(tx =>
      rowsFrom<{ days: number | null }>(
        tx.sql,
        tag`select round(extract(epoch from now() - paired_at) / 86400)::int as days
          from whatsapps where company_id = ${tx.companyId} and id = ${whatsappId}`,
      ),
    )
    return row!.days
  }
  const number = newNumber()
  await app.database.script(
    `update whatsapps set created_at = now() - interval '90 days' where id = ${whatsappId}`,
  )
  await report({ status: 'qrcode', qrcode: 'x' })
  expect(await age()).toBe(null)
  await report({ status: 'CONNECTED', number })
  expect(await age()).toBe(0)
  await app.database.script(
    `update whatsapps set paired_at = now() - interval '40 days' where id = ${whatsappId}`,
  )
  await report({ status: 'OPENING', retries: 1 })
  await report({ status: 'CONNECTED', number })
  expect(await age()).toBe(40)
  await report({ status: 'CONNECTED', number: newNumber() })
  expect(await age()).toBe(0)
})

test('a connection keeps its last falls with their reasons, of which one that lasts is one, for its admins alone', async () => {
  const whatsappId = await connected()
  const params = { whatsappId }
  const report = reporterOf(whatsappId)
  const falls = async () => (await admin.get(connections.falls, { params })).falls
  const before = (await falls()).length
  await report({ status: 'CONNECTED', number: newNumber() })
  await report({ status: 'OPENING', retries: 1, fall: { reason: 'ERR_WAPP_CONNECTION_LOST', code: '428' } })
  await report({ status: 'OPENING', retries: 2, fall: { reason: 'ERR_WAPP_CONNECTION_LOST', code: '428' } })
  await report({ status: 'CONNECTED' })
  const statusUntil = new Date(Date.now() + 3_600_000).toISOString()
  const fall = { reason: 'ERR_WAPP_TEMP_BANNED', code: '402 101' }
  await report({ status: 'DISCONNECTED', statusReason: fall.reason, statusUntil, fall })
  expect((await falls()).slice(0, (await falls()).length - before)).toMatchObject([
    { ...fall, until: statusUntil, backAt: null },
    { reason: 'ERR_WAPP_CONNECTION_LOST', code: '428', until: null, backAt: expect.any(String) },
  ])
  const shown = await admin.get(connections.show, { params })
  expect(shown).toMatchObject({ status: 'DISCONNECTED', statusUntil, session: 'on' })
  // an admin's order ends the rest
  expect(await admin.get(connections.start, { params })).toMatchObject({
    status: 'OPENING',
    statusUntil: null,
  })
  for (let at = 0; at < MOST_FALLS + 3; at++)
    await report({ status: 'OPENING', fall: { reason: 'ERR_WAPP_UNAVAILABLE', code: `${at}` } })
  expect(await falls()).toHaveLength(MOST_FALLS)
  expect((await falls())[0]).toMatchObject({ code: `${MOST_FALLS + 2}` })
  const stranger = await app.as('admin@outra.test')
  expect((await stranger.call(connections.falls, { params })).body.error).toBe('ERR_NO_WAPP_FOUND')
})
