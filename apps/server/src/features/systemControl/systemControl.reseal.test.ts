import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bots } from '@balcao/contract/bots.ts'
import { collectors } from '@balcao/contract/collectors.ts'
import { connections } from '@balcao/contract/connections.ts'
import { integrations } from '@balcao/contract/integrations.ts'
import { push } from '@balcao/contract/push.ts'
import { webhooks } from '@balcao/contract/webhooks.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { features } from '../../features.ts'
import { nameOfSealed, nextSealed, replaceSealed, type SealedColumn } from '../../platform/access/sealed.ts'
import { refuseOtherSecret, replaceLostSecret } from '../../platform/access/sealing-keys.ts'
import { openSecrets } from '../../platform/access/secrets.ts'
import { itemsOf } from '../../platform/features.ts'
import { openDatabase } from '../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { companyNames } from './lost/lost.queries.ts'
import { lostLines } from './lost/lost.rules.ts'
import { forgetLost, unreadableIn } from './lost/lost.worker.ts'
import { resealAll } from './systemControl.reseal.worker.ts'

const FRESH = '0e1d2c3b4a59687f8e9dacbb0e1d2c3b'
const columns = itemsOf(features, 'sealed')

let app: TestApp
let admin: Person
let old: string
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  old = app.platform.config.jwtSecret!
})
afterAll(() => app.close())

const platform = () => app.platform.scopes.platform()
const ask = <Row>(statement: string) => platform().transaction(sql => rowsFrom<Row>(sql, tag.raw(statement)))
const opened = (jwtSecret: string, jwtSecretOld: string | null = null) =>
  openSecrets({ jwtSecret, jwtSecretOld, keepSessions: false, dataDir: '/nowhere' }, async () => false)
const found = async (column: SealedColumn) =>
  (await platform().transaction(sql => nextSealed(sql, column, null, 5_000))).found

/** A row with each sealed column, the sealed text alone or within the JSON of an event. */
async function sealEverywhere() {
  const { companyId } = admin.user
  const rows = rowsOf(app, admin)
  const sealed = () => app.platform.secrets.seal(companyId, 'chave')
  const inJson = () => JSON.stringify({ kind: 'message', file: { source: sealed() }, body: 'v1.nada' })
  const [line, setup] = [await rows.line(), await rows.campaignSetup()]
  await rows.webhook()
  await admin.get(push.key)
  const messageId = await rows.sentMessage()
  const { id: botSetupId } = await admin.get(bots.addSetup, { body: { name: 'Bot' } })
  const integration = { name: 'Chat', apiUrl: 'http://127.0.0.1:9', apiToken: 'sk-0001' }
  await (await app.as('master@balcao.test')).get(integrations.create, { body: integration })
  await app.database.script(`
    insert into whatsapp_keys (company_id, whatsapp_id, type, id, value) values
      (${companyId}, ${line}, 'creds', '', '${sealed()}'), (${companyId}, ${line}, 'session', 'a', '${sealed()}');
    update whatsapps set wanted = 'off', qrcode = '${sealed()}', pairing_code = '${sealed()}' where id = ${line};
    insert into whatsapp_cloud (company_id, whatsapp_id, access_token, app_secret, verify_token, webhook_key)
      values (${companyId}, ${line}, '${sealed()}', '${sealed()}', '${sealed()}', '${randomUUID()}');
    update messages set media_source = '${sealed()}' where id = '${messageId}';
    insert into inbound_events (company_id, whatsapp_id, key, chat, heard, handled_at)
      values (${companyId}, ${line}, '${randomUUID()}', '', '${inJson()}', now());
    insert into import_messages (company_id, whatsapp_id, key, heard)
      values (${companyId}, ${line}, '${randomUUID()}', '${inJson()}');
    insert into collectors (company_id, name, token, webhook_secret)
      values (${companyId}, 'mercadopago', '${sealed()}', '${sealed()}');
    update bot_setups set webhook_secret = '${sealed()}' where id = ${botSetupId};
    insert into autopay_ways (company_id, kind, state, token) values (${companyId}, 'card', 'ended', '${sealed()}');
    update campaign_setups set webhook_secret = '${sealed()}' where id = '${setup}'`)
}

test('every column with sealed values is declared, in the files that seal and in the database', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const sealing: string[] = []
  for await (const path of glob('{features,channels,payments,seed}/**/*.ts', { cwd: root }))
    if (!path.endsWith('.test.ts') && readFileSync(`${root}/${path}`, 'utf8').includes('secrets.seal('))
      sealing.push(path)
  // whoever seals in another file declares the column (`sealedIn`), and gives it a value above
  expect(sealing.sort()).toEqual([
    'channels/inbound.ts',
    'features/autopay/autopay.actions.ts',
    'features/bots/bots.calls.worker.ts',
    'features/campaignSetups/campaignSetups.actions.ts',
    'features/collectors/collectors.actions.ts',
    'features/connections/connections.keys.queries.ts',
    'features/connections/connections.rules.ts',
    'features/connections/connections.session.actions.ts',
    'features/imports/imports.actions.ts',
    'features/integrations/integrations.actions.ts',
    'features/push/push.keys.actions.ts',
    // new secrets for what a lost one had sealed
    'features/systemControl/lost/lost.worker.ts',
    'features/webhooks/webhooks.actions.ts',
  ])
  await sealEverywhere()
  const texts = await ask<{
    table: string
    column: string
  }>(`select c.table_name as table, c.column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb', 'ARRAY')`)
  const holding: string[] = []
  for (const { table, column } of texts) {
    const [row] = await ask<{ is: boolean }>(
      `select exists (select from ${table} where ${column}::text ~ 'v1\\.[A-Za-z0-9+/]{38,}') as is`,
    )
    if (row!.is) holding.push(`${table}.${column}`)
  }
  expect(holding.sort()).toEqual(columns.map(nameOfSealed).sort())
})

test('another secret is refused before anything changes, also by a database that does not name its secret yet', async () => {
  const [other, same] = [await opened(FRESH), await opened(old)]
  const refused = /^JWT_SECRET .* is not the secret that sealed .* Nothing was changed\. .*$/
  await expect(openTestApp({ JWT_SECRET: FRESH }, { database: app.database })).rejects.toThrow(refused)
  await app.database.script('alter table sealing_keys rename to sealing_keys_aside')
  await expect(refuseOtherSecret(app.database, other, columns)).rejects.toThrow(refused)
  await refuseOtherSecret(app.database, same, columns)
  await app.database.script('alter table sealing_keys_aside rename to sealing_keys')
  expect(await ask('select key_id from sealing_keys')).toEqual([{ key_id: same.keyId }])
})

test('a secret is replaced while the product serves, and only then the old one is not needed', async () => {
  const stillOld = await opened(old)
  const database = openDatabase(app.database.jobs.connectionString!)
  const next = await openTestApp({ JWT_SECRET: FRESH, JWT_SECRET_OLD: old, KEEP_SESSIONS: '1' }, { database })
  const [both, fresh] = [await opened(FRESH, old), await opened(FRESH)]
  expect(next.platform.secrets.installation).toBe(stillOld.installation)
  // a session that the old secret signed goes on
  expect((await next.holding(admin.token, admin.user).call(integrations.list)).status).not.toBe(401)

  await app.database.script(`insert into processes (name, instance, host, pid, version, key_id, started_at, beat_at)
    values ('web@elsewhere', 'another', 'elsewhere', 1, '1', '${stillOld.keyId}', now(), now())`)
  const reports: string[] = []
  const run = (report = (_column: string) => {}) =>
    resealAll({ database, platform: platform(), secrets: both, columns, report })
  await expect(run()).rejects.toThrow(
    /^Other processes still seal with another secret: .*web@elsewhere\. Restart them/,
  )
  await ask(`update processes set instance = '' where name = 'web@elsewhere'`)

  // interrupted, and begun again
  const fail = (column: string) => {
    reports.push(column)
    if (reports.length === 5) throw new Error('killed')
  }
  await expect(run(fail)).rejects.toThrow('killed')
  await expect(refuseOtherSecret(database, fresh, columns)).rejects.toThrow('is not the secret')
  await run()
  for (const column of columns) {
    const rows = await found(column)
    expect([nameOfSealed(column), rows.length > 0]).toEqual([nameOfSealed(column), true])
    for (const { companyId, text } of rows)
      for (const [sealed] of text.matchAll(/v1\.[\w+/=]{38,}/g))
        expect([nameOfSealed(column), fresh.keyIdOf(companyId, sealed)]).toEqual([
          nameOfSealed(column),
          fresh.keyId,
        ])
  }
  await refuseOtherSecret(database, fresh, columns)
  await expect(refuseOtherSecret(database, stillOld, columns)).rejects.toThrow('is not the secret')
  // lost: a start with another is allowed, and the installation keeps its name
  const other = await opened('5d1f7a3c9b2e4680dacbb0e1d2c3b4a5')
  await replaceLostSecret(database, other)
  await refuseOtherSecret(database, other, columns)
  expect(await ask('select installation from sealing_keys')).toEqual([
    { installation: stillOld.installation },
  ])
  await next.close()
})

test('a value that changed since it was read is not written over', async () => {
  const column = columns.find(one => nameOfSealed(one) === 'whatsapp_keys.value')!
  const [row] = await found(column)
  const written = await platform().transaction(sql =>
    replaceSealed(sql, column, { ...row!, text: 'v1.before' }, 'x'),
  )
  expect([written, await found(column)]).toEqual([false, expect.arrayContaining([row])])
})

test('of a lost secret each company and kind is named, the screens ask for it again, and nothing else stops', async () => {
  const outra = await app.as('admin@outra.test')
  const body = { name: 'Loja', url: 'https://x.test/', events: ['message.received' as const] }
  const [{ id: lostBefore }, { id: kept }] = [
    await outra.get(webhooks.create, { body }),
    await outra.get(webhooks.create, { body }),
  ]
  const LOST = '77ab1f7a3c9b2e4680dacbb0e1d2c3b4'
  const found = await opened(LOST)
  const { companyId } = outra.user
  const readable = found.seal(companyId, 'whsec_lido')
  await app.database.script(`
    update webhooks set secret = '${readable}' where id = ${kept};
    insert into whatsapp_keys (company_id, whatsapp_id, type, id, value)
      select company_id, id, 'creds', '', '${app.platform.secrets.seal(companyId, 'chave')}' from whatsapps
      where company_id = ${companyId} limit 1`)
  const number = `select status_reason, wanted from whatsapps where company_id = ${companyId} and id in
    (select whatsapp_id from whatsapp_keys where company_id = ${companyId})`
  expect(await ask(number)).toHaveLength(1)

  const database = openDatabase(app.database.jobs.connectionString!)
  await replaceLostSecret(database, found)
  const lost = await forgetLost({ database, secrets: found, columns })
  const lines = lostLines(lost, await database.transaction('', companyNames))
  const ofOutra = lines.slice(lines.findIndex(line => line.startsWith(`company ${companyId} `)))
  expect(ofOutra.slice(1, 3)).toEqual([
    expect.stringMatching(/^ {2}the keys of a WhatsApp number \(1\): pair the number again/),
    expect.stringMatching(/^ {2}the secret of a webhook \(1\): read the new secret/),
  ])
  const kinds = new Set(columns.map(({ lost: { what } }) => what))
  for (const what of kinds) expect(lines.some(line => line.startsWith(`  ${what} (`))).toBe(true)
  // what stays sealed with the lost secret is history, or counts as a wrong key, and is named again
  const still = (await unreadableIn({ database, secrets: found, columns })).map(({ column }) =>
    nameOfSealed(column),
  )
  expect(still.sort()).toEqual(['import_messages.heard', 'inbound_events.heard', 'integrations.api_token'])

  const next = await openTestApp({ JWT_SECRET: LOST }, { database })
  const admins = [await next.as('admin@balcao.test'), await next.as('admin@outra.test')] as const
  const shown = (await admins[1].get(webhooks.list)).webhooks
  expect(shown.find(({ id }) => id === lostBefore)).toMatchObject({
    isActive: false,
    offReason: 'secretLost',
  })
  expect(shown.find(({ id }) => id === kept)).toMatchObject({ isActive: true, offReason: '' })
  const secretOf = (webhookId: number) => admins[1].get(webhooks.showSecret, { params: { webhookId } })
  expect((await secretOf(kept)).secret).toBe('whsec_lido')
  expect((await secretOf(lostBefore)).secret).toMatch(/^whsec_/)
  const states = await ask<{ n: number }>(`select count(*)::int as n from whatsapps
    where company_id = ${companyId} and status_reason = 'ERR_WAPP_LOGGED_OUT' and wanted = 'off'`)
  expect(states).toEqual([{ n: 1 }])
  for (const admin of admins)
    for (const route of [connections.list, integrations.list, bots.listSetups, push.key])
      expect((await admin.call(route)).status).toBeLessThan(500)
  const master = await next.as('master@balcao.test')
  expect((await master.get(collectors.list)).collectors.filter(({ isSetUp }) => isSetUp)).toEqual([])
  await next.close()
})
