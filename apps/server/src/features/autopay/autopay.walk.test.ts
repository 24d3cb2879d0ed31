import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { openAutopay } from '../../../testing/autopay.ts'
import { audit, autopaySteps, rest, take } from '../../../testing/autopay.walk.ts'
import { SEED } from '../../../testing/sample.ts'

// Random walks of companies beside each other, with lost answers and events. AUTOPAY_WALKS=30 walks more of them, drawn anew.

const WALKS = Number(process.env.AUTOPAY_WALKS ?? 6)
const STEPS = Number(process.env.AUTOPAY_STEPS ?? 10)
/** Walks that are the same in each run. */
const DRAWN = process.env.AUTOPAY_WALKS ? SEED : 3

vi.setConfig({ testTimeout: 600_000 })
const page = await openAutopay()
afterAll(page.close)

test('whatever a company chooses and pays, what it owes can be paid once, by what was chosen, and no other authorization is left', async () => {
  const walks = fc.sample(fc.array(autopaySteps, { minLength: STEPS, maxLength: STEPS }), {
    ...{ numRuns: WALKS, seed: DRAWN },
  })
  const companies = await Promise.all(walks.map(() => page.company()))
  for (let step = 0; step < STEPS; step++) {
    await Promise.all(walks.map((walk, at) => take(page, companies[at]!, walk[step]!)))
    // some steps begin while the one before is under way
    if (step % 2 === 0 && step < STEPS - 1) continue
    await rest(page)
    for (const [at, of] of companies.entries())
      await audit(page, of).catch(error => {
        throw new Error(`${JSON.stringify(walks[at]!.slice(0, step + 1))}: ${error.message}`, {
          cause: error,
        })
      })
  }
  expect(companies).toHaveLength(WALKS)
})
