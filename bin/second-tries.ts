import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'

/** Where the sentences are written that passed when they were tried once more, each with its file. */
export const SECOND_TRIES = '.balcao/reports/second-tries.json'

/** A reporter of Vitest, whose own JSON does not tell them. */
export default class SecondTries implements Reporter {
  #sentences: string[] = []

  onTestCaseResult(test: TestCase) {
    if (test.diagnostic()?.flaky) this.#sentences.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd() {
    writeFileSync(SECOND_TRIES, JSON.stringify(this.#sentences))
  }
}
