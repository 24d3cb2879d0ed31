import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { node, nothing, type Outcome, read, reports, settled } from './outcome.ts'
import { EXTRAS, type Extras, inShort } from './vitest-extras.ts'

/** What is read of Vitest's report. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: File[]
}

interface File {
  name: string
  status: string
  assertionResults: { status: string; fullName: string; duration?: number; failureMessages?: string[] }[]
}

interface Asked {
  projects?: string[]
  /** Parts of paths. */
  filters?: string[]
  changed?: boolean
}

/**
 * Runs projects of Vitest, or all of them. In CI all of it is run once more where nothing failed but errors outside any test, as
 * Vitest does with a failed test: which file caused such an error is not known for sure. The second
 * run alone counts towards the budget.
 */
export async function inNode(name: string, asked: Asked): Promise<Outcome> {
  const { unhandled, ...first } = await run(name, asked)
  if (!process.env.CI || unhandled.length === 0 || first.failures.length > unhandled.length) return first
  const { unhandled: _again, ...second } = await run(name, asked)
  const isMended = !second.broken && second.failed === 0
  return { ...second, flaky: [...first.flaky, ...(isMended ? first.failures : []), ...second.flaky] }
}

type Ran = Outcome & Pick<Extras, 'unhandled'>

async function run(name: string, { projects = [], filters = [], changed = false }: Asked): Promise<Ran> {
  const json = `${reports}/${name}.json`
  for (const left of [json, EXTRAS]) rmSync(left, { force: true })
  const { code, processor } = await node(name, 'node_modules/vitest/vitest.mjs', [
    'run',
    ...['default', 'json', './bin/test/vitest-extras.ts'].map(reporter => `--reporter=${reporter}`),
    `--outputFile.json=${json}`,
    ...projects.flatMap(project => ['--project', project]),
    ...(changed ? ['--changed', '--passWithNoTests'] : []),
    ...(filters.length > 0 ? ['--passWithNoTests', ...filters] : []),
  ])
  const report = read<Report>(json)
  if (!report) return { ...nothing(name), unhandled: [], broken: `ended with code ${code} and no report` }
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, testResults } = report
  const { flaky, unhandled } = read<Extras>(EXTRAS) ?? { flaky: [], unhandled: [] }
  const failures = [...testResults.flatMap(failuresOf), ...unhandled]
  const times = testResults.flatMap(timesOf)
  return { ...settled({ name, passed, failed, skipped, failures, flaky, times, processor }, code), unhandled }
}

function failuresOf({ name, status, assertionResults }: File): string[] {
  const file = relative(process.cwd(), name)
  const failed = assertionResults.filter(result => result.status === 'failed')
  if (failed.length === 0 && status === 'failed') return [`${file}: could not be run`]
  return failed.map(({ fullName, failureMessages }) => inShort(`${file}: ${fullName}`, failureMessages?.[0]))
}

const timesOf = ({ name, assertionResults }: File) =>
  assertionResults.map(({ fullName, duration = 0 }) => ({
    sentence: `${relative(process.cwd(), name)}: ${fullName}`,
    ms: duration,
  }))
