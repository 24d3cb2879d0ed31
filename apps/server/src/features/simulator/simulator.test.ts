import { LONG_PAGE } from '@balcao/contract/kit.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { chatsOn } from './simulator.queries.ts'

let app: TestApp
let marina: Person
let stranger: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  whatsappId = marina.user.whatsappId!
})
afterAll(() => app.close())

const page = (before?: number) => marina.get(simulator.chats, { params: { whatsappId }, query: { before } })

/** Rows as if the phones had long been talking: one of them nearly alone, and 300 others long ago. */
const talk = () =>
  app.database.script(`
    insert into simulator_messages (company_id, whatsapp_id, number, name, external_id, from_me, body, ack, told_ack)
    select ${marina.user.companyId}, ${whatsappId}, 551196000000 + n % 300, case when n < 300 then 'Rui ' || n else '' end,
      'OLD' || n, n >= 300, 'velha ' || n, 4, 4
    from generate_series(0, 899) n;
    insert into simulator_messages (company_id, whatsapp_id, number, name, external_id, from_me, body, ack, told_ack)
    select ${marina.user.companyId}, ${whatsappId}, '5511970000000', 'Ana', 'ONE' || n, false, 'nova ' || n, 4, 4
    from generate_series(1, 5000) n;`)

test('the chats of a phone come by pages, each once, the newest first, with the name of who wrote', async () => {
  await talk()
  const first = await page()
  expect(first).toHaveLength(LONG_PAGE)
  expect(first[0]).toMatchObject({ number: '5511970000000', name: 'Ana', lastMessage: 'nova 5000' })
  expect(first[1]).toMatchObject({ number: '551196000299', name: 'Rui 299', lastMessage: 'velha 899' })
  const all = [...first]
  for (let next = first; next.length === LONG_PAGE; all.push(...next)) next = await page(next.at(-1)!.lastId)
  const ids = all.map(({ lastId }) => lastId)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  const numbers = all.map(({ number }) => number)
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.filter(number => number.startsWith('551196000'))).toHaveLength(300)
})

test('a page is read from the index and not from all that was ever said', async () => {
  const rows = await app.platform.scopes
    .inCompany(marina.user.companyId)
    .list(tx => rowsFrom<{ 'QUERY PLAN': string }>(tx.sql, tag`explain ${chatsOn(tx, whatsappId)}`))
  const plan = rows.map(row => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('simulator_messages_shown')
  expect(plan).not.toMatch(/Seq Scan|Hash|Unique/)
})

test('another company sees none of them', async () => {
  const { status, body } = await stranger.call(simulator.chats, { params: { whatsappId } })
  expect([status, body.error]).toEqual([404, 'ERR_NO_WAPP_FOUND'])
})
