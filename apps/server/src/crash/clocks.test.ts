import { marks } from '@balcao/contract/marks.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { targets } from '@balcao/contract/targets.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { newNumber } from '../../testing/rows.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let store: Store
let product: Process
let admin: Person
let [late, relief]: number[] = []
const start = async () => {
  product = await startProcess({ ...store.env, LOG_LEVEL: 'error' })
  admin = await enter(product.url, 'admin@balcao.test')
}
beforeAll(async () => {
  store = await freshStore()
  await start()
  ;[late, relief] = (await admin.get(queues.list)).map(({ id }) => id)
  await admin.get(targets.change, {
    params: { queueId: late! },
    body: { replyMinutes: 30, withinHours: false, moveToQueueId: relief! },
  })
})
afterAll(async () => {
  await product?.stop()
  await store?.remove()
})

async function waiting(): Promise<number> {
  const number = newNumber()
  await admin.get(simulator.write, {
    params: { whatsappId: admin.user.whatsappId! },
    body: { number, name: 'Ana', body: 'Oi' },
  })
  const { id } = await until(async () =>
    (await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.find(
      one => one.contact.number === number,
    ),
  )
  await admin.get(tickets.change, { params: { ticketId: id }, body: { transf: true, queueId: late! } })
  return id
}
/** Dies there when the row is due, which the statement makes it, and starts again. */
async function dieAt(point: string, statement: string) {
  await product.dieAt(point)
  await store.rows(statement)
  expect(await product.ended).toBe('SIGKILL')
  await start()
}
const show = (ticketId: number) => admin.get(tickets.show, { params: { ticketId } })
const timesOf = async (ticketId: number, what: string) =>
  (await admin.get(tickets.story, { params: { ticketId } })).events.filter(
    one => one.ticketId === ticketId && one.what === what,
  ).length

const breaches = [
  ['when it is marked', 'features/targets/targets.queries.ts#turnClocks:after'],
  ['when it is announced', 'features/targets/targets.queries.ts#takeMissed:after'],
  ['when it is known where it moves', 'features/targets/targets.queries.ts#escalationOf:after'],
  ['when all of it is committed', 'features/targets/targets.actions.ts#lookAtClocks:after'],
] as const
test.each(sample(breaches, 1))(
  'a target is missed, and the process dies %s: mark, notice and move happen once',
  async (_, point) => {
    const id = await waiting()
    // the trigger would mark it now: the product shall
    await dieAt(
      point,
      `alter table tickets disable trigger tickets_targets;
     update tickets set target_turn_at = now() - interval '1 second', targets =
       jsonb_set(targets, '{reply,dueAt}', to_jsonb(instant_text(now() - interval '1 minute'))) where id = ${id};
     alter table tickets enable trigger tickets_targets`,
    )
    await until(async () => (await show(id)).queueId === relief)
    expect((await show(id)).targets.reply?.state).toBe('missed')
    expect(await timesOf(id, 'late')).toBe(1)
    expect(await store.rows(`select kept, announced from target_outcomes where ticket_id = ${id}`)).toEqual([
      { kept: false, announced: true },
    ])
    expect((await admin.get(targets.missed)).missed.filter(({ ticketId }) => ticketId === id)).toHaveLength(1)
    // nothing of it is due once more
    expect(await store.rows(`select from tickets where id = ${id} and targets ? 'announce'`)).toEqual([])
  },
)

const awakenings = [
  ['when its row is locked', 'features/tickets/marks/snooze.queries.ts#lockSnoozeOver:after'],
  ['when it is awake', 'features/tickets/tickets.queries.ts#updateTicket:after'],
  ['when that is committed', 'features/tickets/marks/snooze.actions.ts#wakeInTime:after'],
] as const
test.each(sample(awakenings, 1))(
  'a snooze is over, and the process dies %s: the ticket awakes once',
  async (_, point) => {
    const id = await waiting()
    await admin.get(marks.snooze, {
      params: { ticketId: id },
      body: { until: new Date(Date.now() + 3_600_000).toISOString() },
    })
    await dieAt(point, `update tickets set snoozed_until = now() - interval '1 second' where id = ${id}`)
    await until(async () => (await show(id)).snoozedUntil === null)
    expect([await timesOf(id, 'snoozed'), await timesOf(id, 'awoke')]).toEqual([1, 1])
    expect((await show(id)).status).toBe('pending')
  },
)
