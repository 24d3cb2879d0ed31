import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contacts } from '@balcao/contract/contacts.ts'
import { systemControl } from '@balcao/contract/systemControl.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../../testing/database.ts'
import { startProcess } from '../../../testing/process.ts'
import { rowsOf } from '../../../testing/rows.ts'
import { freshStore } from '../../../testing/store.ts'
import { enter, openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import type { Database } from '../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { job } from '../../platform/work/jobs.ts'
import { product } from '../../product.ts'
import { countMessages } from './systemControl.jobs.ts'

const folder = mkdtempSync(join(tmpdir(), 'balcao-system-'))
const said = join(folder, 'said')
const fails = { still: true }
const mends = job<object>(
  'test.mends',
  async () => {
    if (fails.still) throw new Error('not yet')
  },
  { retries: 0 },
)

/** A busy machine is slow. */
const START_MS = 200_000

let database: Database
let app: TestApp
let master: Person
let admin: Person
beforeAll(async () => {
  database = await freshDatabase()
  const features = [...product.features, { name: 'test', jobs: [mends] }]
  app = await openTestApp(
    { RESTART_COMMAND: `echo again > ${said}` },
    { product: { ...product, features }, database },
  )
  master = await app.as('master@balcao.test')
  admin = await app.as('admin@balcao.test')
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const act = (action: 'getPm2Info' | 'getSystemResources' | 'diagnostic' | 'restart' | 'update') =>
  master.get(systemControl.act, { body: { action } })

test('a process says of itself what it does, what it uses and what it runs (SYS-008) [API-030, ENTITY-044 … ENTITY-045, SYS-001 … SYS-014]', async () => {
  const [own, ...others] = await until(async () => {
    const { pm2Info } = await act('getPm2Info')
    return pm2Info!.some(({ monit, sessions }) => monit.memory > 0 && sessions > 0) && pm2Info!
  }, 20_000)
  expect(others).toEqual([])
  expect(own).toMatchObject({
    name: expect.stringMatching(/^web\+worker\+channels@./),
    monit: { cpu: expect.any(Number), memory: expect.any(Number) },
    restart_time: 0,
    pid: process.pid,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    isAlive: true,
  })
  expect(Date.now() - own!.pm_uptime).toBeLessThan(600_000)
})

test('the machine says its disk, its memory and the load of each core (SYS-006, SYS-011) [ENTITY-044 … ENTITY-045, SYS-001 … SYS-014]', async () => {
  const { systemInfo } = await act('getSystemResources')
  const { disk, memory, cpu, os } = systemInfo!
  expect(disk.total).toBeGreaterThan(disk.available)
  expect(memory.total).toBeGreaterThan(memory.free)
  expect(memory.free).toBeGreaterThan(0)
  expect(cpu.perCoreLoad.length).toBeGreaterThan(0)
  for (const load of [cpu.currentLoad, ...cpu.perCoreLoad]) {
    expect(load).toBeGreaterThanOrEqual(0)
    expect(load).toBeLessThanOrEqual(100)
  }
  expect(os).toMatchObject({ host: expect.stringMatching(/./), cores: expect.any(Number) })
})

test('a restart runs the configured command, an update without one says so (OP-112) [OP-111 … OP-113, SYS-001 … SYS-014]', async () => {
  expect(await act('restart')).toEqual({ isConfigured: true })
  await until(() => existsSync(said) && readFileSync(said, 'utf8') === 'again\n')
  expect(await act('update')).toEqual({ isConfigured: false })
})

test('what is no action is refused by its field [API-030]', async () => {
  const { status, body } = await master.call(systemControl.act, { body: JSON.parse('{"action":"shutdown"}') })
  expect([status, body]).toMatchObject([400, { field: 'action' }])
})

test('the diagnosis has versions and queues (OP-111) [OP-111 … OP-113, SYS-001 … SYS-014]', async () => {
  const { versions, queues } = await act('diagnostic')
  expect(versions).toMatchObject({ node: process.versions.node, database: expect.stringMatching(/^\d/) })
  expect(queues!.map(({ name }) => name)).toContain('messageLogs.reprocessRecent')
})

test('the operator sees what is broken, what fails, what each company keeps and what lacks, of all companies together', async () => {
  const { companyId, whatsappId } = admin.user
  const connected = await app.platform.scopes
    .platform()
    .transaction(sql =>
      rowsFrom<{ status: string }>(sql, tag`select status from whatsapps where id = ${whatsappId}`),
    )
  await app.database.script(`
    update whatsapps set status = 'DISCONNECTED', status_reason = 'ERR_WAPP_LOGGED_OUT' where id = ${whatsappId};
    insert into mails (company_id, cause, recipient, letter, state, reason)
      values (${companyId}, 'a test', 'a@b.test', '{}', 'failed', 'no such user');
    insert into webhooks (company_id, name, url, secret, events, is_active, failing_since)
      values (${companyId}, 'Loja', 'https://a.test', 's', '{}', true, now())`)
  const ofCompany = { companyId, company: expect.any(String), since: expect.any(String) }
  const found = await master.get(systemControl.overview)
  expect(found).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    database: expect.stringMatching(/^\d/),
    lacks: expect.arrayContaining(['BACKEND_URL', 'SMTP_URL', 'BACKUP_TO', 'notices']),
    backup: null,
    sealed: null,
  })
  expect(found.connections.find(one => one.whatsappId === whatsappId)).toMatchObject({
    ...ofCompany,
    reason: 'ERR_WAPP_LOGGED_OUT',
  })
  expect(found.failures.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    { ...ofCompany, kind: 'mail', count: 1 },
    { ...ofCompany, kind: 'webhook', count: 1 },
  ])
  const [counted] = await app.platform.scopes
    .platform()
    .transaction(sql =>
      rowsFrom<{ messages: number }>(
        sql,
        tag`select count(*)::int as messages from messages where company_id = ${companyId}`,
      ),
    )
  const { companies } = await master.get(systemControl.companies)
  expect(companies.find(one => one.companyId === companyId)).toMatchObject({
    ...counted,
    leavingAt: null,
  })
  await app.database.script(
    `update whatsapps set status = '${connected[0]!.status}', status_reason = '' where id = ${whatsappId}`,
  )
})

test('where messages are many, the operator sees those that each company had last night, also of the small ones', async () => {
  const companyId = admin.user.companyId
  // as after years: the table is long, and this company is none of those that the database keeps figures of
  await app.database.script(`update pg_class set reltuples = 1000000 where oid = 'messages'::regclass;
    delete from pg_statistic where starelid = 'messages'::regclass`)
  const shown = async () =>
    (await master.get(systemControl.companies)).companies.find(one => one.companyId === companyId)?.messages
  const [before] = await app.platform.scopes
    .platform()
    .transaction(sql =>
      rowsFrom<{ many: number }>(
        sql,
        tag`select count(*)::int as many from messages where company_id = ${companyId}`,
      ),
    )
  expect(before!.many).toBeGreaterThan(0)
  // its first night is still to come
  expect(await shown()).toBe(before!.many)
  await countMessages.run(app.platform.scopes, app.platform.config, app.platform)
  expect(await shown()).toBe(before!.many)
  await app.database.script('analyze messages')
})

test('all companies are listed a page at a time, the largest first, and found by a part of their name, each with its figures', async () => {
  const many = 45
  await app.database.script(`
    insert into companies (name, leaving_at) select 'Filial ' || n, now() from generate_series(1, ${many}) n;
    insert into company_files (company_id, files, bytes)
      select id, 2, 1000 * id from companies where name like 'Filial %'`)
  const shown = async (query: { pageNumber?: number; searchParam?: string }) => {
    const { companies, hasMore } = await master.get(systemControl.companies, { query })
    return { companies: companies.filter(({ company }) => company.startsWith('Filial ')), hasMore }
  }
  const pages = [await shown({}), await shown({ pageNumber: 2 }), await shown({ pageNumber: 3 })]
  const all = pages.flatMap(({ companies }) => companies)
  expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false])
  expect(new Set(all.map(({ companyId }) => companyId)).size).toBe(many)
  expect(all.map(({ bytes }) => bytes)).toEqual(all.map(({ companyId }) => 1000 * companyId))
  expect(all.every(({ bytes }, at) => at === 0 || bytes < all[at - 1]!.bytes)).toBe(true)
  const found = await shown({ searchParam: 'FILIAL 33' })
  expect(found).toEqual({
    companies: [expect.objectContaining({ company: 'Filial 33', files: 2, messages: 0 })],
    hasMore: false,
  })
  const theirs = await admin.call(systemControl.companies)
  expect([theirs.status, theirs.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  await app.database.script(`delete from companies where name like 'Filial %'`)
})

test('counts that went wrong are computed again, once (SYS-007, OP-113) [API-030, OP-111 … OP-113, SYS-001 … SYS-014]', async () => {
  const rows = rowsOf(app, admin)
  const ticketId = await rows.ticket()
  const count = async () =>
    (await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })).count
  const known = async () => (await admin.get(contacts.list)).count
  const [before, knownBefore] = [await count(), await known()]
  await app.database.script(`
    update ticket_counts set tickets = tickets + 7 where (company_id, status, queue_id, user_id, part) = (
      select company_id, status, queue_id, user_id, part from ticket_counts
      where company_id = ${admin.user.companyId} and status = 'pending' limit 1);
    update contact_counts set contacts = contacts + 5 where company_id = ${admin.user.companyId};
    update tickets set unread_messages = 99 where id = ${ticketId}`)
  expect([await count(), await known()]).not.toEqual([before, knownBefore])
  expect(await master.get(systemControl.adjustDb)).toEqual({
    ok: true,
    found: { ticketCounts: 1, contactCounts: 1, unread: 1 },
  })
  expect([await count(), await known()]).toEqual([before, knownBefore])
  expect((await admin.get(tickets.show, { params: { ticketId } })).unreadMessages).toBeLessThan(99)
  expect(await master.get(systemControl.adjustDb)).toEqual({
    ok: true,
    found: { ticketCounts: 0, contactCounts: 0, unread: 0 },
  })
})

test('work that failed for good is seen, and is tried again by hand', async () => {
  await app.platform.scopes.inCompany(admin.user.companyId).transaction(tx => tx.enqueue(mends, {}))
  const accountState = async () =>
    (await master.get(systemControl.queues)).find(({ name }) => name === mends.name)!
  await until(async () => (await accountState()).failed === 1, 20_000)
  fails.still = false
  expect(await master.get(systemControl.retryFailed, { params: { name: mends.name } })).toEqual({
    retried: 1,
  })
  await until(async () => {
    const { failed, waiting, active } = await accountState()
    return failed + waiting + active === 0
  }, 20_000)
  expect(await master.get(systemControl.retryFailed, { params: { name: 'nobody.knows' } })).toEqual({
    retried: 0,
  })
})

test('who dies and is started anew is counted', async () => {
  const store = await freshStore()
  const restarts = async (url: string) => {
    const operator = await enter(url, 'master@balcao.test')
    const { pm2Info } = await operator.get(systemControl.act, { body: { action: 'getPm2Info' } })
    return pm2Info!.map(one => one.restart_time)
  }
  const first = await startProcess(store.env, START_MS)
  expect(await restarts(first.url)).toEqual([0])
  await first.kill()
  const second = await startProcess(store.env, START_MS)
  expect(await restarts(second.url)).toEqual([1])
  await second.stop()
  await store.remove()
}, 600_000)
