import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { auditLife } from '../../../testing/money.audit.ts'
import { live } from '../../../testing/money.life.ts'
import { beginLife, type MoneyScene, setMoneyScene } from '../../../testing/money.scene.ts'
import { type MoneyStep, moneySteps } from '../../../testing/money.steps.ts'
import { runChores } from '../../../testing/money.time.ts'
import { SEED } from '../../../testing/sample.ts'
import { openTestApp, type TestApp } from '../../../testing/test-app.ts'
import { features } from '../../features.ts'
import { product } from '../../product.ts'
import { firstDay } from '../../seed/first-start.ts'

// Random lives of a company, against what must hold of its money at any time (testing/money.audit.ts). `npm run soak -- money`
// walks without an end; a life that it finds is added to FOUND.

const WALKS = Number(process.env.MONEY_WALKS ?? 4)
const STEPS = Number(process.env.MONEY_STEPS ?? 25)
/** Lives that are the same in each run: one that is found is found by the soak, which draws others. */
const DRAWN = process.env.MONEY_WALKS ? SEED : 3

vi.setConfig({ testTimeout: 3_600_000 })

/** Without the work that is done by the clock: each life does it in its own time. */
const byTheLife = features.map(one => ({
  ...one,
  jobs: one.jobs?.filter(({ kind }) => kind !== 'chore' && kind !== 'due') ?? [],
}))

let app: TestApp
let scene: MoneyScene
beforeAll(async () => {
  app = await openTestApp({}, { product: { ...product, seed: firstDay, features: byTheLife } })
  scene = await setMoneyScene(app)
})
afterAll(() => app.close())

async function walk(life: MoneyStep[], isSignUp = false) {
  const one = await beginLife(scene, isSignUp)
  await runChores(scene, one)
  for (const step of life) {
    await live(scene, one, step)
    await auditLife(scene, one)
  }
  return one
}

test('random lives of a company: no step makes money, takes it or uses it twice', async () => {
  const [walks, taken, refused] = [{ count: 0 }, { count: 0 }, { count: 0 }]
  await fc.assert(
    fc.asyncProperty(moneySteps(STEPS), fc.boolean(), async (life, isSignUp) => {
      const one = await walk(life, isSignUp)
      walks.count++
      taken.count += one.steps
      refused.count += one.refused
    }),
    { seed: DRAWN, numRuns: WALKS, endOnFailure: process.env.MONEY_SHRINK === '0' },
  )
  expect(walks.count).toBe(WALKS)
  if (process.env.MONEY_WALKS)
    console.log(
      `money: seed ${SEED}, ${walks.count} lives, ${taken.count} steps, ${refused.count} of them refused`,
    )
})

/** Lives that once made money, took it, or billed for ever. */
const FOUND: Record<string, MoneyStep[]> = {
  'a part that a provider gave back is owed again after a change of plan': [
    { do: 'collect', at: 0, isPromised: false },
    { do: 'pass', days: 10 },
    { do: 'return', at: 0, cents: 8_000 },
    { do: 'change', to: 1, when: 'now' },
    { do: 'answer', isGift: false },
  ],
  'all that a provider gave back is owed again after an end': [
    { do: 'collect', at: 0, isPromised: false },
    { do: 'pass', days: 10 },
    { do: 'return', at: 0, cents: null },
    { do: 'end' },
    { do: 'answer', isGift: false },
    { do: 'goOn' },
  ],
  'a change with the next period that is withdrawn after its invoice was issued': [
    { do: 'change', to: 1, when: 'now' },
    { do: 'pass', days: 5 },
    { do: 'change', to: 0, when: 'next' },
    { do: 'pass', days: 18 },
    { do: 'keep' },
    { do: 'pass', days: 12 },
  ],
  'another change with the next period after its invoice was issued': [
    { do: 'change', to: 1, when: 'now' },
    { do: 'pass', days: 5 },
    { do: 'change', to: 0, when: 'next' },
    { do: 'pass', days: 18 },
    { do: 'change', to: 3, when: 'next' },
    { do: 'pass', days: 12 },
  ],
  'a plan of a year after the invoice of the next period was issued': [
    { do: 'change', to: 2, when: 'now' },
    { do: 'pass', days: 358 },
    { do: 'change', to: 0, when: 'next' },
    { do: 'pass', days: 9 },
  ],
  'an invoice that is not paid is cancelled after a change of plan': [
    { do: 'pass', days: 10 },
    { do: 'change', to: 1, when: 'now' },
    { do: 'cancel', at: 1 },
  ],
  'a paid invoice is cancelled after a change of plan': [
    { do: 'pass', days: 2 },
    { do: 'hand', at: 0, part: null },
    { do: 'pass', days: 8 },
    { do: 'change', to: 1, when: 'now' },
    { do: 'cancel', at: 1 },
  ],
  'a payment is recorded from two tabs': [{ do: 'hand', at: 0, part: 1_001, twice: 'tabs' }],
  'a payment is recorded again after a lost answer': [{ do: 'hand', at: 0, part: 9_990, twice: 'after' }],
  'what is too much is recorded again where nothing is owed': [
    { do: 'hand', at: 0, part: null },
    { do: 'hand', at: 0, part: 9_990, twice: 'after' },
    { do: 'undo', at: 0 },
  ],
  'a payment by hand is undone after a part of it was given back': [
    { do: 'hand', at: 0, part: 20_000 },
    { do: 'free', at: 0, how: 'refund' },
    { do: 'undo', at: 0 },
  ],
  'a payment that also paid the next invoice, and another of the same sum and day for that one': [
    { do: 'pass', days: 27 },
    { do: 'hand', at: 1, part: 20_000 },
    { do: 'hand', at: 0, part: 20_000 },
  ],
  'all that is owed is paid, given back, and paid again on the same day': [
    { do: 'hand', at: 0, part: null },
    { do: 'giveBack', at: 0, part: null, isGift: false },
    { do: 'hand', at: 0, part: null },
  ],
  'two short periods and one whole are not paid': [
    { do: 'pass', days: 3 },
    { do: 'change', to: 1, when: 'now' },
    { do: 'pass', days: 3 },
    { do: 'change', to: 0, when: 'now' },
    { do: 'pass', days: 24 },
  ],
  'an invoice is owed while there is credit': [
    { do: 'hand', at: 0, part: null },
    { do: 'pass', days: 25 },
    { do: 'cancel', at: 1 },
    { do: 'pass', days: 20 },
  ],
  'an invoice that includes what was left of one with a discount is deleted': [
    { do: 'reduce', percent: 99, periods: 1 },
    { do: 'pass', days: 29 },
    { do: 'change', to: 1, when: 'now' },
    { do: 'remove', at: 0 },
  ],
  'nothing is ever paid': [
    { do: 'pass', days: 45 },
    { do: 'pass', days: 45 },
    { do: 'pass', days: 45 },
    { do: 'takeUp' },
    { do: 'pass', days: 45 },
    { do: 'hand', at: 0, part: null },
    { do: 'pass', days: 45 },
  ],
  'the downtime of a month comes between two periods that are not paid': [
    { do: 'pass', days: 9 },
    { do: 'pass', days: 40 },
    { do: 'pass', days: 11 },
  ],
  'what stopped billing is cancelled, and nothing is paid': [
    { do: 'pass', days: 45 },
    { do: 'pass', days: 45 },
    { do: 'cancel', at: 0 },
    { do: 'pass', days: 45 },
  ],
  'what stopped billing is cancelled, and the trial is prolonged behind the day on which it stopped': [
    { do: 'pass', days: 45 },
    { do: 'pass', days: 45 },
    { do: 'cancel', at: 0 },
    { do: 'cancel', at: 1 },
    { do: 'prolong', days: 20 },
    { do: 'pass', days: 45 },
    { do: 'pass', days: 20 },
  ],
  'a company is switched on again after its subscription ended, which was some days late': [
    { do: 'hand', at: 0, part: null },
    { do: 'end' },
    { do: 'pass', days: 45 },
    { do: 'switch' },
    { do: 'pass', days: 1 },
    { do: 'pass', days: 20 },
  ],
  'a subscription is ended in a period that is not paid': [
    { do: 'pass', days: 5 },
    { do: 'end' },
    { do: 'goOn' },
    { do: 'pass', days: 5 },
    { do: 'end' },
    { do: 'pass', days: 5 },
  ],
  'the plan is changed after the subscription ended': [
    { do: 'hand', at: 0, part: null },
    { do: 'end' },
    { do: 'pass', days: 5 },
    { do: 'change', to: 1, when: 'now' },
    { do: 'change', to: 1, when: 'next' },
    { do: 'pass', days: 20 },
  ],
  'a subscription is ended behind a change of plan that is paid': [
    { do: 'pass', days: 5 },
    { do: 'change', to: 1, when: 'next' },
    { do: 'pass', days: 15 },
    { do: 'hand', at: 0, part: null },
    { do: 'hand', at: 1, part: null },
    { do: 'end' },
    { do: 'pass', days: 12 },
  ],
  'the plan is changed after a readjustment of the one before was announced': [
    { do: 'readjust', percent: '100', days: 40 },
    { do: 'pass', days: 5 },
    { do: 'change', to: 1, when: 'now' },
    { do: 'pass', days: 45 },
  ],
  'a readjustment is withdrawn after an invoice has its price': [
    { do: 'readjust', percent: '100', days: 50 },
    { do: 'pass', days: 20 },
    { do: 'hand', at: 0, part: null },
    { do: 'hand', at: 1, part: null },
    { do: 'pass', days: 29 },
    { do: 'withdraw' },
    { do: 'pass', days: 12 },
  ],
  'a trial is prolonged after a first day of billing was set, and its end comes in a downtime': [
    { do: 'start', days: 0 },
    { do: 'pass', days: 30 },
    { do: 'prolong', days: 1 },
    { do: 'pass', days: 1 },
  ],
  'a trial in which the subscription was ended ends before': [
    { do: 'prolong', days: 20 },
    { do: 'end' },
    { do: 'prolong', days: 8 },
    { do: 'pass', days: 10 },
  ],
  'a short period is paid between two that are not, and one of those is cancelled': [
    { do: 'change', to: 1, when: 'next' },
    { do: 'pass', days: 30 },
    { do: 'change', to: 0, when: 'now' },
    { do: 'hand', at: 1, part: null },
    { do: 'pass', days: 45 },
    { do: 'cancel', at: 0 },
    { do: 'pass', days: 45 },
  ],
  'a trial is prolonged behind a period that stays, and its end comes in a downtime': [
    { do: 'reduce', percent: 99, periods: 1 },
    { do: 'pass', days: 20 },
    { do: 'pass', days: 29 },
    { do: 'prolong', days: 29 },
    { do: 'pass', days: 30 },
  ],
  'a trial is prolonged behind a period whose invoice was cancelled': [
    { do: 'cancel', at: 0 },
    { do: 'pass', days: 10 },
    { do: 'prolong', days: 29 },
    { do: 'pass', days: 15 },
  ],
  'a company that used a discount is deleted': [
    { do: 'reduce', percent: 10, periods: 1 },
    { do: 'pass', days: 25 },
    { do: 'collect', at: 0, isPromised: false },
    { do: 'erase' },
    { do: 'return', at: 0, cents: 500 },
  ],
  'a dearer plan is ordered, its price on sale rises, it is paid, and its payment is given back': [
    { do: 'pass', days: 5 },
    { do: 'change', to: 1, when: 'now', isOrdered: true },
    { do: 'reprice', to: 1, percent: 300 },
    { do: 'collect', at: 0, isPromised: false },
    { do: 'note', at: 0 },
    { do: 'pass', days: 1 },
    { do: 'return', at: 0, cents: null },
    { do: 'pass', days: 40 },
  ],
  'a boleto for an order clears after its days': [
    { do: 'hand', at: 0, part: null },
    { do: 'change', to: 1, when: 'now', isOrdered: true },
    { do: 'gone', at: 0 },
    { do: 'pass', days: 7 },
    { do: 'collect', at: 0, isPromised: false },
    { do: 'pass', days: 1 },
  ],
  'the plan changes every day': [
    ...[1, 0, 1, 0, 1].flatMap((to): MoneyStep[] => [
      { do: 'pass', days: 1 },
      { do: 'change', to, when: 'now' },
    ]),
    { do: 'change', to: 0, when: 'now' },
    { do: 'pass', days: 40 },
  ],
}

test.each(Object.entries(FOUND))('%s', async (_name, life) => {
  const one = await walk(life)
  expect(one.steps).toBe(life.length)
})
