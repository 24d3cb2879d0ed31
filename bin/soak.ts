import { parseArgs } from 'node:util'
import { finished } from './prepare/run.js'

const { values: asked } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '200' },
    peers: { type: 'string', default: 'mixed' },
    only: { type: 'string', default: '' },
    tests: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})

const usage = `npm run soak -- [options]
  --minutes 10   how long: whole turns are run until the time is over
  --seed 1       what the first turn draws; each turn takes the next one
  --kills 200    deaths of a WhatsApp session, and as many of the product, half of them on each database
  --peers mixed  customers that honour retries and such that do not; or only 'honouring', or only 'deaf' ones
  --only house   the suites alone whose path holds this
  --tests words  the tests alone whose names hold this: 'embedded', 'PostgreSQL'`

/**
 * Broken sockets and slow keys, killed processes, Meta's faults, and every feature over a PostgreSQL server: every loss,
 * double or broken session is a failed test.
 */
const suites = [
  'apps/server/src/channels/baileys/soak.test.ts',
  'apps/server/src/channels/baileys/ratchet.kill.test.ts',
  'apps/server/src/channels/baileys/product.kill.test.ts',
  'apps/server/src/channels/cloud',
  'apps/server/src/crash/kill.test.ts',
  'apps/server/src/crash/postgres.test.ts',
  'apps/server/src/crash/schedules.test.ts',
  'apps/server/src/crash/webhooks.test.ts',
  'apps/server/src/crash/flows.test.ts',
  'apps/server/src/crash/bots.test.ts',
  'apps/server/src/crash/sending.test.ts',
  'apps/server/src/crash/pauses.test.ts',
  'apps/server/src/crash/billing.test.ts',
]
const chosen = suites.filter(suite => suite.includes(asked.only))
const ROUNDS = '200'

async function soak() {
  const end = Date.now() + Number(asked.minutes) * 60_000
  let seed = Number(asked.seed)
  let turns = 0
  do {
    console.log(`turn ${++turns}, seed ${seed}`)
    const env = {
      ...process.env,
      EVERY_POINT: '1',
      SOAK_ROUNDS: ROUNDS,
      SOAK_SEED: String(seed++),
      SOAK_PEERS: asked.peers,
      RATCHET_KILLS: asked.kills,
      BOT_ROUNDS: '5',
      SCHEDULES_DUE: '500',
      SCHEDULE_DEATHS: '20',
      SENDING_ROUNDS: '100',
      BILLING_COMPANIES: '60',
      BILLING_DAYS: '120',
      BILLING_ROUNDS: '20',
      HOUSE_KILLS: String(Math.ceil(Number(asked.kills) / 2)),
    }
    const { code } = await finished(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--project', 'processes', '-t', asked.tests, ...chosen],
      { env },
    )
    if (code !== 0) throw new Error(`turn ${turns} failed: run it again with --seed ${seed - 1}`)
  } while (Date.now() < end)
  console.log(`${turns} turns, nothing lost and nothing doubled`)
}

if (asked.help) console.log(usage)
else if (chosen.length === 0) console.log(`--only ${asked.only}: no suite is called that`)
else await soak()
