import { clients } from '@balcao/contract/clients.ts'
import { companyExports } from '@balcao/contract/companyExports.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, removalsDone, type TestApp, until } from '../../../testing/test-app.ts'
import { removeFiles } from '../../platform/files/served.ts'
import { rowsFrom, sql } from '../../platform/postgres/sql.ts'
import { makeExport } from './companyExports.jobs.ts'

let app: TestApp
let master: Person
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  admin = await app.as('admin@balcao.test')
})
afterAll(() => app.close())

const params = () => ({ companyId: admin.user.companyId })
const make = () => master.get(companyExports.make, { params: params(), body: { language: 'en' } })
const shown = async () => (await master.get(companyExports.show, { params: params() })).export

/** The package that is ready, once it has another link than before. */
const ready = (before?: string | null) =>
  until(async () => {
    const one = await shown()
    return one?.state === 'ready' && one.link !== before && { ...one, link: one.link! }
  })

async function namesIn(bytes: ArrayBuffer) {
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes))
  const names: string[] = []
  for await (const { fileName } of zip.eachEntry()) names.push(fileName)
  return names
}

const query = <Row extends object>(statement: ReturnType<typeof sql>) =>
  app.database.transaction('', tx => rowsFrom<Row>(tx, statement))

test('a master makes a package of a company: whoever has its link downloads it, its admins get it by e-mail, and the next one replaces it', async () => {
  await admin.get(contacts.create, { body: { name: 'Lembrança', number: newNumber() } })
  expect(await shown()).toBeNull()
  // a second call while it is made begins nothing
  const begun = await Promise.all([make(), make()])
  expect(begun.map(one => one.export?.link)).toEqual([null, null])
  const first = await ready()
  expect(Date.parse(first.expiresAt!) - Date.now()).toBeGreaterThan(6.9 * 24 * 3_600_000)

  const answer = await fetch(first.link)
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename.*\.zip$/)
  const bytes = await answer.arrayBuffer()
  expect(bytes.byteLength).toBe(first.bytes)
  expect(await namesIn(bytes)).toEqual(expect.arrayContaining(['index.json', 'data/contacts.jsonl']))
  const part = await fetch(first.link, { headers: { range: 'bytes=0-3' } })
  expect([part.status, await part.text()]).toEqual([206, 'PK\u0003\u0004'])

  const letters = await query<{ recipient: string; link: { purpose: string } }>(
    sql`select recipient, link from mails where company_id = ${admin.user.companyId} and cause like 'export %'`,
  )
  expect(letters.map(({ recipient, link }) => [recipient, link.purpose])).toEqual([
    ['admin@balcao.test', 'export'],
  ])

  // it counts in the room of the company
  const room = { files: 1, bytes: first.bytes }
  expect(await app.platform.files.sizeOf(params().companyId)).toEqual(room)
  expect(await master.get(clients.storage, { params: params() })).toMatchObject(room)
  const [row] = await query<{ media_url: string }>(sql`select media_url from company_exports`)
  expect((await admin.fetch(row!.media_url)).status).toBe(404)
  const { companyId } = params()
  await app.platform.scopes.inCompany(companyId).transaction(tx => removeFiles(tx, [row!.media_url]))
  await removalsDone(app)
  expect((await fetch(first.link)).status).toBe(200)

  await make()
  const second = await ready(first.link)
  await removalsDone(app)
  expect((await fetch(first.link)).status).toBe(404)
  const again = await (await fetch(second.link)).arrayBuffer()
  expect((await namesIn(again)).filter(name => name.endsWith('.zip'))).toEqual([])
})

test('an export of a company whose storage is full is refused at once; one that would be larger than the storage ends as failed', async () => {
  const { companyId } = params()
  const limit = (mb: number) =>
    app.database.script(`insert into plans (company_id, name, storage_limit_mb) values (${companyId}, 'Próprio', ${mb})
      on conflict (company_id) do update set storage_limit_mb = ${mb}`)
  await app.database.script(`delete from company_exports`)
  await limit(1)
  const paper = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(1_100_000, 32)])
  const big = await app.platform.files.put(companyId, paper, { name: 'a.pdf', type: '', unknown: 'keep' })
  const refused = await master.call(companyExports.make, { params: params(), body: {} })
  expect([refused.status, refused.body.error]).toEqual([402, 'ERR_NO_LIMIT_STORAGE'])
  expect(await shown()).toBeNull()
  // it became full meanwhile: by files of customers
  const [begun] = await query<{ id: string }>(
    sql`insert into company_exports (company_id, language) values (${companyId}, 'en') returning id`,
  )
  await makeExport.run(app.platform.scopes.inCompany(companyId), { id: begun!.id }, app.platform)
  expect(await shown()).toMatchObject({ state: 'failed', link: null })
  await app.platform.files.remove(companyId, big.key)
  await limit(0)
})

test('a link that was changed, that has expired, or is of something else downloads nothing', async () => {
  await make()
  const { link } = await ready()
  const other = link.endsWith('A') ? 'B' : 'A'
  expect((await fetch(link.slice(0, -1) + other)).status).toBe(404)
  expect((await fetch(link.replace(/[^/]*$/, 'x'))).status).toBe(404)
  await query(sql`update company_exports set expires_at = now() returning 1`)
  expect((await fetch(link)).status).toBe(404)
  expect(await shown()).toBeNull()
})

test('a package of which every try failed is shown as failed, and is made when it is asked for again', async () => {
  const { companyId } = params()
  const [begun] = await query<{ id: string }>(sql`insert into company_exports (company_id, language)
    values (${companyId}, 'en') on conflict (company_id)
    do update set state = 'making', expires_at = null, media_url = null returning id`)
  const scope = app.platform.scopes.inCompany(companyId)
  await makeExport.givenUp!.run(scope, { id: begun!.id }, app.platform)
  expect(await shown()).toMatchObject({ state: 'failed', link: null })
  await make()
  expect((await ready()).bytes).toBeGreaterThan(0)
  const missing = { companyId: 2_000_000_000 }
  const refused = [
    await master.call(companyExports.make, { params: missing, body: {} }),
    await master.call(companyExports.show, { params: missing }),
  ]
  expect(refused.map(({ body }) => (body as { error?: string }).error)).toEqual([
    'ERR_NO_COMPANY_FOUND',
    'ERR_NO_COMPANY_FOUND',
  ])
})
