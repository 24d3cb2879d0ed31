import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import type { Found } from '../apps/server/testing/found.ts'
import { finished } from './prepare/run.js'
import { soakServers } from './soak/servers.ts'

const {
  values: asked,
  positionals: [kind],
} = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '200' },
    peers: { type: 'string', default: 'mixed' },
    only: { type: 'string', default: '' },
    tests: { type: 'string', default: '' },
    servers: { type: 'boolean', default: false },
    clock: { type: 'string', default: '' },
    cpu: { type: 'string', default: '' },
    pooler: { type: 'boolean', default: false },
    from: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})

const usage = `npm run soak -- [options]
  --minutes 10   how long: whole turns are run until the time is over
  --seed 1       what the first turn draws; each turn takes the next one
  --kills 200    deaths of a WhatsApp session, and as many of the product with a linked number and of the embedded database
  --peers mixed  customers that honour retries and such that do not; or only 'honouring', or only 'deaf' ones
  --only kill    the suites alone whose path holds this
  --tests words  the tests alone whose names hold this
  --servers      schema, rights, lists and deaths on the oldest and the newest PostgreSQL instead

npm run soak -- crash [--clock=+3600|--clock=-3600] [--cpu 0.1] [--pooler] [--only kill]
  every suite of the crash layer once, as npm test runs it, where the product's processes fare badly
  --clock=-3600  their clock is so many seconds ahead of the database's, or behind
  --cpu 0.1      each gets this share of a processor
  --pooler       PgBouncer (1.21 or newer, on the PATH) is before the database

npm run soak -- operator [--from REF]
  an operator's month instead: ten companies work while one installation is backed up, restored, tried out, upgraded,
  moved and killed by the documented commands; what was written is there once at the end, or it fails
  --from REF     the version that is upgraded from (a git ref); by default the last tag

npm run soak -- money [--minutes 10] [--seed 1]
  random lives of a company instead: what it buys, pays, gets back, cancels and changes, each step perhaps twice, from two tabs,
  or with a process that dies; after each step the ledger, the screens and the figures say the same sums, or it fails

npm run soak -- texts [--minutes 10] [--seed 1]
  texts drawn by the seed, before every field of every call and everything else that reads a text of others: a line for each
  that costs more than its length`

/**
 * Every point at which a process is killed, in every round: of the product, of a WhatsApp session, of the database in
 * DATA_DIR, among broken sockets, slow keys and Meta's faults. Every loss, double or broken session is a failed test.
 */
const suites = globSync([
  'apps/server/src/crash/*.test.ts',
  'apps/server/src/channels/cloud/*.test.ts',
  'apps/server/src/channels/{received,baileys/product.hostile}.test.ts',
  'apps/server/src/channels/baileys/**/{soak,ratchet.kill,product.kill,kill}.test.ts',
]).sort()
const chosen = suites.filter(suite => suite.includes(asked.only))
const REPORT = '.balcao/reports/soak.json'
const FOUND = '.balcao/reports/soak.found'

interface Row {
  suite: string
  turns: number
  rounds: number | null
  lost: number | null
  doubled: number | null
  failed: number
  seconds: number
}

async function soak() {
  const end = Date.now() + Number(asked.minutes) * 60_000
  const table = new Map<string, Row>()
  let seed = Number(asked.seed)
  let hasFailed = false
  do {
    console.log(`turn with seed ${seed}`)
    hasFailed = !(await turn(seed++, table))
  } while (!hasFailed && Date.now() < end)
  console.log('')
  console.table([...table.values()])
  if (hasFailed) throw new Error(`the last turn failed: run it again with --seed ${seed - 1}`)
  console.log('nothing lost and nothing doubled')
}

/** Once every chosen suite; answers whether all of it passed. */
async function turn(seed: number, table: Map<string, Row>): Promise<boolean> {
  mkdirSync('.balcao/reports', { recursive: true })
  for (const file of [REPORT, FOUND]) rmSync(file, { force: true })
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'protocol', '--project', 'crash']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`]
  const { code } = await finished(
    process.execPath,
    [...vitest, ...reporters, ...(asked.tests ? ['-t', asked.tests] : []), ...chosen],
    { env: { ...process.env, ...whole(seed) } },
  )
  addTo(table)
  return code === 0
}

const whole = (seed: number) => ({
  EVERY_POINT: '1',
  SOAK_FOUND: FOUND,
  SOAK_ROUNDS: '200',
  SOAK_SEED: String(seed),
  SOAK_PEERS: asked.peers,
  SOAK_STRANGE: '200000',
  RATCHET_KILLS: asked.kills,
  PRODUCT_KILLS: asked.kills,
  EMBEDDED_DEATHS: asked.kills,
  BOT_ROUNDS: '5',
  SCHEDULES_DUE: '500',
  SCHEDULE_DEATHS: '20',
  SENDING_ROUNDS: '100',
  BILLING_COMPANIES: '60',
  BILLING_DAYS: '120',
  BILLING_ROUNDS: '20',
})

interface Report {
  testResults: {
    name: string
    status: string
    startTime: number
    endTime: number
    assertionResults: { status: string }[]
  }[]
}

/** What the suites reported, and Vitest's results. */
function addTo(table: Map<string, Row>) {
  if (!existsSync(REPORT)) return
  const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8')) as Report
  const lines = existsSync(FOUND) ? readFileSync(FOUND, 'utf8').split('\n').filter(Boolean) : []
  const told = new Map(lines.map(line => JSON.parse(line) as Found).map(found => [found.file, found]))
  for (const { name, status, startTime, endTime, assertionResults } of testResults) {
    const suite = relative(process.cwd(), name).replace('apps/server/src/', '')
    const before = table.get(suite)
    const found = told.get(name)
    const add = (count: number | undefined, to: number | null | undefined) =>
      count === undefined ? (to ?? null) : (to ?? 0) + count
    const failures = assertionResults.filter(one => one.status === 'failed').length
    table.set(suite, {
      suite,
      turns: (before?.turns ?? 0) + 1,
      rounds: add(found?.rounds, before?.rounds),
      lost: add(found?.lost, before?.lost),
      doubled: add(found?.doubled, before?.doubled),
      // a file that could not be run has no failed test
      failed: (before?.failed ?? 0) + (failures || Number(status === 'failed')),
      seconds: Math.round((before?.seconds ?? 0) + (endTime - startTime) / 1_000),
    })
  }
}

/** The crash layer under a wrong clock, or with little processor time. What is only patience of a test gets longer with it. */
async function crash() {
  const { clock: TEST_CLOCK, cpu: TEST_CPU, pooler } = asked
  if (!TEST_CLOCK && !TEST_CPU && !pooler)
    throw new Error(`crash takes --clock, --cpu or --pooler, or several of them\n${usage}`)
  const suites = chosen.filter(suite => suite.includes('/crash/'))
  const patience = TEST_CPU ? ['--testTimeout=1200000', '--hookTimeout=1200000'] : []
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'crash', ...patience]
  const { code } = await finished(
    process.execPath,
    [...vitest, ...(asked.tests ? ['-t', asked.tests] : []), ...suites],
    { env: { ...process.env, TEST_CLOCK, TEST_CPU, ...(pooler && { TEST_POOLER: '1' }) } },
  )
  process.exitCode = code
}

/** Late: the double of Meta and the contract are loaded for it alone. */
async function operator() {
  const { soakOperator } = await import('./soak/operator.ts')
  await soakOperator(asked.from).catch(error => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
  process.exit()
}

/** Late, as above. */
async function money() {
  const { soakMoney } = await import('./soak/money.ts')
  if (!(await soakMoney(Number(asked.minutes), Number(asked.seed)))) process.exitCode = 1
}

/** Late, as above. */
async function texts() {
  const { soakTexts } = await import('./soak/texts.ts')
  if ((await soakTexts(Number(asked.minutes), Number(asked.seed))) > 0) process.exitCode = 1
}

if (asked.help) console.log(usage)
else if (kind === 'operator') await operator()
else if (kind === 'crash') await crash()
else if (kind === 'texts') await texts()
else if (kind === 'money') await money()
else if (kind) console.log(`${kind} is not known\n${usage}`)
else if (asked.servers) await soakServers()
else if (chosen.length === 0) console.log(`--only ${asked.only}: no suite is called that`)
else await soak()
