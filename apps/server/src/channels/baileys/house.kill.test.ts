import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trustFor } from '@balcao/whatsapp-server/trust.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANA, SHOP } from '../../../testing/whatsapp.ts'
import { enter, type Person, until } from '../../../testing/world.ts'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const KILLS = Number(process.env.HOUSE_KILLS ?? 2)
/** The product is a process of its own, on a machine that may be busy with other things. */
const START_MS = 120_000

let dataDir: string
let server: WhatsAppServer
let ana: Phone
let product: ChildProcess
let admin: Person

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-kill-'))
  server = await startWhatsAppServer()
  ana = await server.addPhone(ANA, { name: 'Ana' })
  await start()
}, START_MS * 2)
afterAll(async () => {
  await kill()
  await server.close()
  rmSync(dataDir, { recursive: true })
})

/** Starts the product as an operator does, and logs in. */
async function start() {
  const { args, env } = trustFor(server)
  product = spawn(process.execPath, [...args, main], {
    env: {
      ...process.env,
      ...env,
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO: '1',
      LOG_LEVEL: 'error',
      WHATSAPP_WEB_URL: server.url,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let url = ''
  createInterface({ input: product.stdout! }).on('line', line => {
    url ||= /http:\/\/localhost:\d+/.exec(line)?.[0].replace('localhost', '127.0.0.1') ?? ''
  })
  await until(() => url, START_MS)
  admin = await enter(url, 'admin@balcao.test')
}

async function kill() {
  const gone = new Promise(resolve => product.once('exit', resolve))
  if (product.exitCode !== null || product.signalCode !== null) return
  product.kill('SIGKILL')
  await gone
}

async function conversation() {
  const { tickets: found } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
  const ticket = found.find(({ contact }) => contact.number === ANA)
  const bodies: string[] = []
  for (let pageNumber = 1; ticket; pageNumber++) {
    const page = await admin.get(messages.list, { params: { ticketId: ticket.id }, query: { pageNumber } })
    bodies.unshift(...page.messages.map(({ body }) => body))
    if (!page.hasMore) break
  }
  return bodies
}

test(`${KILLS} kills of the product while a customer writes lose and double nothing`, {
  timeout: 600_000,
}, async () => {
  const shop = await server.addPhone(SHOP, { name: 'Padaria Central' })
  const { id: whatsappId } = await admin.get(connections.create, { body: { name: 'Loja', lib: 'baileys' } })
  await admin.get(connections.renew, { params: { whatsappId }, body: {} })
  const { qrcode } = await until(async () => {
    const shown = await admin.get(connections.show, { params: { whatsappId } })
    return shown.status === 'qrcode' && shown
  }, START_MS)
  await shop.scan(qrcode)
  await until(() => server.online(SHOP) && server.owed(SHOP) === 0, START_MS)
  shop.goOffline()

  const written = ['mensagem 0']
  await ana.write(SHOP, 'mensagem 0')
  await until(async () => (await conversation()).length === 1, START_MS)
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      await ana.write(SHOP, `mensagem ${written.length}`)
      written.push(`mensagem ${written.length}`)
      await sleep(50 + Math.random() * 50)
    }
  })()
  for (let round = 0; round < KILLS; round++) {
    await sleep(300 + Math.random() * 400)
    await kill()
    await start()
    await until(() => server.online(SHOP), START_MS)
  }
  await sleep(300)
  isOver = true
  await writing
  // Asked of the server, which costs the product nothing: reading the conversation over and over would.
  await until(() => server.online(SHOP) && server.owed(SHOP) === 0, START_MS * 2)
  await sleep(1_000)
  console.log(
    `kill -9 of the product: ${KILLS} kills, ${written.length} messages, ${(await conversation()).length} kept`,
  )
  expect(await conversation()).toEqual(written)
})
