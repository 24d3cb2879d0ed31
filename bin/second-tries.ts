import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase } from 'vitest/node'

/** Where the sentences are written that passed when they were tried once more, each with its file. */
export const SECOND_TRIES = '.balcao/reports/second-tries.json'

/** A line with the failure in short: a truncated log keeps its end. */
export const told = (sentence: string, message = '') =>
  [sentence, ...stripVTControlCharacters(message).split('\n').filter(Boolean).slice(0, 4)]
    .map(line => line.trim().slice(0, 300))
    .join('\n      ')

/** A reporter of Vitest, whose own JSON does not report retries. */
export default class SecondTries implements Reporter {
  #sentences: string[] = []

  onTestCaseResult(test: TestCase) {
    if (!test.diagnostic()?.flaky) return
    const sentence = `${test.module.relativeModuleId}: ${test.fullName}`
    this.#sentences.push(told(sentence, test.result().errors?.[0]?.message))
  }

  onTestRunEnd() {
    writeFileSync(SECOND_TRIES, JSON.stringify(this.#sentences))
  }
}
