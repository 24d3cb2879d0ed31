import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { serverUrl } from '../../../../testing/postgres.ts'
import { openDatabase, type Sql, together } from '../db.ts'
import { sql as tag } from '../sql.ts'

const done: (() => unknown)[] = []
afterAll(async () => {
  for (const undo of done.reverse()) await undo()
})

/** A proxy in front of the server that counts the client's packets. */
async function counting(url: string) {
  const { hostname, port } = new URL(url)
  let pieces = 0
  const listener = createServer((near: Socket) => {
    const far = connect(Number(port), hostname)
    for (const end of [near, far]) end.on('error', () => {})
    near.on('data', () => pieces++)
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  done.push(() => listener.close())
  const by = new URL(url)
  by.host = `127.0.0.1:${(listener.address() as { port: number }).port}`
  return { url: by.href, pieces: () => pieces }
}

test('what is asked at once leaves in one piece, with its beginning and its end', async () => {
  const wire = await counting(serverUrl())
  const database = openDatabase(wire.url, 1)
  done.push(database.close)
  const three = () =>
    database.read('', sql =>
      together(
        sql,
        () => sql.execute(tag`select ${1}::int`),
        () => sql.execute(tag`select ${'two'}::text`),
        () => sql.execute(tag`select 3`),
      ),
    )
  await three()
  const before = wire.pieces()
  await three()
  await database.ping()
  // all of it, and the question behind it
  expect(wire.pieces() - before).toBeLessThanOrEqual(2)
})

test('nobody reads under what was set for who came before on the connection', async () => {
  const database = openDatabase(serverUrl(), 1)
  done.push(database.close)
  const companyFor = (company: number, beside?: (sql: Sql) => unknown) =>
    database.read(
      `set local app.company_id = '${company}'`,
      async sql => {
        beside?.(sql)
        const { rows } = (await sql.execute(tag`select current_setting('app.company_id') as company`)) as {
          rows: { company: string }[]
        }
        return rows[0]!.company
      },
      { company },
    )
  const asked: string[] = []
  const failing = (sql: Sql) => void Promise.resolve(sql.execute(tag`select 1 / 0`)).catch(() => {})
  for (let round = 0; round < 20; round++) {
    const [one, , two] = await Promise.all([
      companyFor(1),
      // one that fails, and one that does not await its query
      companyFor(3, failing).catch(() => {}),
      companyFor(2),
      database.read(`set local app.company_id = '4'`, async sql => void sql.execute(tag`select 1`)),
    ])
    asked.push(one, two)
  }
  expect(asked).toEqual(Array.from({ length: 20 }, () => ['1', '2']).flat())
})
