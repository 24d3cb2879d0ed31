import { readFileSync } from 'node:fs'
import { systemControl } from '@balcao/contract/systemControl.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../testing/rows.ts'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let master: Person
let office: PostOffice
beforeAll(async () => {
  office = await openPostOffice()
  app = await openTestApp(office.env)
  master = await app.as('master@balcao.test')
  admin = await app.as('admin@balcao.test')
})
afterAll(async () => {
  await app.close()
  await office.close()
})

const served = async () => (await fetch(`${app.url}/metrics`)).text()
const file = (name: string) => readFileSync(new URL(`../../../../../deploy/${name}`, import.meta.url), 'utf8')

/** Words of PromQL that are no metric: https://prometheus.io/docs/prometheus/latest/querying/functions */
const WORDS =
  /^(sum|max|min|avg|count|topk|rate|increase|time|histogram_quantile|by|and|or|unless|on|up|e\d*)$/
const metricsIn = (expression: string) =>
  expression
    .replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replace(/\bby\s*\([^)]*\)/g, ' ')
    .match(/[a-zA-Z_:][\w:]*/g)!
    .filter(word => !WORDS.test(word))

test('every metric that the sample alerts and the dashboard name is served, under a name with its unit', async () => {
  const text = await served()
  const types = new Map(
    Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name, type]) => [name!, type!]),
  )
  const known = new Set(
    [...types].flatMap(([name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
  const alerts = Array.from(file('alerts.yml').matchAll(/^ +expr: (.*)$/gm), ([, expression]) => expression!)
  const panels = (JSON.parse(file('dashboard.json')) as { panels: { targets: { expr: string }[] }[] }).panels
  const expressions = [...alerts, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))]
  const named = new Set(expressions.flatMap(metricsIn))
  expect(alerts.length).toBeGreaterThan(10)
  expect([...named].filter(name => !known.has(name))).toEqual([])
  // what is counted for alerts is shown by one of them
  const ours = [...types.keys()].filter(name => name.startsWith('balcao_'))
  expect(ours.filter(name => !named.has(name))).toEqual([])
  for (const [name, type] of types) if (type === 'counter') expect(name).toMatch(/_total$/)
})

test('figures say what waits, and for how long, without anything of whom', async () => {
  // no driver runs this connection: it stays as it is
  const messageId = await rowsOf(app, admin).sentMessage()
  await app.database.script(`
    insert into whatsapps (company_id, id, name, lib, wanted) values (${admin.user.companyId}, 1999, 'Nenhuma', 'none', 'on');
    update messages set waits = true, outbox = 'queued', whatsapp_id = 1999, created_at = now() - interval '2 hours' where id = '${messageId}';
    insert into inbound_events (company_id, whatsapp_id, key, chat, heard, heard_at)
      values (${admin.user.companyId}, 2000000000, 'nowhere', '', '{}', now() - interval '1 hour');
    insert into mails (company_id, cause, recipient, letter, created_at)
      values (${admin.user.companyId}, 'x', 'zilda@rua.test', '{}', now() - interval '3 hours');
    insert into pgboss.job (name, data, state, completed_on)
      values ('files.removeOrphans', '{}', 'completed', to_timestamp(1700000000))`)
  const another = await openTestApp({}, { database: { ...app.database, close: async () => {} } })
  const text = await (await fetch(`${another.url}/metrics`)).text()
  await another.close()
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find(line => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    )
  expect(value('balcao_outbox_oldest_seconds{connected="false"}')).toBeGreaterThanOrEqual(7_200)
  expect(value('balcao_outbox_messages{connected="false"}')).toBe(1)
  expect(value('balcao_connections_down')).toBeGreaterThanOrEqual(1)
  expect(value('balcao_connections_unowned')).toBeGreaterThanOrEqual(1)
  expect(value('balcao_connections{state="DISCONNECTED",lib="none"}')).toBe(1)
  expect(value('balcao_inbound_events')).toBe(1)
  expect(value('balcao_inbound_oldest_seconds')).toBeGreaterThanOrEqual(3_600)
  expect(value('balcao_mails{state="waiting"}')).toBe(1)
  expect(value('balcao_mails_oldest_seconds')).toBeGreaterThanOrEqual(10_800)
  expect(value('balcao_chore_last_success_timestamp_seconds{chore="files.removeOrphans"}')).toBe(
    1_700_000_000,
  )
  expect(value('balcao_processes{state="alive"}')).toBeGreaterThanOrEqual(1)
  expect(value('balcao_disk_bytes{what="free"}')).toBeGreaterThan(0)
  expect(text.match(/balcao_figures_failed\{group="\w+"\} 1/g)).toBeNull()
  expect(text).not.toMatch(/zilda|companyId/)
})

test('the servers beside the database say whether they answer, and a test letter shows that letters leave, or why not', async () => {
  const servers = async () =>
    Object.fromEntries((await master.get(systemControl.servers)).map(one => [one.name, one]))
  await until(async () => (await servers()).mail!.state === 'up')
  expect(await servers()).toMatchObject({
    files: { state: 'up', place: app.platform.config.dataDir },
    mail: { place: new URL(office.env.SMTP_URL!).host, why: '', since: expect.any(String) },
    redis: { state: 'unset', place: '' },
  })
  const { email } = master.user
  expect(await master.get(systemControl.testMail, { body: { language: 'en' } })).toEqual({ to: email })
  expect((await office.letterTo(email)).subject).toBe('Test e-mail')
  office.refused.add(email)
  const refused = await master.call(systemControl.testMail, { body: {} })
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { error: 'ERR_MAIL_REFUSED', details: { reason: expect.stringContaining('no such mailbox') } },
  ])
  // it answered, and refused this letter alone
  expect((await servers()).mail!.state).toBe('up')
})
