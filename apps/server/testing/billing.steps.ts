import { clockAt } from './billing.expected.ts'
import type { Payer } from './billing.payers.ts'

/** One stop of the simulated clock. */
export interface Step {
  ms: number
  workers: 1 | 2
  kill: Kill | null
}

export interface Kill {
  /** Of several processes the one that dies; all of them, where it is none. */
  who: number
  /** See failpoints.ts; empty: at any moment of what they do. */
  point: string
  passes: number
  /** Up to 1: that part of the time that the last run took. */
  moment: number
}

const HOUR_MS = 3_600_000
/** A downtime, of one to two days. */
const DOWN = 1 / 25
const POINTS = [
  'features/invoices/invoices.queries.ts#insertInvoice:after',
  'features/mails/mails.worker.ts#settleMail:before',
  'features/billingNotices/billingNotices.queries.ts#contactsOf:after',
  '',
  'features/mails/mails.actions.ts#writeMail:after',
  'features/messages/messages.actions.ts#post:after',
  'features/invoices/invoices.queries.ts#overdueOn:after',
  '',
  'features/simulator/simulator.actions.ts#deliver:after',
  'features/invoices/invoices.queries.ts#insertInvoice:before',
  'features/messages/messages.actions.ts#post:before',
  'features/mails/mails.worker.ts#settleMail:after',
  'features/invoices/invoices.queries.ts#updateInvoice:after',
  'features/invoices/invoices.queries.ts#lockInvoice:after',
]

interface Walk {
  from: number
  days: number
  /** The longest way to the next stop but for a downtime; the shortest is a quarter of it. */
  hours: number
}

export function drawSteps(draw: () => number, { from, days, hours }: Walk): Step[] {
  const steps: Step[] = []
  for (let ms = from; ms < from + days * 24 * HOUR_MS; ) {
    steps.push({ ms, workers: draw() < 0.5 ? 2 : 1, kill: null })
    const isDown = draw() < DOWN
    const way = draw()
    ms += Math.round((isDown ? 24 + way * 24 : hours / 4 + (way * hours * 3) / 4) * HOUR_MS)
  }
  return steps
}

/**
 * Steps at which a process is killed, mostly the busy ones. None at the first one, and at the last two everything
 * completes.
 */
export function drawKills(
  draw: () => number,
  steps: Step[],
  { kills, processes, busy }: { kills: number; processes: number; busy: Set<number> },
): void {
  const deadly = steps.map((step, at) => ({ step, order: draw() + (busy.has(at) ? 0 : 0.9) })).slice(1, -2)
  deadly.sort((one, other) => one.order - other.order)
  for (const [at, { step }] of deadly.slice(0, kills).entries())
    step.kill = {
      who: Math.floor(draw() * (processes + 1)),
      point: POINTS[at % POINTS.length]!,
      passes: Math.floor(draw() * 2),
      moment: draw(),
    }
}

/** How many days of the walk nothing ran on, where the clock is that of a payer. */
export function daysSkipped(steps: Step[], { zone }: Payer): number {
  const days = new Set(steps.map(({ ms }) => clockAt(zone, ms).day))
  const span = Date.parse([...days].at(-1)!) - Date.parse([...days][0]!)
  return span / (24 * HOUR_MS) + 1 - days.size
}
