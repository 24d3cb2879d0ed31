import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { messages } from '@balcao/contract/messages.ts'
import { publicApi } from '@balcao/contract/publicApi.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loseAnswerTo } from '../../../testing/lost.ts'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { paper, photo } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { orphans } from '../../platform/files/orphans.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let app: TestApp
let admin: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  rows = rowsOf(app, admin)
})
afterAll(() => app.close())

const statusOf = async (url: string) => (await admin.fetch(url)).status

test('the answer to a commit gets lost: the file of its message stays, and the call again finds it', async () => {
  const ticketId = await rows.ticket()
  const [id, file] = [crypto.randomUUID(), photo()]
  const send = () =>
    admin.call(messages.send, {
      params: { ticketId, companyId: admin.user.companyId },
      body: { id, body: '' },
      files: [file],
    })
  loseAnswerTo(app.database, { id })
  expect((await send()).status).toBe(503)
  expect((await send()).status).toBe(200)
  const listed = (await admin.get(messages.list, { params: { ticketId } })).messages
  expect(await statusOf(listed.find(message => message.id === id)!.mediaUrl!)).toBe(200)
})

test('the same for a program: what it uploaded stays with the message that nobody told it of', async () => {
  const token = await admin.get(apiTokens.create, {
    body: { name: 'Loja', whatsappId: admin.user.whatsappId! },
  })
  const body = { number: newNumber(), body: `nota ${crypto.randomUUID()}` }
  const file = paper()
  const send = () =>
    app.anonymous.call(publicApi.media, {
      body,
      files: [file],
      headers: { authorization: `Bearer ${token.id}`, 'idempotency-key': body.body },
    })
  loseAnswerTo(app.database, { body: body.body })
  expect((await send()).status).toBe(503)
  expect((await send()).status).toBe(200)
  const [sent] = await app.platform.scopes
    .platform()
    .transaction(sql =>
      rowsFrom<{ url: string }>(sql, tag`select media_url as url from messages where body = ${body.body}`),
    )
  expect(await statusOf(sent!.url)).toBe(200)
})

const DAY_S = 24 * 3_600

test('each night files older than a day that nobody names are removed, and no other; one company that fails ends nothing for those behind it', async () => {
  const { files, scopes, config } = app.platform
  const { companyId } = admin.user
  const ticketId = await rows.ticket()
  const params = { ticketId, companyId }
  const sent = await admin.get(messages.send, { params, body: { body: '' }, files: [photo()] })
  const put = () => files.put(companyId, photo().bytes, { name: 'foto.jpg', type: 'image/jpeg' })
  const [stray, young, named] = [await put(), await put(), { key: sent.mediaUrl!.split('/').at(-1)! }]
  const before = Date.now() / 1000 - DAY_S - 60
  for (const { key } of [stray, named])
    await utimes(join(config.dataDir, 'files', String(companyId), key.slice(0, 2), key), before, before)
  // a company before it whose place of files cannot be read
  const broken = {
    ...files,
    list: (of: number) => {
      if (of < companyId) throw new Error('the place of these files is broken')
      return files.list(of)
    },
  }
  const run = orphans.run(scopes, config, { ...app.platform, files: broken })
  await expect(run).rejects.toThrow(/failed for 1 of \d+/)
  const left = await Promise.all([stray, young, named].map(({ key }) => statusOf(`/media/${key}`)))
  expect(left).toEqual([404, 200, 200])
})

/** The columns that features name files by in `files.named`: a new one is added here, too. */
const NAMING = [
  'bot_commands.media_url',
  'campaign_dispatches.media_url',
  'campaign_messages.media_url',
  'companies.logo_url',
  'company_exports.media_url',
  'contacts.profile_pic_url',
  'message_versions.media_url',
  'messages.media_url',
  'schedules.media_url',
]

test('every column that holds the address of a file is asked before one is removed', async () => {
  const found = await app.platform.scopes.platform().transaction(sql =>
    rowsFrom<{ name: string }>(
      sql,
      tag`select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name ~ '(media|pic|picture|photo|logo|image|file|avatar)_?(url|key)$'
        order by 1`,
    ),
  )
  expect(found.map(({ name }) => name)).toEqual(NAMING)
})
