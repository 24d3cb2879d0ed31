import { type Layer, TOLERANCE } from './layers.ts'
import type { Outcome } from './outcome.ts'

/** What a layer did, and its seconds by the clock. */
export interface Took {
  layer: Layer
  outcome: Outcome
  wall: number
}

/** Seconds of the whole run: by the clock, and of the processor with the database server's; null where that cannot be read. */
export interface Whole {
  wall: number
  processor: number | null
  /** How many times slower the processor was than where the budgets were set; 1 at least. */
  slowness: number
}

/** Prints what the run did and took; answers whether everything passed. */
export function summary(outcomes: Outcome[], took: Took[], whole: Whole | null, missing: string[]): boolean {
  console.log('')
  for (const { name, passed, failed, skipped, broken } of outcomes)
    console.log(
      broken
        ? `  ${name}: NOT RUN TO ITS END: ${broken}`
        : `  ${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`,
    )
  for (const failure of outcomes.flatMap(({ failures }) => failures)) console.log(`  failed: ${failure}`)
  for (const twice of outcomes.flatMap(({ flaky }) => flaky))
    console.log(`  passed when tried again: ${twice}`)
  for (const reason of missing) console.log(`  skipped: ${reason}`)
  if (whole) tellTimes(took, whole)
  const slowness = whole?.slowness ?? 1
  const over = took.filter(
    ({ layer, outcome }) => (outcome.processor ?? 0) > layer.budget * slowness * TOLERANCE,
  )
  for (const { layer, outcome } of over)
    console.log(
      `  failed: the layer ${layer.name} took ${outcome.processor!.toFixed(0)} s of the processor where it may take ${(layer.budget * slowness).toFixed(0)} (bin/test/layers.ts)`,
    )
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, one) => total + of(one), 0)
  const failed = sum(outcome => outcome.failed + (outcome.broken ? 1 : 0)) + over.length
  console.log(
    `\n${sum(({ passed }) => passed)} passed, ${failed} failed, ${sum(({ skipped }) => skipped)} skipped`,
  )
  return failed === 0
}

const SLOWEST = 20

function tellTimes(took: Took[], whole: Whole) {
  const cell = (value: number | null, width: number) => (value?.toFixed(0) ?? '–').padStart(width)
  const line = (name: string, wall: number | null, processor: number | null, budget: number | null) =>
    console.log(`  ${name.padEnd(10)} ${cell(wall, 6)} ${cell(processor, 10)} ${cell(budget, 7)}`)
  console.log('\n  layer        wall  processor  budget (s)')
  for (const { layer, outcome, wall } of took) line(layer.name, wall, outcome.processor, layer.budget)
  const counted = took.reduce((sum, { outcome }) => sum + (outcome.processor ?? 0), 0)
  line('database', null, whole.processor === null ? null : whole.processor - counted, null)
  line('all', whole.wall, whole.processor, null)
  console.log(`  the processor was ${whole.slowness.toFixed(2)} times slower than where the budgets were set`)
  const slowest = took.flatMap(({ outcome }) => outcome.times).toSorted((one, other) => other.ms - one.ms)
  console.log(`\n  the ${SLOWEST} slowest tests (s)`)
  for (const { sentence, ms } of slowest.slice(0, SLOWEST))
    console.log(`  ${(ms / 1_000).toFixed(1).padStart(6)} ${sentence}`)
}
