import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trustFor } from '@balcao/whatsapp-server/trust.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, SHOP } from '../../../../testing/whatsapp.ts'

const program = fileURLToPath(new URL('../../../../testing/whatsapp.child.ts', import.meta.url))

type Line = { status?: string; qrcode?: string; hearing?: number }

let folder: string
let server: WhatsAppServer
let shop: Phone
let ana: Phone
let child: ChildProcess
let lines: Line[]

beforeEach(async () => {
  written.splice(0)
  folder = mkdtempSync(join(tmpdir(), 'balcao-kill-'))
  server = await startWhatsAppServer()
  shop = await server.addPhone(SHOP, { name: 'Padaria Central' })
  ana = await server.addPhone(ANA, { name: 'Ana' })
  start()
  const { qrcode } = await until('a QR code', () => lines.find(({ qrcode }) => qrcode), 15_000)
  await shop.scan(qrcode!)
  await until('the history to be confirmed', () => online() && server.owed(SHOP) === 0, 15_000)
  shop.goOffline()
  await write('primeira')
  await until('the first message', () => received().length === 1, 15_000)
})
afterEach(async () => {
  await kill()
  await server.close()
  rmSync(folder, { recursive: true })
  expect(server.errors).toEqual([])
  expect(server.unknown).toEqual([])
})

const written: string[] = []
const write = async (text: string) => void written.push(await ana.write(SHOP, text))
const online = () => server.online(SHOP)

/** Starts the process that runs the session; `stuck` makes its database never answer. */
function start(mode: 'stuck' | '' = '') {
  const { args, env } = trustFor(server)
  child = spawn(process.execPath, [...args, program, folder, server.url, mode], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: Line[] = []
  lines = said
  createInterface({ input: child.stdout! }).on('line', line => said.push(JSON.parse(line) as Line))
}

async function kill() {
  const gone = new Promise(resolve => child.once('exit', resolve))
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await gone
}

/** The ids of the messages that were safely written down, in order. */
function received(): string[] {
  const file = join(folder, 'heard')
  const all = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const intake = all.map(line => JSON.parse(line) as { kind: string; externalId: string })
  return intake.filter(({ kind }) => kind === 'message').map(({ externalId }) => externalId)
}

const journalled = () =>
  readFileSync(join(folder, 'keys'), 'utf8')
    .split('\n')
    .filter(line => line.includes('"inbox-journal"')).length

test('a process killed after it decrypted and before anybody heard loses nothing', {
  timeout: 60_000,
}, async () => {
  await kill()
  start('stuck')
  await until('the connection', online, 15_000)
  const rowsBefore = journalled()
  for (const text of ['um', 'dois', 'três']) await write(text)
  await until('the receipts', () => written.every(id => server.tally.confirmed.has(id)), 15_000)
  expect(journalled()).toBe(rowsBefore + 3)
  expect(received()).toHaveLength(1)
  await kill()
  start()
  // events from before the first kill may be sent once more under the same id: the application deduplicates by id
  await until('all of them', () => new Set(received()).size >= 4, 15_000)
  expect([...new Set(received())]).toEqual(written)
})
