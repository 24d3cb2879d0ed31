import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemControl } from '@balcao/contract/systemControl.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { beginBackupRun, endBackupRun } from './backups.queries.ts'
import { drillWhenDue } from './backups.worker.ts'

let app: TestApp
let master: Person
let office: PostOffice
let folder: string
beforeAll(async () => {
  office = await openPostOffice()
  folder = mkdtempSync(join(tmpdir(), 'balcao-backups-'))
  app = await openTestApp({
    ...office.env,
    BACKUP_TO: `file:${folder}`,
    BACKUP_KEY: 'b1f0c9a7e5d3428697a0b1c2d3e4f506',
  })
  master = await app.as('master@balcao.test')
})
afterAll(async () => {
  await app.close()
  await office.close()
  rmSync(folder, { recursive: true })
})

const run = (kind: 'backup' | 'drill', ended: Parameters<typeof endBackupRun>[2]) =>
  app.platform.scopes.platform().transaction(async sql => {
    const id = await beginBackupRun(sql, kind, folder)
    await endBackupRun(sql, id, ended)
    return id
  })
const drilled = () => drillWhenDue(app.platform.scopes, app.platform.config, app.platform)
const letters = () =>
  app.platform.scopes.platform().transaction(async sql => {
    const { rows } = (await sql.execute(
      `select cause from mails where cause like 'drill:%' order by created_at, cause`,
    )) as { rows: { cause: string }[] }
    return rows.map(({ cause }) => cause)
  })

test('a drill is written about once, with its figures, also where the process dies before that is recorded; failures once a week', async () => {
  const id = await run('drill', { state: 'verified', bytes: 3 * 2 ** 20, found: '2 companies, 7 messages.' })
  await drilled()
  const letter = await office.letterTo(master.user.email)
  expect(letter.subject).toBe('Exercício de restauração: o backup funciona')
  expect(letter.text).toContain('2 companies, 7 messages.')
  expect(letter.text).toContain('3 MB')
  const first = await letters()
  expect(first).toEqual([`drill:${id}:${master.user.id}`])
  await app.database.script('update backups set is_mailed = false')
  await drilled()
  expect(await letters()).toEqual(first)
  await run('drill', { state: 'failed', found: 'the folder is gone' })
  await run('drill', { state: 'failed', found: 'the folder is gone' })
  await drilled()
  const all = await letters()
  expect(all.filter(cause => cause.startsWith('drill:failed:'))).toHaveLength(1)
  await app.database.script(`insert into backups (kind, place) values ('drill', 'here')`)
  await drilled()
  expect(await letters()).toEqual(all)
})

test('the operator sees where the newest backup is, how large, whether it was restored once, and why the last run failed', async () => {
  await run('backup', { state: 'verified', bytes: 5_000, files: 2 })
  await run('backup', { state: 'failed', found: `${folder} is full` })
  const { sealed, lacks } = await master.get(systemControl.overview)
  expect(sealed).toMatchObject({
    ...{ place: folder, bytes: 5_000, failure: `${folder} is full`, logUntil: null, logFailure: '' },
    ...{ at: expect.any(String), verifiedAt: expect.any(String), drillFailure: 'the folder is gone' },
  })
  expect(lacks).not.toContain('BACKUP_TO')
  const text = await (await fetch(`${app.url}/metrics`)).text()
  expect(text).toContain('balcao_backup_failed{kind="backup"} 1')
  expect(text).toContain('balcao_backup_bytes 5000')
})
