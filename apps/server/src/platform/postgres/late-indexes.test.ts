import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { lateIndexes } from '../../features/messages/messages.table.ts'
import { buildLateIndexes } from './late-indexes.ts'
import { rowsFrom, sql } from './sql.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
})
afterAll(() => app.close())

const indexes = () =>
  app.database.transaction('', async tx => {
    const found = await rowsFrom<{ name: string }>(
      tx,
      sql`select indexrelid::regclass::text as name from pg_index
        where indisvalid and indexrelid::regclass::text like 'messages%words' order by 1`,
    )
    return found.map(({ name }) => name)
  })

const [{ definition, name }] = lateIndexes as [(typeof lateIndexes)[0]]

/** After the upgrade of a long table, and a build that was interrupted; also where a try of the test broke off. */
const asBefore = () =>
  app.database.script(`drop index if exists ${name}, messages_words;
    create index messages_words on messages using gin (company_id, to_tsvector('simple', body));
    create index ${name} on messages ${definition};
    update pg_index set indisvalid = false where indexrelid = '${name}'::regclass`)

test('on a long table an index is built beside the work: until then words are found as they are written, then without accents', async () => {
  await asBefore()
  const params = { whatsappId: admin.user.whatsappId! }
  const body = { number: newNumber(), name: 'Ana', body: 'Perdi minha muçarela' }
  await admin.get(simulator.write, { params, body })
  const find = async (searchParam: string) =>
    (await admin.get(tickets.list, { query: { tab: 'search', showAll: true, searchParam } })).tickets.map(
      ({ id }) => id,
    )
  const found = await until(async () => {
    const ids = await find('muçarela')
    return ids.length > 0 && ids
  })
  expect(await find('mucarela')).toEqual([])
  expect(await indexes()).toEqual(['messages_words'])

  const { log } = app.platform
  const first = buildLateIndexes(app.database, lateIndexes, log)
  await until(async () => (await indexes()).join() === name)
  await first.stop()
  expect(await find('MUCARELA')).toEqual(found)
  // nothing is left to build
  const again = buildLateIndexes(app.database, lateIndexes, log)
  await again.stop()
  expect(await indexes()).toEqual([name])
})

test('of two workers one builds, also while it waits for the table; stopped, it leaves the old index to the next', async () => {
  await asBefore()
  const { database } = app
  const { log } = app.platform
  const waiting = () =>
    database.transaction('', tx =>
      rowsFrom(
        tx,
        sql`select from pg_locks where not granted and relation = 'messages'::regclass
          and database = (select oid from pg_database where datname = current_database())`,
      ),
    )
  await database.session(async holder => {
    await holder.execute('set idle_in_transaction_session_timeout = 0')
    await holder.execute('begin')
    await holder.execute('lock table messages in share update exclusive mode')
    const first = buildLateIndexes(database, lateIndexes, log)
    await until(async () => (await waiting()).length === 1)
    const left = Promise.withResolvers<void>()
    const session: typeof database.session = work => database.session(work).finally(left.resolve)
    const second = buildLateIndexes({ ...database, session }, lateIndexes, log)
    await left.promise
    await second.stop()
    expect(await waiting()).toHaveLength(1)
    await first.stop()
    expect(await waiting()).toEqual([])
  })
  expect(await indexes()).toEqual(['messages_words'])
  const third = buildLateIndexes(database, lateIndexes, log)
  await until(async () => {
    third.now()
    return (await indexes()).join() === name
  })
  await third.stop()
})
