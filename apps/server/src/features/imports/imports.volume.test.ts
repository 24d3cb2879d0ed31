import { loadavg } from 'node:os'
import { connections } from '@balcao/contract/connections.ts'
import { IMPORTED } from '@balcao/contract/imports.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { stage } from './imports.actions.ts'
import { imports } from './imports.table.ts'

/** `IMPORT_MESSAGES=100000 npx vitest run …/imports.volume.test.ts` measures it in full. */
const MESSAGES = Number(process.env.IMPORT_MESSAGES ?? 4_000)
const CHATS = Math.ceil(MESSAGES / 100)
const CHUNK = 1_000
const MINUTES = 10 * 60_000

let app: TestApp
let admin: Person
let other: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  other = await app.as('admin@outra.test')
  const added = await admin.get(connections.create, {
    body: { name: 'Antiga', lib: 'simulator', importOldMessages: '2026-01-01' },
  })
  whatsappId = added.id
})
afterAll(() => app.close())

let last = 0
/** How long the other company's messages wait to be received, one after the other for as long as they go on. */
async function pace(phone: number, goesOn: (letters: number) => boolean) {
  const took: number[] = []
  while (goesOn(took.length)) {
    const start = performance.now()
    const body = `Oi ${++last}`
    await other.get(simulator.write, {
      params: { whatsappId: phone },
      body: { number: '5511970000001', body },
    })
    await until(async () => {
      const { tickets: listed } = await other.get(tickets.list, {
        query: { status: 'pending', showAll: true },
      })
      return listed.some(ticket => ticket.lastMessage === body)
    })
    took.push(performance.now() - start)
  }
  const sorted = took.toSorted((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)]!)
  return { letters: sorted.length, p50: at(0.5), p95: at(0.95) }
}

const standing = async () => {
  const rows = await app.platform.scopes
    .inCompany(admin.user.companyId)
    .read(tx => tx.sql.select().from(imports))
  return rows[0] ?? { done: 0, total: 0 }
}

test(
  `${MESSAGES} old messages of ${CHATS} chats are taken in while another company goes on`,
  async () => {
    const phone = await other.get(connections.create, { body: { name: 'Telefone', lib: 'simulator' } })
    await other.get(connections.start, { params: { whatsappId: phone.id } })
    await until(async () => {
      const shown = await other.get(connections.show, { params: { whatsappId: phone.id } })
      return shown.status === 'CONNECTED'
    }, 20_000)
    await pace(phone.id, letters => letters < 20)
    const alone = await pace(phone.id, letters => letters < 100)
    const scope = app.platform.scopes.inCompany(admin.user.companyId)
    for (let from = 0; from < MESSAGES; from += CHUNK) {
      const old = Array.from({ length: Math.min(CHUNK, MESSAGES - from) }, (_, index) => letter(from + index))
      const isLast = from + CHUNK >= MESSAGES
      await scope.transaction(tx => stage(tx, app.platform.secrets, whatsappId, old, { isLast }))
    }
    const [before, start] = [(await standing()).done, performance.now()]
    let isOver = false
    const beside = pace(phone.id, letters => !isOver || letters < 5)
    await until(async () => {
      const shown = await admin.get(connections.show, { params: { whatsappId } })
      return shown.statusImportMessages === IMPORTED
    }, MINUTES)
    const seconds = (performance.now() - start) / 1000
    isOver = true
    expect(await standing()).toMatchObject({ done: MESSAGES, total: MESSAGES })
    console.log({
      'messages a second': Math.round((MESSAGES - before) / seconds),
      'another company’s letters alone, ms': alone,
      'beside the import, ms': await beside,
      load: loadavg().map(value => value.toFixed(1)),
    })
  },
  MINUTES,
)

const letter = (index: number) => {
  const chat = index % CHATS
  return {
    kind: 'message' as const,
    chat: { kind: 'phone' as const, value: `55119${String(60_000_000 + chat)}` },
    externalId: `OLD${index}`,
    fromMe: index % 3 === 0,
    name: `Cliente ${chat}`,
    body: `Mensagem antiga ${index} sobre o pedido`,
    mediaType: null,
    at: new Date(Date.parse('2026-02-01T12:00:00Z') + index * 1000).toISOString(),
  }
}
