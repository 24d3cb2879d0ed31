import { seeded } from '@balcao/contract/campaigns.words.rules.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type BillingRun,
  clockAt,
  type ExpectedInvoice,
  invoicesOf,
  noticesOf,
  trialNoticesOf,
} from '../../testing/billing.expected.ts'
import { billingFigures } from '../../testing/billing.figures.ts'
import { drawPayers } from '../../testing/billing.payers.ts'
import { daysSkipped, drawKills, drawSteps, type Step } from '../../testing/billing.steps.ts'
import { type BillingTestApp, openBillingTestApp } from '../../testing/billing.ts'
import { reportFound } from '../../testing/found.ts'
import { rounds, SEED } from '../../testing/sample.ts'
import { openPostOffice, type PostOffice } from '../../testing/smtp.ts'
import { freshStore, type Store } from '../../testing/store.ts'

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 600_000 })

const PROCESSES = 2

/** For a long look set BILLING_COMPANIES=500, BILLING_DAYS=365, BILLING_HOURS=24 and BILLING_ROUNDS=60, and SOAK_SEED for other moments. */
const COMPANIES = Number(process.env.BILLING_COMPANIES ?? 8)
const DAYS = Number(process.env.BILLING_DAYS ?? 45)
const KILLS = Number(process.env.BILLING_ROUNDS ?? rounds(2, 6))
const HOURS = Number(process.env.BILLING_HOURS ?? 24)
/** Longer ago than this no further step begins. */
const MINUTES = Number(process.env.BILLING_MINUTES ?? 50)
const DAY_MS = 86_400_000
const isLong = COMPANIES * DAYS > 1_000
/** Later than any real clock of today; the day is one that the next month does not have. */
const FROM = Date.parse('2031-01-31T13:00:00Z')

const draw = seeded(SEED)
const payers = drawPayers(draw, COMPANIES, FROM)
const steps = drawSteps(draw, { from: FROM, days: DAYS, hours: HOURS })
const runsOf = (steps: Step[]) => steps.map(({ ms, kill }) => ({ ms, isSure: kill === null }))
const invoicesWithin = (runs: BillingRun[]) => payers.flatMap(payer => invoicesOf(payer, runs))
const busy = invoicesWithin(runsOf(steps)).flatMap(({ made, paid }) => [made.sure, paid?.first ?? 0])
drawKills(draw, steps, { kills: KILLS, processes: PROCESSES, busy: new Set(busy) })
const expected = invoicesWithin(runsOf(steps))

let office: PostOffice
let store: Store
let house: BillingTestApp
let atTheirPoint = 0
beforeAll(async () => {
  office = await openPostOffice()
  store = await freshStore()
  house = await openBillingTestApp(store, office, PROCESSES, payers)
})
afterAll(async () => {
  await house?.close()
  await store?.remove()
  await office?.close()
})

/** Step by step to the end, or until the minutes are over: then the last one is calm, too. */
async function walk() {
  const began = Date.now()
  const since = () => Math.round((Date.now() - began) / 1_000)
  for (const [at, step] of steps.entries()) {
    await live(step, at)
    if (isLong && at % 50 === 0)
      process.stderr.write(`${new Date(step.ms).toISOString()}: step ${at} after ${since()} s\n`)
    if (since() > MINUTES * 60 && !step.kill) return { walked: steps.slice(0, at + 1), seconds: since() }
  }
  return { walked: steps, seconds: since() }
}

/**
 * One step of the clock: some pay, everything due is done, by one or two processes, and one may be killed meanwhile.
 */
async function live({ ms, workers, kill }: Step, at: number) {
  const paid = expected.filter(one => one.paid?.first === at)
  for (const invoice of paid) if (!invoice.isDuringRun) await house.pay(invoice)
  const during = paid.filter(({ isDuringRun }) => isDuringRun)
  const tried = Promise.all(during.map(one => payOr(one)))
  if (!kill) await house.run(ms, workers)
  else if (await house.runAndDie(ms, workers, kill)) atTheirPoint++
  for (const invoice of await tried) if (invoice) await house.pay(invoice)
}

/** Payments that were not acknowledged, because the process died, are repeated. */
const payOr = (invoice: ExpectedInvoice) =>
  house.pay(invoice).then(
    () => null,
    () => invoice,
  )

test('kill -9 and doubled runs of the daily jobs: every invoice and every notice is there exactly once [OP-121]', async () => {
  const { walked, seconds } = await walk()
  await house.comeToRest()
  const runs = runsOf(walked)
  const invoices = invoicesWithin(runs)
  const notices = invoices.flatMap(invoice =>
    noticesOf(
      invoice,
      runs,
      runs.map(({ ms }) => clockAt(invoice.payer.zone, ms)),
    ),
  )
  notices.push(...payers.flatMap(payer => trialNoticesOf(payer, runs)))
  const { figures, wrong } = await billingFigures(store, office, { invoices, notices })
  const count = (which: (step: Step) => boolean) => walked.filter(which).length
  const told = {
    companies: COMPANIES,
    days: Math.ceil((walked.at(-1)!.ms - FROM) / DAY_MS),
    steps: walked.length,
    'days without a run': daysSkipped(walked, payers[0]!),
    kills: count(({ kill }) => kill !== null),
    'of them at a chosen point': atTheirPoint,
    'doubled runs': count(({ workers }) => workers === 2),
    'runs tried again': house.triedAgain(),
    ...figures,
  }
  const words = Object.entries(told).map(([what, count]) => `${what} ${count}`)
  console.log(`billing: seed ${SEED}, ${seconds} s: ${words.join(', ')}`)
  reportFound(told.kills, figures)
  expect(wrong.slice(0, 20)).toEqual([])
  expect(figures.messages + figures.letters).toBeGreaterThan(COMPANIES)
})
