import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { freshFolder, runToEnd, startProcess } from '../../testing/process.ts'
import { enter, type Person } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 240_000 })

const folder = freshFolder()
afterAll(() => folder.remove())
const [original, copy, file] = ['original', 'copy', 'backup.zip'].map(name => join(folder.path, name)) as [
  string,
  string,
  string,
]
const run = (command: 'backup' | 'restore', dataDir: string, name = file) =>
  runToEnd({ DATA_DIR: dataDir }, ['../src/backup.ts', command, name])

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

const own = (bodies: string[]) => bodies.filter(body => body.startsWith('linha '))

async function linesOf(person: Person, ticketId: number, pages = 40) {
  const bodies: string[] = []
  for (let pageNumber = 1; pageNumber <= pages; pageNumber++) {
    const page = await person.get(messages.list, { params: { ticketId }, query: { pageNumber } })
    bodies.unshift(...page.messages.map(({ body }) => body))
    if (!page.hasMore) break
  }
  return own(bodies)
}

test('a backup that is made while people write is restored into another folder: what was acknowledged before it is there once, with its files', async () => {
  const product = await startProcess({ DATA_DIR: original, DEMO: '1' }, 120_000)
  const admin = await enter(product.url, 'admin@balcao.test')
  const { tickets: listed } = await admin.get(tickets.list, { query: { status: 'open', showAll: true } })
  const ticketId = listed[0]!.id
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
  expect(await run('backup', original)).toEqual({ how: 0, output: `${file} holds all of ${original}.\n` })
  const during = traffic.written.length
  await vi.waitUntil(() => traffic.written.length > during + 5, 60_000)
  await traffic.stop()
  await product.kill()

  const restored = await run('restore', copy)
  expect([restored.how, restored.output]).toEqual([
    0,
    expect.stringMatching(/is as it was: 4 companies, \d+ messages/),
  ])
  const again = await startProcess({ DATA_DIR: copy, DEMO: '1' }, 120_000)
  const later = await enter(again.url, 'admin@balcao.test')
  const kept = await linesOf(later, ticketId)
  expect(kept.slice(0, before.length)).toEqual(before)
  expect(kept).toEqual(traffic.written.slice(0, kept.length))
  expect(sent?.mediaUrl && (await (await later.fetch(sent.mediaUrl)).text())).toBe('um recibo')
  await again.stop()
})

test('a folder that has a database, and a file that is none, are refused in one line and stay as they are', async () => {
  const taken = await run('restore', copy)
  expect(taken.how).toBe(1)
  expect(taken.output).toMatch(/^DATA_DIR .* is in use already \(it has postgres\).*Nothing was changed\n$/)
  const empty = join(folder.path, 'empty')
  const wrong = await run('restore', empty, import.meta.filename)
  expect(wrong.output).toMatch(/cannot be read as a backup .*Nothing was changed\n$/)
  const nothing = await run('backup', empty)
  expect([nothing.how, nothing.output]).toEqual([1, `DATA_DIR ${empty} holds no database\n`])
  rmSync(copy, { recursive: true })
})
