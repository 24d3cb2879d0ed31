import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { clients } from '@balcao/contract/clients.ts'
import { companies } from '@balcao/contract/companies.ts'
import { connections } from '@balcao/contract/connections.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let app: TestApp
let master: Person
let admin: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script('update companies set enable_campaigns = true')
  master = await app.as('master@balcao.test')
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const ask = <Row>(statement: string): Promise<Row[]> =>
  app.platform.scopes.platform().transaction(sql => rowsFrom<Row>(sql, tag.raw(statement)))

/** How many rows a company has, by every table that has companies. */
async function rowsBelongingTo(companyId: number): Promise<Record<string, number>> {
  const tables = await ask<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and a.attname = 'company_id' and not a.attisdropped order by 1`,
  )
  const counted: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await ask<{ n: number }>(
      `select count(*)::int n from ${name} where company_id = ${companyId}`,
    )
    if (row!.n > 0) counted[name] = row!.n
  }
  const [own] = await ask<{ n: number }>(`select count(*)::int n from companies where id = ${companyId}`)
  const [jobs] = await ask<{ n: number }>(
    `select count(*)::int n from pgboss.job where data->>'companyId' = '${companyId}'`,
  )
  return { ...counted, ...(own!.n && { companies: 1 }), ...(jobs!.n && { jobs: jobs!.n }) }
}

const filesOf = (companyId: number): string[] => {
  const folder = join(app.platform.config.dataDir, 'files')
  return (readdirSync(folder, { recursive: true }) as string[]).filter(name =>
    name.startsWith(`${companyId}/`),
  )
}

/** One of everything that a company can have, over the calls of its people. */
async function live(who: Person) {
  const rows = rowsOf(app, who)
  await rows.invitation()
  await rows.category()
  await rows.merge()
  await rows.sheet()
  await rows.failedMessage()
  await rows.schedule()
  await rows.apiToken()
  await rows.campaignDispatch()
  await rows.optOut()
  await rows.flow()
  await rows.rawLog()
  const form = new FormData()
  form.append('body', '{}')
  form.append('media', new Blob([pixel], { type: 'image/png' }), 'logo.png')
  await fetch(`${app.url}${companies.change.path.replace(':companyId', String(who.user.companyId))}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${who.token}` },
    body: form,
  })
}

const pixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  letter => letter.charCodeAt(0),
)

test('of a company that was deleted no row and no file is left, and another keeps all its own [COMPANY-020 … COMPANY-023, OP-129]', async () => {
  await live(admin)
  await live(stranger)
  const [gone, kept] = [stranger.user.companyId, admin.user.companyId]
  const line = await stranger.socket()
  const before = await rowsBelongingTo(gone)
  expect(Object.keys(before).length).toBeGreaterThan(25)
  expect(filesOf(gone).length).toBeGreaterThan(0)
  const [others, theirFiles] = [await rowsBelongingTo(kept), filesOf(kept)]

  await master.get(clients.remove, { params: { companyId: gone } })
  expect((await master.call(clients.show, { params: { companyId: gone } })).body.error).toBe(
    'ERR_NO_COMPANY_FOUND',
  )
  const again = await master.call(clients.remove, { params: { companyId: gone } })
  expect(again.body.error).toBe('ERR_NO_COMPANY_FOUND')
  await until(() => line.disconnected, 5_000)
  await until(async () => Object.keys(await rowsBelongingTo(gone)).length === 0, 90_000)
  await until(() => filesOf(gone).length === 0, 5_000)

  const after = await rowsBelongingTo(kept)
  for (const [table, many] of Object.entries(others))
    if (!['jobs', 'whatsapp_leases', 'inbound_events'].includes(table))
      expect(after[table] ?? 0, table).toBeGreaterThanOrEqual(many)
  expect(filesOf(kept)).toEqual(theirFiles)
  expect((await admin.get(connections.list)).length).toBeGreaterThan(0)
}, 180_000)

test('a company that is deleted while customers write to it is gone all the same', async () => {
  const { company } = await master.get(clients.create, {
    body: { name: 'Breve', email: 'breve@breve.test', userName: 'Dona', passwordDefault: 'balcao-demo' },
  })
  await app.database.script(
    `insert into plans (name, company_id, number_attendants, number_connections) values ('P', ${company.id}, 9, 9);
     update companies set number_conections = 9 where id = ${company.id}`,
  )
  const dona = await app.as('breve@breve.test')
  const { id: whatsappId } = await dona.get(connections.create, { body: { name: 'Linha', lib: 'simulator' } })
  await app.database.script(
    `update whatsapps set wanted = 'on', wanted_order = wanted_order + 1 where id = ${whatsappId}`,
  )
  await until(
    async () => (await dona.get(connections.show, { params: { whatsappId } })).status === 'CONNECTED',
    10_000,
  )
  let writing = true
  const traffic = (async () => {
    while (writing)
      await dona.call(simulator.write, {
        params: { whatsappId },
        body: { number: newNumber(), name: 'Rita', body: 'Oi' },
      })
  })()
  await until(async () => (await rowsBelongingTo(company.id)).messages! > 5, 60_000)
  await master.get(clients.remove, { params: { companyId: company.id } })
  await until(async () => Object.keys(await rowsBelongingTo(company.id)).length === 0, 90_000)
  writing = false
  await traffic
  expect(await rowsBelongingTo(company.id)).toEqual({})
}, 180_000)
