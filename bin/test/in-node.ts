import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { node, nothing, type Outcome, read, reports, settled } from './outcome.ts'
import { EXTRAS, type Extras, inShort } from './vitest-extras.ts'

/** What is read of Vitest's report. */
interface Report {
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

/** As many files are run again. More that fail in one run fail for a reason. */
const FILES_AGAIN = 3

/**
 * Runs projects of Vitest, or all of them. In CI a file that failed is run once more, with the other ones that failed alone:
 * Vitest, which tries a failed test again, does so beside the same load and on what the first try left in the file's
 * database, and does not try hooks again. An error outside any test runs everything again, since which file caused it is not
 * known for sure; of two whole runs the second alone counts towards the budget.
 */
export async function inNode(name: string, asked: Asked): Promise<Outcome> {
  const first = await run(name, asked)
  const failed = first.files.filter(({ status }) => status === 'failed')
  const isWhole = first.unhandled.length > 0
  const isTriedAgain = isWhole || failed.length > 0
  if (!process.env.CI || !isTriedAgain || failed.length > FILES_AGAIN) return outcomeOf(name, first)
  const second = await run(name, isWhole ? asked : { ...asked, filters: failed.map(pathOf) })
  const again = outcomeOf(name, isWhole ? second : joined(first, second))
  const passed = [...failed.flatMap(failuresOf), ...first.unhandled]
  return {
    ...again,
    flaky: [...first.flaky, ...(again.failed || again.broken ? [] : passed), ...second.flaky],
  }
}

/** A whole run, and one of the files that failed in it, which the second one's results replace. */
const joined = (first: Ran, second: Ran): Ran => ({
  ...second,
  files: [...first.files.filter(({ status }) => status !== 'failed'), ...second.files],
  processor:
    first.processor === null || second.processor === null ? null : first.processor + second.processor,
})

interface Ran extends Extras {
  code: number
  /** Of the report, which is not written by a run that is broken off. */
  files: File[]
  hasReport: boolean
  processor: number | null
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
  const extras = read<Extras>(EXTRAS) ?? { flaky: [], unhandled: [] }
  return { ...extras, code, processor, files: report?.testResults ?? [], hasReport: report !== null }
}

function outcomeOf(name: string, { code, files, hasReport, flaky, unhandled, processor }: Ran): Outcome {
  if (!hasReport) return { ...nothing(name), broken: `ended with code ${code} and no report` }
  const statuses = files.flatMap(file => file.assertionResults).map(({ status }) => status)
  const count = (...wanted: string[]) => statuses.filter(status => wanted.includes(status)).length
  const counts = {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('pending', 'skipped', 'todo'),
  }
  const failures = [...files.flatMap(failuresOf), ...unhandled]
  return settled({ name, ...counts, failures, flaky, times: files.flatMap(timesOf), processor }, code)
}

const pathOf = ({ name }: File) => relative(process.cwd(), name)

function failuresOf(result: File): string[] {
  if (result.status !== 'failed') return []
  const file = pathOf(result)
  const failed = result.assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return [inShort(`${file}: could not be run`, result.message)]
  return failed.map(({ fullName, failureMessages }) => inShort(`${file}: ${fullName}`, failureMessages?.[0]))
}

const timesOf = (file: File) =>
  file.assertionResults.map(({ fullName, duration = 0 }) => ({
    sentence: `${pathOf(file)}: ${fullName}`,
    ms: duration,
  }))
