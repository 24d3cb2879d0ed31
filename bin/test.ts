import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { findBrowser } from './browser.ts'
import { finished } from './prepare/run.js'
import { SECOND_TRIES, told } from './second-tries.ts'
import { missingServers } from './test-servers.ts'

/** What one runner did. `broken`: it did not come to its end, or ended badly without a failed test. */
interface Outcome {
  name: string
  passed: number
  failed: number
  skipped: number
  /** The sentences that failed, each with its file; and those that passed when they were tried once more. */
  failures: string[]
  flaky?: string[]
  broken?: string
}

/** What is read of the reports of Vitest and Playwright. */
interface NodeReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { name: string; status: string; assertionResults: TestReport[] }[]
}

interface TestReport {
  status: string
  fullName: string
  failureMessages?: string[]
}

interface BrowserReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: BrowserSuite[]
}

interface BrowserSuite {
  file: string
  suites?: BrowserSuite[]
  specs: {
    ok: boolean
    title: string
    tests: { status: string; results: { error?: { message?: string } }[] }[]
  }[]
}

const reports = '.balcao/reports'
const asked = process.argv.slice(2)
/** Only what the uncommitted change touches: Vitest follows the imports, of the browser tests those that changed. */
const changed = asked.includes('--changed')
const filters = asked.filter(word => word !== '--changed')

async function main() {
  const missing = await missingServers(process.env)
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const outcomes = [await inNode(), await inBrowser()]
  if (process.env.CI && missing.length > 0)
    outcomes.push({ ...nothing('servers'), broken: 'CI runs every suite, but some servers are missing' })
  summary(outcomes, missing)
  process.exit(outcomes.some(({ failed, broken }) => failed > 0 || broken) ? 1 : 0)
}

async function inNode(): Promise<Outcome> {
  const name = 'units, server, protocol'
  const json = `${reports}/vitest.json`
  const reporters = ['default', 'json', './bin/second-tries.ts'].map(name => `--reporter=${name}`)
  const { code } = await node('node_modules/vitest/vitest.mjs', [
    'run',
    ...reporters,
    `--outputFile.json=${json}`,
    ...(changed ? ['--changed', '--passWithNoTests'] : []),
    ...passing(filters),
  ])
  const report = read<NodeReport>(json)
  if (!report) return { ...nothing(name), broken: `ended with code ${code} and no report` }
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report
  const failures = report.testResults.flatMap(file => failuresOf(file))
  const flaky = read<string[]>(SECOND_TRIES) ?? []
  return settled({ name, passed, failed, skipped, failures, flaky }, code)
}

async function inBrowser(): Promise<Outcome> {
  const name = 'browser'
  const files = changed ? [...changedTests(), ...filters] : filters
  if (changed && files.length === 0) return nothing(name)
  try {
    process.env.CHROMIUM_PATH = findBrowser()
  } catch (error) {
    return { ...nothing(name), broken: (error as Error).message }
  }
  const json = `${reports}/playwright.json`
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = json
  const { code } = await node('node_modules/@playwright/test/cli.js', [
    'test',
    '--reporter=list,json',
    ...(files.length > 0 ? ['--pass-with-no-tests', ...files] : []),
  ])
  const report = read<BrowserReport>(json)
  if (!report) return { ...nothing(name), broken: `ended with code ${code} and no report` }
  const { expected, unexpected, flaky, skipped } = report.stats
  const failures = sentences(report.suites, ({ ok }) => !ok)
  const twice = sentences(report.suites, ({ tests }) => tests.some(({ status }) => status === 'flaky'))
  return settled(
    { name, passed: expected + flaky, failed: unexpected, skipped, failures, flaky: twice },
    code,
  )
}

function changedTests(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n')
  const all = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]
  return all.filter(path => path.endsWith('.e2e.ts'))
}

function failuresOf({ name, status, assertionResults }: NodeReport['testResults'][number]): string[] {
  const file = relative(process.cwd(), name)
  const failed = assertionResults.filter(result => result.status === 'failed')
  if (failed.length === 0 && status === 'failed') return [`${file}: could not be run`]
  return failed.map(({ fullName, failureMessages }) => told(`${file}: ${fullName}`, failureMessages?.[0]))
}

type Spec = BrowserSuite['specs'][number]

const sentences = (suites: BrowserSuite[], which: (spec: Spec) => boolean): string[] =>
  suites.flatMap(({ file, specs, suites: inner = [] }) => [
    ...specs.filter(which).map(({ title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []))
      return told(`e2e/${file}: ${title}`, errors[0])
    }),
    ...sentences(inner, which),
  ])

const node = (script: string, args: string[]) => finished(process.execPath, [script, ...args], {})
const passing = (names: string[]) => (names.length > 0 ? ['--passWithNoTests', ...names] : [])
const nothing = (name: string) => ({ name, passed: 0, failed: 0, skipped: 0, failures: [] })
const read = <T>(path: string): T | null =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : null

const settled = (outcome: Outcome, code: number): Outcome =>
  code !== 0 && outcome.failed === 0 ? { ...outcome, broken: `ended with code ${code}: see above` } : outcome

function summary(all: Outcome[], missing: string[]) {
  console.log('')
  for (const { name, passed, failed, skipped, broken } of all)
    console.log(
      broken
        ? `  ${name}: NOT RUN TO ITS END: ${broken}`
        : `  ${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`,
    )
  for (const failure of all.flatMap(({ failures }) => failures)) console.log(`  failed: ${failure}`)
  for (const twice of all.flatMap(({ flaky = [] }) => flaky))
    console.log(`  passed at the second try: ${twice}`)
  for (const reason of missing) console.log(`  skipped: ${reason}`)
  const sum = (of: (outcome: Outcome) => number) => all.reduce((total, outcome) => total + of(outcome), 0)
  const failed = sum(outcome => outcome.failed + (outcome.broken ? 1 : 0))
  console.log(
    `\n${sum(({ passed }) => passed)} passed, ${failed} failed, ${sum(({ skipped }) => skipped)} skipped`,
  )
}

await main()
