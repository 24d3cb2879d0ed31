import { clients } from '@balcao/contract/clients.ts'
import { messages } from '@balcao/contract/messages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../testing/rows.ts'
import { photo } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { jobs } from './companies.jobs.ts'

let app: TestApp
let helena: Person
let master: Person
beforeAll(async () => {
  app = await openTestApp()
  helena = await app.as('admin@balcao.test')
  master = await app.as('master@balcao.test')
})
afterAll(() => app.close())

const MIB = 1_048_576
const paper = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(bytes - 9, 32)])
const customersFile = (bytes: number) =>
  app.platform.files.put(helena.user.companyId, paper(bytes), { name: 'a.pdf', type: '', unknown: 'keep' })
const seenBy = (who: Person, companyId = helena.user.companyId) =>
  who.get(clients.storage, { params: { companyId } })

test('the room of files is counted with each of them, and the same to the company and to the operator', async () => {
  const before = await seenBy(helena)
  const { key } = await customersFile(1_000)
  const now = { files: before.files + 1, bytes: before.bytes + 1_000, limitMb: 0 }
  expect([await seenBy(helena), await seenBy(master)]).toEqual([now, now])
  await app.platform.files.remove(helena.user.companyId, key)
  expect(await seenBy(helena)).toEqual(before)
  await app.database.script('update company_files set bytes = 999999999')
  const { scopes } = app.platform
  await jobs[0]!.run(scopes, app.platform.config, app.platform)
  expect(await seenBy(helena)).toEqual(before)
})

test('a company whose room is used up keeps what customers send, and adds nothing itself until its plan is larger', async () => {
  const ticketId = await rowsOf(app, helena).ticket()
  const send = () =>
    helena.call(messages.send, {
      params: { ticketId, companyId: helena.user.companyId },
      body: { body: '' },
      files: [photo()],
    })
  const limit = (mb: number) =>
    app.database.script(
      `update plans set storage_limit_mb = ${mb} where company_id = ${helena.user.companyId}`,
    )
  await app.database.script(`insert into plans (company_id, name) values (${helena.user.companyId}, 'Próprio')
    on conflict (company_id) do nothing`)
  await limit(1)
  await customersFile(MIB)
  const refused = await send()
  expect([refused.status, refused.body.error]).toEqual([402, 'ERR_NO_LIMIT_STORAGE'])
  expect(await seenBy(helena)).toMatchObject({ limitMb: 1 })
  await customersFile(1_000)
  await limit(3)
  expect((await send()).status).not.toBe(402)
})
