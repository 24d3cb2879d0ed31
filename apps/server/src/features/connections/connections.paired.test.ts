import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import type { SessionState } from '../../driver.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { reportSession } from './connections.session.actions.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
})
afterAll(() => app.close())

test('a number is as young as its pairing: it comes back as it was, and begins anew when it is paired again', async () => {
  const whatsappId = await rowsOf(app, admin).connection()
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const report = (state: Partial<SessionState>) =>
    scope.transaction(tx => reportSession(tx, app.platform.secrets, whatsappId, state))
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
