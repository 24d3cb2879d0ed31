import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { postgresServer } from '../../../testing/postgres.ts'
import { overServer, together } from '../db.ts'
import { sql as tag } from '../sql.ts'

const server = await postgresServer()
const missing = 'missing' in server ? `(${server.missing})` : ''
const done: (() => unknown)[] = []
afterAll(async () => {
  for (const undo of done.reverse()) await undo()
})

/** Stands before the server and counts the pieces in which this side speaks. */
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

test.skipIf(missing)(`what is asked at once leaves in one piece ${missing}`, async () => {
  const wire = await counting('url' in server ? server.url : '')
  const database = overServer(wire.url, 1)
  done.push(database.close)
  const three = () =>
    database.transaction(
      '',
      sql =>
        together(
          sql,
          () => sql.execute(tag`select ${1}::int`),
          () => sql.execute(tag`select ${'two'}::text`),
          () => sql.execute(tag`select 3`),
        ),
      { reading: true },
    )
  await three()
  await database.ping() // behind the end of the transaction, which nobody waits for
  const before = wire.pieces()
  await three()
  await database.ping()
  // the beginning with the three statements; the end; the question behind it
  expect(wire.pieces() - before).toBeLessThanOrEqual(3)
})
