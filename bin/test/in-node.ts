import { relative } from 'node:path'
import { node, nothing, type Outcome, read, reports, settled } from './outcome.ts'
import { EXTRAS, type Extras, told } from './vitest-extras.ts'

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

/** Runs projects of Vitest, or all of them; `filters` are parts of paths. */
export async function inNode(
  name: string,
  {
    projects = [],
    filters = [],
    changed = false,
  }: { projects?: string[]; filters?: string[]; changed?: boolean },
): Promise<Outcome> {
  const json = `${reports}/${name}.json`
  const { code, processor } = await node(name, 'node_modules/vitest/vitest.mjs', [
    'run',
    ...['default', 'json', './bin/test/vitest-extras.ts'].map(reporter => `--reporter=${reporter}`),
    `--outputFile.json=${json}`,
    ...projects.flatMap(project => ['--project', project]),
    ...(changed ? ['--changed', '--passWithNoTests'] : []),
    ...(filters.length > 0 ? ['--passWithNoTests', ...filters] : []),
  ])
  const report = read<Report>(json)
  if (!report) return { ...nothing(name), broken: `ended with code ${code} and no report` }
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, testResults } = report
  const { flaky, unhandled } = read<Extras>(EXTRAS) ?? { flaky: [], unhandled: [] }
  const failures = [...testResults.flatMap(failuresOf), ...unhandled]
  const times = testResults.flatMap(timesOf)
  return settled({ name, passed, failed, skipped, failures, flaky, times, processor }, code)
}

function failuresOf({ name, status, assertionResults }: File): string[] {
  const file = relative(process.cwd(), name)
  const failed = assertionResults.filter(result => result.status === 'failed')
  if (failed.length === 0 && status === 'failed') return [`${file}: could not be run`]
  return failed.map(({ fullName, failureMessages }) => told(`${file}: ${fullName}`, failureMessages?.[0]))
}

const timesOf = ({ name, assertionResults }: File) =>
  assertionResults.map(({ fullName, duration = 0 }) => ({
    sentence: `${relative(process.cwd(), name)}: ${fullName}`,
    ms: duration,
  }))
