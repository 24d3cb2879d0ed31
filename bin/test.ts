import { mkdirSync, rmSync } from 'node:fs'
import { redisServer } from '../apps/server/testing/redis.ts'
import startRun from '../apps/server/testing/run.ts'
import { uncommitted } from './changed.ts'
import { childrenSeconds } from './processor.ts'
import { here } from './rules/codebase.ts'
import { inBrowser } from './test/in-browser.ts'
import { inNode } from './test/in-node.ts'
import { type Layer, layers } from './test/layers.ts'
import { nothing, reports } from './test/outcome.ts'
import { watchSpeed } from './test/speed.ts'
import { summary, type Took } from './test/summary.ts'

const asked = process.argv.slice(2)
/** Only what the uncommitted change touches: Vitest follows the imports, of the browser tests those that changed. */
const changed = asked.includes('--changed')
/** One layer alone, with its budget. */
const only = asked.includes('--layer') ? asked[asked.indexOf('--layer') + 1] : undefined
const filters = asked.filter(word => !['--changed', '--layer', only].includes(word))

async function main() {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  // the database server and what is copied from it are shared by all layers
  const end = await startRun()
  const redis = await redisServer()
  const missing = 'missing' in redis ? [`suites that need a Redis server: ${redis.missing}`] : []
  const { outcomes, took, all: whole } = changed || filters.length > 0 ? await some() : await all()
  await end?.()
  if (process.env.CI && missing.length > 0)
    outcomes.push({ ...nothing('servers'), broken: 'CI runs every suite, but some servers are missing' })
  process.exit(summary(outcomes, took, whole, missing) ? 0 : 1)
}

/** The requested tests, in one run and without budgets. */
async function some() {
  const files = changed ? [...changedTests(), ...filters] : filters
  const outcomes = [await inNode('Node', { filters, changed })]
  outcomes.push(files.length > 0 ? await inBrowser(files) : nothing('browser'))
  return { outcomes, took: [], all: null }
}

/**
 * The browser waits for most of its time, and the others keep two processors busy: they run side by side. The database
 * server, which all share, counts as a layer of its own.
 */
async function all() {
  const chosen = layers.filter(({ name }) => !only || name === only)
  if (chosen.length === 0)
    throw new Error(`--layer takes one of ${layers.map(({ name }) => name).join(', ')}`)
  const start = performance.now()
  const speed = watchSpeed()
  const inTurn = async (some: Layer[]) => {
    const done: Took[] = []
    for (const layer of some) done.push(await takes(layer))
    return done
  }
  const lanes = [({ projects }: Layer) => projects.length > 0, ({ projects }: Layer) => projects.length === 0]
  const took = (await Promise.all(lanes.map(lane => inTurn(chosen.filter(lane))))).flat()
  const processor = childrenSeconds()
  return {
    outcomes: took.map(({ outcome }) => outcome),
    took,
    all: { wall: secondsSince(start), processor, slowness: speed.factor() },
  }
}

async function takes(layer: Layer): Promise<Took> {
  const { name, projects } = layer
  const start = performance.now()
  const outcome = projects.length > 0 ? await inNode(name, { projects }) : await inBrowser([])
  return { layer, outcome, wall: secondsSince(start) }
}

const secondsSince = (start: number) => (performance.now() - start) / 1_000

const changedTests = () => uncommitted(here).filter(path => path.endsWith('.e2e.ts'))

// the servers of the run end with it, also where it is broken off
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
await main()
