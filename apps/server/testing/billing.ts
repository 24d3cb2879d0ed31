import { setTimeout as sleep } from 'node:timers/promises'
import { connections } from '@balcao/contract/connections.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import type { ExpectedInvoice } from './billing.expected.ts'
import { furnishPayers, type Payer } from './billing.payers.ts'
import type { Kill } from './billing.steps.ts'
import { type Process, startProcess } from './process.ts'
import type { PostOffice } from './smtp.ts'
import type { Store } from './store.ts'
import { enter, type Person, until } from './test-app.ts'

const START_MS = 240_000
const QUIET_MS = 600_000
const TRIES = 3
/** So long after everything was done letters and messages may still leave, and a process may die of it. */
const LEAVING_MS = 1_200
/** Thanks for a payment, planned by the real clock, are due when a run gives them its moment; until then they would be late by years. */
const THANKS_WAIT = [
  `create function thanks_wait() returns trigger language plpgsql as
    $$ begin new.due_at = 'infinity'; return new; end $$`,
  `create trigger thanks_wait before insert on billing_notices for each row
    when (new.kind = 'invoiceConfirmedPayment') execute function thanks_wait()`,
]

/** The product in one or several processes that are given the time, killed and restarted. */
export interface BillingTestApp {
  /** Everything that is due at this moment, by so many at once. Throws with what any of them answered but done. */
  run(ms: number, workers: number): Promise<void>
  /** The same by those who die meanwhile; all are alive again when it resolves. True when it was at the point of the kill. */
  runAndDie(ms: number, workers: number, kill: Kill): Promise<boolean>
  /** Reports it as paid. Throws when a process dies meanwhile. */
  pay(invoice: ExpectedInvoice): Promise<void>
  /** Resolves when nothing is on its way any more, and stops everything. */
  comeToRest(): Promise<void>
  /** How many runs failed and were done once more. */
  triedAgain(): number
  close(): Promise<void>
}

export async function openBillingTestApp(
  store: Store,
  office: PostOffice,
  processes: number,
  payers: Payer[],
): Promise<BillingTestApp> {
  const env = { ...store.env, ...office.env, LOG_LEVEL: 'error' }
  const program = [new URL('./billing.child.ts', import.meta.url).href]
  const alive: (Process | null)[] = Array(processes).fill(null)
  let master: Person
  let lastMs = 1_000
  let again = 0

  async function start() {
    const run = () => startProcess(env, START_MS, program)
    alive.splice(0, processes, ...(await Promise.all(alive.map(one => one ?? run()))))
    master = await enter(alive[0]!.url, 'master@balcao.test')
  }
  async function kill(places: number[]) {
    await Promise.all(places.map(at => alive[at]?.kill()))
    for (const at of places) alive[at] = null
  }
  const everyone = alive.map((_, at) => at)

  const address = (at: number) => `${alive[at]!.url}/testing/billing`
  /** As a job it is tried again, a few times: a machine that is too busy loses its transactions. */
  async function runIn(at: number, ms: number, tries = TRIES): Promise<void> {
    const answer = await fetch(`${address(at)}?now=${new Date(ms).toISOString()}`, { method: 'POST' })
    if (answer.ok) return
    if (tries === 1)
      throw new Error(`${new Date(ms).toISOString()}: ${await answer.text()}\n${alive[at]?.output()}`)
    again++
    return runIn(at, ms, tries - 1)
  }
  /** With a single process it is called twice. */
  const runIns = (ms: number, workers: number, first = 0) =>
    Array.from({ length: workers }, (_, at) => runIn((first + at) % processes, ms))

  /** A centre of notices in a company of its own, and those who pay. */
  async function furnish() {
    const admin = await enter(alive[0]!.url, 'admin@balcao.test')
    const body = { name: 'Avisos', lib: 'simulator' as const }
    const { id: whatsappId } = await admin.get(connections.create, { body })
    await admin.get(connections.start, { params: { whatsappId } })
    const show = () => admin.get(connections.show, { params: { whatsappId } })
    await until(async () => (await show()).status === 'CONNECTED')
    await furnishPayers(store, payers, whatsappId)
    for (const statement of THANKS_WAIT) await store.rows(statement)
  }

  await start()
  await furnish()
  return {
    async run(ms, workers) {
      const began = Date.now()
      await Promise.all(runIns(ms, workers))
      lastMs = Date.now() - began
    },
    async runAndDie(ms, workers, { who, point, passes, moment }) {
      const victims = who < processes ? [who] : everyone
      if (point) await alive[victims[0]!]!.dieAt(point, passes)
      const runs = Promise.allSettled(runIns(ms, workers, victims[0]))
      // some points are passed less often: it dies anyway
      const isOver = point ? runs.then(() => sleep(LEAVING_MS)) : sleep(moment * lastMs)
      const died = await Promise.race([alive[victims[0]!]!.ended, isOver.then(() => null)])
      await kill(victims)
      await runs
      await start()
      return died !== null
    },
    async pay({ payer, start: startInvoicePeriod }) {
      const { list } = await master.get(invoices.list, { params: { planId: payer.companyId } })
      const found = list.find(one => one.startInvoicePeriod === startInvoicePeriod)
      if (!found) throw new Error(`${payer.companyId} has no invoice of ${startInvoicePeriod} to pay`)
      const body = { payDate: startInvoicePeriod }
      await master.get(invoices.pay, { params: { invoiceId: found.id }, body })
    },
    async comeToRest() {
      // work leased by a dead process is retried after a quarter of an hour, which is not awaited here
      await store.rows(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`)
      await start()
      const left = async () => (await (await fetch(address(0))).json()) as Record<string, number>
      await until(async () => Object.values(await left()).every(count => count === 0), QUIET_MS)
      await kill(everyone)
    },
    triedAgain: () => again,
    close: () => kill(everyone),
  }
}
