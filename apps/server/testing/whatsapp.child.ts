import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { createBaileysDriver } from '../src/channels/baileys/index.ts'
import type { KeyRows, Outgoing, SessionHost } from '../src/driver.ts'

// A process that runs one session of the driver and keeps everything in files, to be killed by a test. It prints
// events as JSON lines: {status, qrcode}, {hearing: n}, {outcome}; received events are in the file `heard`. It accepts
// orders: {send: message}, and {dieAt: point, nth}, the point being one of `reach` below.

/** An order of a test to this process. */
export type ChildOrder = { send: Outgoing } | { dieAt: Point; nth: number }

/** Points where it can be killed: before and after keys are in the file, events are, and a frame leaves. */
export type Point = `${'keys' | 'news' | 'frame'} ${'before' | 'after'}`

const [folder = '', webUrl = '', mode = ''] = process.argv.slice(2)
const keysFile = join(folder, 'keys')
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

let armed: { dieAt: Point; nth: number } | null = null
function reach(point: Point) {
  if (armed?.dieAt === point && --armed.nth < 0) process.kill(process.pid, 'SIGKILL')
}

type Row = { type: string; id: string; value: string | null }

/** Every write is one line, so that a kill leaves it whole or not at all. */
const keep = (rows: Row[]) => appendFileSync(keysFile, `${JSON.stringify(rows)}\n`)

const rows = new Map<string, Row>()
const apply = (changed: Row[]) => {
  for (const row of changed)
    if (row.value === null) rows.delete(`${row.type} ${row.id}`)
    else rows.set(`${row.type} ${row.id}`, row)
}
if (existsSync(keysFile))
  for (const line of readFileSync(keysFile, 'utf8').split('\n').filter(Boolean))
    apply(JSON.parse(line) as Row[])

const found = (of: Row[]) => new Map(of.map(({ id, value }) => [id, value!]))
const keys: KeyRows = {
  read: async (type, ids) => found(ids.flatMap(id => rows.get(`${type} ${id}`) ?? [])),
  readAll: async type => found([...rows.values()].filter(row => row.type === type)),
  async write(changed) {
    // about as slow as a commit
    await sleep(1)
    reach('keys before')
    keep(changed)
    apply(changed)
    reach('keys after')
  },
  async clear() {
    const all = [...rows.values()].map(row => ({ ...row, value: null }))
    keep(all)
    apply(all)
  },
}

const sentFile = join(folder, 'sent')
const sentBefore = () =>
  existsSync(sentFile) ? readFileSync(sentFile, 'utf8').split('\n').filter(Boolean) : []
const sent = new Map(
  sentBefore().map(line => {
    const message = JSON.parse(line) as Outgoing
    return [message.externalId, message]
  }),
)

const host: SessionHost = {
  companyId: 1,
  whatsappId: 1,
  pairNumber: '',
  // checked in the step in which a frame leaves
  owns() {
    reach('frame before')
    queueMicrotask(() => reach('frame after'))
    return true
  },
  write: async () => Promise.reject(new Error('no rows are here')),
  keys,
  recording: () => {},
  report: async state => void say(state),
  restsUntil: async () => null,
  restrict: async () => {},
  sent: async id => sent.get(id) ?? null,
  voiceNote: async () => null,
  waveform: async () => null,
  linkPreview: async () => null,
  typing: () => {},
  count: () => {},
  acceptsGroups: async () => true,
  history: async () => null,
  keepBook: async () => {},
  stage: async () => {},
  async receive(incoming) {
    say({ hearing: incoming.length })
    // The database never answers: a process killed here has reported nothing.
    if (mode === 'stuck') await new Promise(() => {})
    await sleep(1)
    reach('news before')
    for (const heard of incoming) appendFileSync(join(folder, 'heard'), `${JSON.stringify(heard)}\n`)
    reach('news after')
  },
}

const pace = { firstMs: 10, mostMs: 20, restMs: 100 }
const driver = createBaileysDriver({
  webUrl,
  version: null,
  log: pino({ level: process.env.LOG_LEVEL ?? 'silent' }, pino.destination(2)),
  pace,
})
const session = await driver.open(host)
// whoever is killed leaves nothing behind for the next start otherwise
flushCompileCache()

process.on('message', async (order: ChildOrder) => {
  if ('dieAt' in order) armed = order
  else {
    const { externalId } = order.send
    if (!sent.has(externalId)) appendFileSync(sentFile, `${JSON.stringify(order.send)}\n`)
    sent.set(externalId, order.send)
    const { is } = await session.send(order.send, async () => {}).catch(() => ({ is: 'unknown' }))
    say({ outcome: { externalId, is } })
  }
})
process.channel?.unref()
process.on('disconnect', () => process.exit(1))
