import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { node, nothing, type Outcome, read, reports, settled } from './outcome.ts'
import { EXTRAS, type Extras, inShort } from './vitest-extras.ts'

/** What is read of Vitest's report. */
interface Report {
  numFailedTests: number
  numPendingTests: number
  testResults: File[]
}

interface File {
  name: string
  status: string
  /** Of a file that could not be run. */
  message?: string
  assertionResults: { status: string; fullName: string; duration?: number; failureMessages?: string[] }[]
}

interface Asked {
  projects?: string[]
  /** Parts of paths. */
  filters?: string[]
  changed?: boolean
}

/**
 * Runs projects of Vitest, or all of them. In CI what failed outside any test is tried once more, as Vitest does with a failed
 * test: files whose hooks failed, or, since which file caused another error is not known for sure, everything. Of two whole
 * runs the second alone counts towards the budget.
 */
export async function inNode(name: string, asked: Asked): Promise<Outcome> {
  const { unhandled, unrun, ...first } = await run(name, asked)
  const outside = unhandled.length + unrun.length
  if (!process.env.CI || outside === 0 || first.failures.length > outside) return first
  const isWhole = unhandled.length > 0
  const again = await run(name, isWhole ? asked : { ...asked, filters: unrun })
  const { unhandled: _unhandled, unrun: _unrun, ...second } = again
  const isMended = !second.broken && second.failed === 0
  const flaky = [...first.flaky, ...(isMended ? first.failures : []), ...second.flaky]
  return { ...(isWhole ? second : added(first, second)), flaky }
}

/** A whole run, and one of the files in it that could not be run. */
const added = ({ broken: _outside, ...first }: Outcome, again: Outcome): Outcome => ({
  ...first,
  ...{ passed: first.passed + again.passed, failed: again.failed, skipped: first.skipped + again.skipped },
  ...{ failures: again.failures, times: [...first.times, ...again.times] },
  processor: first.processor === null || again.processor === null ? null : first.processor + again.processor,
  ...(again.broken && { broken: again.broken }),
})

interface Ran extends Outcome, Pick<Extras, 'unhandled'> {
  /** Files of which no test failed, but a hook or the file itself. */
  unrun: string[]
}

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
  if (!report)
    return { ...nothing(name), unhandled: [], unrun: [], broken: `ended with code ${code} and no report` }
  const { numFailedTests: failed, testResults } = report
  const { flaky, unhandled } = read<Extras>(EXTRAS) ?? { flaky: [], unhandled: [] }
  const failures = [...testResults.flatMap(failuresOf), ...unhandled]
  const unrun = testResults.filter(isUnrun)
  const times = testResults.filter(file => !isUnrun(file)).flatMap(timesOf)
  // those of a file whose hook failed, which may have passed, count when it is run again
  const count = (wanted: string) =>
    testResults
      .filter(file => !isUnrun(file))
      .flatMap(file => file.assertionResults)
      .filter(({ status }) => status === wanted).length
  const [passed, skipped] = [count('passed'), report.numPendingTests - pendingIn(unrun)]
  const counts = { name, passed, failed, skipped, failures, flaky, times, processor }
  return { ...settled(counts, code), unhandled, unrun: unrun.map(pathOf) }
}

const pendingIn = (files: File[]) =>
  files.flatMap(file => file.assertionResults).filter(({ status }) => ['pending', 'skipped'].includes(status))
    .length

const pathOf = ({ name }: File) => relative(process.cwd(), name)

const isUnrun = ({ status, assertionResults }: File) =>
  status === 'failed' && !assertionResults.some(result => result.status === 'failed')

function failuresOf(result: File): string[] {
  const file = pathOf(result)
  if (isUnrun(result)) return [inShort(`${file}: could not be run`, result.message)]
  const failed = result.assertionResults.filter(({ status }) => status === 'failed')
  return failed.map(({ fullName, failureMessages }) => inShort(`${file}: ${fullName}`, failureMessages?.[0]))
}

const timesOf = (file: File) =>
  file.assertionResults.map(({ fullName, duration = 0 }) => ({
    sentence: `${pathOf(file)}: ${fullName}`,
    ms: duration,
  }))
