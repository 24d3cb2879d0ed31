import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messages } from '@balcao/contract/messages.ts'
import { expect, test, vi } from 'vitest'
import { embeddedStore, storeIn } from '../../testing/embedded.ts'
import { trackLeftovers } from '../../testing/leftovers.ts'
import { openTicket } from '../../testing/open-ticket.ts'
import { runOperatorCommand, startProcess } from '../../testing/process.ts'
import { enter, type Person } from '../../testing/test-app.ts'
import { backupCommand } from '../backup.command.ts'
import { createLog } from '../platform/observe/log.ts'
import { VERSION } from '../platform/observe/version.ts'
import { backUpWhenDue, keptBackups } from '../platform/postgres/embedded/nightly.ts'

vi.setConfig({ testTimeout: 360_000 })

const { leftovers, place } = trackLeftovers()
const begun = async () => {
  const store = await embeddedStore()
  leftovers.push(store.remove)
  return store
}
/** As `npm run backup` and `npm run restore` pass it on (bin/prepare.js). */
const run = (command: 'backup' | 'restore' | 'verify', dataDir: string, file: string) => {
  const words = command === 'verify' ? ['backup', 'verify'] : [command]
  return runOperatorCommand(backupCommand, { DATA_DIR: dataDir }, [...words, file])
}

/** Writes into a ticket until it is stopped; answers what was acknowledged, in order. */
function writing(person: Person, ticketId: number) {
  const written: string[] = []
  let goesOn = true
  const ended = (async () => {
    const params = { ticketId, companyId: person.user.companyId }
    for (let n = 0; goesOn; n++) {
      const body = `linha ${n}`
      await person.get(messages.send, { params, body: { id: crypto.randomUUID(), body } })
      written.push(body)
    }
  })()
  return {
    written,
    async stop() {
      goesOn = false
      await ended
    },
  }
}

async function linesOf(person: Person, ticketId: number, pages = 40) {
  const bodies: string[] = []
  for (let pageNumber = 1; pageNumber <= pages; pageNumber++) {
    const page = await person.get(messages.list, { params: { ticketId }, query: { pageNumber } })
    bodies.unshift(...page.messages.map(({ body }) => body))
    if (!page.hasMore) break
  }
  return bodies.filter(body => body.startsWith('linha '))
}

test('a backup that is made while people write is restored into another folder: what was acknowledged before it is there once, with its files', async () => {
  const original = await begun()
  const [file, copy] = [join(place(), 'backup.zip'), place()]
  const product = await startProcess(original.env)
  const admin = await enter(product.url, 'admin@balcao.test')
  const ticketId = await openTicket(admin)
  const params = { ticketId, companyId: admin.user.companyId }
  const picture = { name: 'nota.txt', type: 'text/plain', bytes: new TextEncoder().encode('um recibo') }
  const sent = (await admin.get(messages.send, {
    params,
    body: { id: crypto.randomUUID(), body: 'recibo' },
    files: [picture],
  })) as { mediaUrl?: string | null }
  const traffic = writing(admin, ticketId)
  await vi.waitUntil(() => traffic.written.length > 20, 60_000)
  const before = [...traffic.written]
  const made = await run('backup', original.dataDir, file)
  expect(made).toEqual({ how: 0, output: `${file} holds all of ${original.dataDir}.\n` })
  const during = traffic.written.length
  await vi.waitUntil(() => traffic.written.length > during + 5, 60_000)
  await traffic.stop()
  await product.kill()
  expect(await run('verify', original.dataDir, file)).toEqual({
    how: 0,
    output: expect.stringMatching(
      /can be restored: \d companies, \d{2,} messages, \d{2,} tables with \d{3,} rows, [1-9]\d* files\.\n$/,
    ),
  })

  const restored = await run('restore', copy, file)
  expect([restored.how, restored.output]).toEqual([
    0,
    expect.stringMatching(/is as it was: \d companies, \d+ messages/),
  ])
  const again = await startProcess({ ...original.env, DATA_DIR: copy, DRILL: '1' })
  const health = { status: 'ok', version: VERSION, database: 'up', drill: true }
  expect(await (await fetch(`${again.url}/health`)).json()).toEqual(health)
  const later = await enter(again.url, 'admin@balcao.test')
  const kept = await linesOf(later, ticketId)
  expect(kept.slice(0, before.length)).toEqual(before)
  expect(kept).toEqual(traffic.written.slice(0, kept.length))
  expect(sent?.mediaUrl && (await (await later.fetch(sent.mediaUrl)).text())).toBe('um recibo')
  const leases = await storeIn(copy, () => {}).rows(
    'select owner from whatsapp_leases where expires_at > now()',
  )
  expect(leases).toEqual([])
  await nightsPass(copy)
  await again.stop()
})

/** Two processes make one backup of the night, beside the running product; the older ones go. */
async function nightsPass(dataDir: string) {
  const backupDir = join(place(), 'nights')
  const log = createLog({ logLevel: 'silent' })
  const night = (now: string) =>
    backUpWhenDue({ dataDir, backupDir, backupKeepDays: 1 }, log, Date.parse(now))
  const kept = async () => (await keptBackups(backupDir)).map(({ name }) => name)
  mkdirSync(backupDir)
  writeFileSync(join(backupDir, 'balcao-2026-03-01T1423Z.zip'), '')
  await night('2026-03-01T15:23:00Z')
  expect(await kept()).toEqual(['balcao-2026-03-01T1423Z.zip'])
  // of a wrong clock, and of a try that failed
  const future = 'balcao-2099-01-01T0523Z.zip'
  for (const name of [future, 'balcao-2026-03-03T0523Z.zip.broken']) writeFileSync(join(backupDir, name), '')
  await Promise.all([night('2026-03-04T05:23:00Z'), night('2026-03-04T05:23:00Z')])
  expect(await kept()).toEqual([future, 'balcao-2026-03-04T0523Z.zip'])
  expect(readdirSync(backupDir)).toHaveLength(2)
  expect(readdirSync(dataDir).filter(name => name.startsWith('balcao-verify'))).toEqual([])
}

test('a folder that has a database, and a file that is none, are refused in one line and stay as they are', async () => {
  const { dataDir } = await begun()
  const [file, empty] = [join(place(), 'backup.zip'), place()]
  mkdirSync(join(dataDir, 'files', '1'), { recursive: true })
  writeFileSync(join(dataDir, 'files', '1', 'large'), randomBytes(1_000_000))
  await run('backup', dataDir, file)
  const refused = await run('restore', dataDir, file)
  expect(refused.how).toBe(1)
  expect(refused.output).toMatch(/^DATA_DIR .* is in use already \(it has postgres\).*Nothing was changed\n$/)
  const wrong = await run('restore', empty, import.meta.filename)
  expect(wrong.output).toMatch(/cannot be read as a backup .*Nothing was changed\n$/)
  const bytes = readFileSync(file)
  // within the large file, which follows the database and precedes the list of entries
  const at = bytes.length - 500_000
  bytes[at] = bytes[at]! ^ 1
  const damaged = join(place(), 'damaged.zip')
  writeFileSync(damaged, bytes)
  expect((await run('verify', empty, damaged)).output).toMatch(/damaged\.zip cannot be read as a backup/)
  const nothing = await run('backup', empty, file)
  expect([nothing.how, nothing.output]).toEqual([1, `DATA_DIR ${empty} holds no database\n`])
})
