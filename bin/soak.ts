import { parseArgs } from 'node:util'
import { finished } from './prepare/run.js'

const { values: asked } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

const usage = `npm run soak -- [options]
  --minutes 10   how long: whole turns are run until the time is over
  --seed 1       what the first turn draws; each turn takes the next one`

/** Broken sockets and slow keys, killed processes, and Meta's faults: every loss or double is a failed test. */
const suites = [
  'apps/server/src/channels/baileys/soak.test.ts',
  'apps/server/src/channels/baileys/kill.test.ts',
  'apps/server/src/channels/cloud',
  'apps/server/src/crash/kill.test.ts',
]
const ROUNDS = '200'

async function soak() {
  const end = Date.now() + Number(asked.minutes) * 60_000
  let seed = Number(asked.seed)
  let turns = 0
  do {
    console.log(`turn ${++turns}, seed ${seed}`)
    const env = { ...process.env, SOAK_ROUNDS: ROUNDS, SOAK_SEED: String(seed++) }
    const { code } = await finished(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', ...suites],
      { env },
    )
    if (code !== 0) throw new Error(`turn ${turns} failed: run it again with --seed ${seed - 1}`)
  } while (Date.now() < end)
  console.log(`${turns} turns, nothing lost and nothing doubled`)
}

if (asked.help) console.log(usage)
else await soak()
