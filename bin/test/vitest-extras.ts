import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** What Vitest's JSON report leaves out. A line is a failure in short. */
export interface Extras {
  /** Tests that failed first and passed when they were tried again, each with its file. */
  flaky: string[]
  /** Errors outside any test, such as a rejected promise that is not awaited: they fail the run. */
  unhandled: string[]
}

export const EXTRAS = '.balcao/reports/vitest-extras.json'

/** A line with the failure in short: a truncated log keeps its end. */
export const inShort = (sentence: string, message = '') =>
  [sentence, ...stripVTControlCharacters(message).split('\n').filter(Boolean).slice(0, 4)]
    .map(line => line.trim().slice(0, 300))
    .join('\n      ')

type RunEnd = NonNullable<Reporter['onTestRunEnd']>

/** A reporter of Vitest that writes the extras. */
export default class VitestExtras implements Reporter {
  #flaky: string[] = []

  onTestCaseResult(test: TestCase) {
    if (!test.diagnostic()?.flaky) return
    const sentence = `${test.module.relativeModuleId}: ${test.fullName}`
    this.#flaky.push(inShort(sentence, test.result().errors?.[0]?.message))
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: Parameters<RunEnd>[1]) {
    const unhandled = errors.map(({ message, stack, VITEST_TEST_PATH: path }) => {
      // the file that ran when it happened
      const file = typeof path === 'string' ? relative(process.cwd(), path) : 'no file'
      return inShort(`${file}: error outside any test`, `${message}\n${stack ?? ''}`)
    })
    writeFileSync(EXTRAS, JSON.stringify({ flaky: this.#flaky, unhandled } satisfies Extras))
  }
}
