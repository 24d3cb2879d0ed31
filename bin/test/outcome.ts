import { existsSync, readFileSync } from 'node:fs'
import { finished } from '../prepare/run.js'

export const reports = '.balcao/reports'

/** What one layer did. `broken`: it did not come to its end, or ended badly without a failed test. */
export interface Outcome {
  name: string
  passed: number
  failed: number
  skipped: number
  /** The sentences that failed, each with its file; and those that passed when they were tried again. */
  failures: string[]
  flaky: string[]
  /** Every sentence with its milliseconds. */
  times: { sentence: string; ms: number }[]
  /** Seconds of the processor; null where that cannot be read. */
  processor: number | null
  broken?: string
}

export const nothing = (name: string): Outcome => ({
  ...{ name, passed: 0, failed: 0, skipped: 0 },
  ...{ failures: [], flaky: [], times: [], processor: null },
})

export const settled = (outcome: Outcome, code: number): Outcome =>
  code !== 0 && outcome.failed === 0 ? { ...outcome, broken: `ended with code ${code}: see above` } : outcome

/** Runs a script on this Node; answers its exit code, and what it and all below it took of the processor. */
export async function node(
  name: string,
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
) {
  const took = `${reports}/${name}.processor.json`
  const { code } = await finished(process.execPath, ['bin/test/measured.ts', took, script, ...args], { env })
  return { code, processor: read<number>(took) }
}

export const read = <T>(path: string): T | null =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : null
