import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { createBaileysDriver } from '../src/channels/baileys/index.ts'
import type { KeyRows, SessionDoor } from '../src/channels/driver.ts'

// A process that runs one session of the driver and keeps everything in files, to be killed by a test.
// It says what happens in JSON lines: {status, qrcode}, {hearing: n}; what it heard stands in the file `heard`.

const [folder = '', webUrl = '', mode = ''] = process.argv.slice(2)
const keysFile = join(folder, 'keys')
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

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
    keep(changed)
    apply(changed)
  },
  async clear() {
    const all = [...rows.values()].map(row => ({ ...row, value: null }))
    keep(all)
    apply(all)
  },
}

const door: SessionDoor = {
  companyId: 1,
  whatsappId: 1,
  pairNumber: '',
  owns: () => true,
  keys,
  report: async state => void say(state),
  sent: async () => null,
  typing: () => {},
  takesGroups: async () => true,
  history: async () => null,
  stage: async () => {},
  async hear(news) {
    say({ hearing: news.length })
    // The database never answers: whoever is killed here has told nobody.
    if (mode === 'stuck') await new Promise(() => {})
    for (const heard of news) appendFileSync(join(folder, 'heard'), `${JSON.stringify(heard)}\n`)
  },
}

const pace = { firstMs: 10, mostMs: 20 }
await createBaileysDriver({ webUrl, version: null, log: pino({ level: 'silent' }), pace }).open(door)
