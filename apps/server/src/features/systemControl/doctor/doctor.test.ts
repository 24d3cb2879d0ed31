import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { features } from '../../../features.ts'
import { readConfig } from '../../../platform/config.ts'
import { examineAround, examineDatabase, examineMachine, groupsOf } from './doctor.worker.ts'
import { exitCodeOf, type Finding, linesOf } from './findings.rules.ts'
import { databasePart, packetOf } from './packet.export.ts'
import { publicFindings } from './servers.client.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const examined = (given: Partial<TestApp['platform']['config']> = {}) => ({
  config: { ...app.platform.config, ...given },
  env: {},
  features,
})
const look = (given?: Parameters<typeof examined>[0]) => examineDatabase(app.database, examined(given))
const worse = (findings: Finding[]) =>
  findings
    // as the server of the tests is
    .filter(({ level, what }) => level !== 'ok' && !what.startsWith('autovacuum is off'))
    .map(({ area, level, what }) => `${level} ${area}: ${what}`)

test('of an installation that is well every line is ok', async () => {
  const findings = [...(await examineMachine(examined())), ...(await look())]
  expect(worse(findings)).toEqual([])
  expect(linesOf(findings)).toContainEqual(expect.stringMatching(/^ok {4}schema: newest migration \d{4}_/))
})

test('what is wrong in the database is a line with its ids and what to do, and nothing is changed by looking', async () => {
  const admin = await app.as('admin@balcao.test')
  const { companyId } = admin.user
  await app.database.script(`
    insert into whatsapps (company_id, name, status, status_reason, wanted, updated_at) values
      (${companyId}, 'Linha da Zoraide', 'DISCONNECTED', 'ERR_WAPP_LOGGED_OUT', 'off', now() - interval '3 days');
    insert into processes (name, instance, host, pid, version, started_at, beat_at)
      values ('web@casa', 'x', 'casa', 1, '1', now(), now() - interval '1 hour');
    drop index processes_beat;
    insert into migrations (name) values ('9999_of-tomorrow')`)
  const findings = await look()
  expect(worse(findings)).toEqual([
    'bad schema: of a newer version: 9999_of-tomorrow',
    'warn indexes: 1 are missing: processes_beat',
    'warn work: processes that ended without a stop, or do not reach the database: 1',
    expect.stringMatching(
      new RegExp(`connection \\d+ of company ${companyId} \\(ERR_WAPP_LOGGED_OUT\\) since 3 days`),
    ),
  ])
  expect(exitCodeOf(findings)).toBe(2)
  expect(findings.every(({ level, todo }) => (level === 'ok') === (todo === ''))).toBe(true)
  // no name of a company's line, and a packet holds none either
  const part = await databasePart(app.database, groupsOf(features))
  const packet = JSON.stringify(packetOf(app.platform.config, process.env, findings, part))
  expect(packet).not.toContain('Zoraide')
  expect(part.tables.map(({ name }) => name)).toContain('messages')
  await app.database.script(`delete from migrations where name = '9999_of-tomorrow';
    delete from processes where name = 'web@casa'; create index processes_beat on processes (beat_at);
    delete from whatsapps where name = 'Linha da Zoraide'`)
})

test('another secret is bad, and nothing is made for a database that has one', async () => {
  const other = await look({ jwtSecret: '0e1d2c3b4a59687f8e9dacbb0e1d2c3b' })
  expect(worse(other)).toEqual([expect.stringMatching(/^bad secrets: JWT_SECRET .* is not the secret/)])
  const none = await look({ jwtSecret: null })
  expect(worse(none)).toEqual([expect.stringMatching(/^bad secrets: .* its secret is gone/)])
})

test('servers that do not answer are bad, each with its reason', async () => {
  const away = readConfig({
    ...{ REDIS_URL: 'redis://127.0.0.1:9', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@x.test' },
    ...{ S3_BUCKET: 'b', S3_REGION: 'r', S3_ENDPOINT: 'http://127.0.0.1:9', S3_ACCESS_KEY_ID: 'x' },
    ...{ S3_SECRET_ACCESS_KEY: 'y', BACKEND_URL: 'https://127.0.0.1:9', PORT: '9' },
  })
  const findings = await examineAround({ config: away, env: {}, features })
  expect(findings.filter(({ level }) => level === 'bad').map(({ area }) => area)).toEqual([
    ...['redis', 'files', 'mail', 'certificate', 'proxy'],
  ])
})

test('a copy, sentinels and the place of backups are looked at like other servers, and one that fails hides no other', async () => {
  const key = '0e1d2c3b4a59687f8e9dacbb0e1d2c3b'
  const several = readConfig({
    ...{ DATABASE_URL: 'postgres://127.0.0.1:9/x', JWT_SECRET: key, PORT: '9' },
    ...{ DATABASE_READ_URL: app.database.url, REDIS_URL: 'redis+sentinel://:word@127.0.0.1:9/balcao' },
    ...{ BACKUP_TO: 'file:/no/such/folder', BACKUP_KEY: key },
  })
  const findings = await examineAround({ config: several, env: {}, features })
  expect(worse(findings)).toEqual([
    'bad copy: DATABASE_READ_URL names no hot standby',
    expect.stringMatching(/^bad redis: does not answer \(/),
    'warn mail: no mail is sent: SMTP_URL is not set',
    'warn backups: BACKUP_TO holds no backup of this BACKUP_KEY',
    'warn address: BACKEND_URL is not set',
  ])
  expect(JSON.stringify(findings)).not.toMatch(/word|0e1d2c/)
  const [, redis] = await examineAround({ config: { ...several, redisUrl: null }, env: {}, features })
  expect(redis!.what).toBe('not used: PostgreSQL carries live events')
})

test('whether proxies in front are believed is asked of the product itself, through them', async () => {
  const trusting = await openTestApp({ TRUST_PROXY: '1' })
  const proxied = async (of: TestApp, headers: Record<string, string>) => {
    const proxy = createServer((asked, answer) => {
      const passed = request(of.url + asked.url, { headers: { ...asked.headers, ...headers } }, got => {
        answer.writeHead(got.statusCode!, got.headers)
        got.pipe(answer)
      })
      passed.end()
    }).listen(0, '127.0.0.1')
    await new Promise(done => proxy.once('listening', done))
    const backendUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const findings = await publicFindings({ ...of.platform.config, backendUrl }, 0)
    proxy.closeAllConnections()
    await new Promise(done => proxy.close(done))
    return worse(findings.filter(({ area }) => area === 'proxy'))
  }
  const one = { 'x-forwarded-for': '203.0.113.7' }
  expect(await proxied(trusting, one)).toEqual([])
  expect(await proxied(app, one)).toEqual([
    expect.stringContaining('1 proxies are in front and 0 are believed'),
  ])
  expect(await proxied(trusting, { 'x-forwarded-for': '203.0.113.7, 10.0.0.2' })).toEqual([
    expect.stringContaining('2 proxies are in front and 1 are believed'),
  ])
  expect(await proxied(trusting, {})).toEqual([expect.stringContaining('names no caller')])
  expect(await proxied(trusting, { ...one, 'x-forwarded-proto': 'https' })).toEqual([
    'bad proxy: calls arrive as https',
  ])
  expect(await proxied(trusting, { ...one, host: 'inside.test' })).toEqual([
    'warn proxy: calls arrive under another host name',
  ])
  await trusting.close()
})
