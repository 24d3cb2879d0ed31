import { findBrowser } from '../browser.ts'
import { node, nothing, type Outcome, read, reports, settled } from './outcome.ts'
import { inShort } from './vitest-extras.ts'

/** What is read of Playwright's report. */
interface Report {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: Suite[]
}

interface Suite {
  file: string
  suites?: Suite[]
  specs: Spec[]
}

interface Spec {
  ok: boolean
  title: string
  tests: { status: string; results: { duration: number; error?: { message?: string } }[] }[]
}

/** Runs the browser tests, or those of some files. */
export async function inBrowser(files: string[]): Promise<Outcome> {
  const name = 'browser'
  const json = `${reports}/${name}.json`
  const env: NodeJS.ProcessEnv = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: json }
  try {
    env.CHROMIUM_PATH = findBrowser()
  } catch (error) {
    return { ...nothing(name), broken: (error as Error).message }
  }
  const { code, processor } = await node(
    name,
    'node_modules/@playwright/test/cli.js',
    ['test', '--reporter=list,json', ...(files.length > 0 ? ['--pass-with-no-tests', ...files] : [])],
    env,
  )
  const report = read<Report>(json)
  if (!report) return { ...nothing(name), broken: `ended with code ${code} and no report` }
  const { expected, unexpected: failed, flaky: again, skipped } = report.stats
  const specs = specsOf(report.suites)
  const isFlaky = ({ tests }: Spec) => tests.some(({ status }) => status === 'flaky')
  return settled(
    {
      ...{ name, passed: expected + again, failed, skipped },
      failures: specs.filter(([, { ok }]) => !ok).map(sentence),
      flaky: specs.filter(([, spec]) => isFlaky(spec)).map(sentence),
      times: specs.map(([file, spec]) => ({ sentence: `e2e/${file}: ${spec.title}`, ms: durationOf(spec) })),
      processor,
    },
    code,
  )
}

const specsOf = (suites: Suite[]): [string, Spec][] =>
  suites.flatMap(({ file, specs, suites: inner = [] }) => [
    ...specs.map(spec => [file, spec] as [string, Spec]),
    ...specsOf(inner),
  ])

function sentence([file, { title, tests }]: [string, Spec]) {
  const errors = tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []))
  return inShort(`e2e/${file}: ${title}`, errors[0])
}

const durationOf = ({ tests }: Spec) =>
  tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0)
