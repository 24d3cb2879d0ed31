import { assignment } from '@balcao/contract/assignment.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { rounds } from '../../testing/sample.ts'
import { emptyStore, type Store } from '../../testing/store.ts'
import { enter, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const CUSTOMERS = 200
const ATTENDANTS = 20
const CAPACITY = 12
const ROUNDS = rounds(1, 6)
/** Where a process dies: tickets are given, their history is not; all is written, nothing is committed or settled. */
const POINTS = [
  'features/tickets/moves/assign.queries.ts#openForUsers:after',
  'features/assignment/assignment.queries.ts#takeWakes:after',
  'features/assignment/assignment.queries.ts#settleQueue:before',
]

let store: Store
const products: Process[] = []
beforeAll(async () => {
  store = await emptyStore()
  const program = [new URL('../../testing/first-day.child.ts', import.meta.url).href]
  products.push(...(await Promise.all([0, 1].map(() => startProcess(store.env, 60_000, program)))))
})
afterAll(async () => {
  for (const product of products) await product.stop()
  await store?.remove()
})

test(`${CUSTOMERS} customers, ${ATTENDANTS} attendants, two processes of which one dies: each customer has one attendant, none more than the capacity, and who is absent none`, async () => {
  const { companyId, queueIds } = (await enter(products[0]!.url, 'admin@balcao.test')).user
  const queueId = queueIds[0]!
  for (let round = 0; round < ROUNDS; round++) {
    // the other one dies
    const admin = await enter(products[(round + 1) % 2]!.url, 'admin@balcao.test')
    await store.rows(`delete from user_queues where company_id = ${companyId} and queue_id = ${queueId}`)
    await store.rows(
      `update tickets set status = 'closed', closed_at = now() where company_id = ${companyId} and status <> 'closed'`,
    )
    const base = 700_000 + round * 1_000
    // the last one of them is on a pause
    await store.rows(`insert into users (company_id, id, name, email, password_hash, profile)
      select ${companyId}, ${base} + n, 'A' || n, 'a' || (${base} + n) || '@x.test', '', 'user' from generate_series(1, ${ATTENDANTS}) n`)
    await store.rows(
      `insert into user_queues (company_id, user_id, queue_id) select ${companyId}, ${base} + n, ${queueId} from generate_series(1, ${ATTENDANTS}) n`,
    )
    await store.rows(`insert into user_availability (company_id, user_id, chosen, state, cause)
      select ${companyId}, ${base} + n, case n when ${ATTENDANTS} then 'pause' else 'available' end,
        case n when ${ATTENDANTS} then 'pause' else 'available' end, 'hand' from generate_series(1, ${ATTENDANTS}) n`)
    await store.rows(
      `insert into user_presence (company_id, user_id, seen_until, screen_at) select ${companyId}, ${base} + n, now() + interval '1 hour', now() from generate_series(1, ${ATTENDANTS}) n`,
    )
    await store.rows(
      `insert into contacts (company_id, id, name, number) select ${companyId}, ${base} + n, 'C' || n, (5511${base} * 1000 + n)::text from generate_series(1, ${CUSTOMERS}) n`,
    )
    const dying = products[round % 2]!
    const arrive = (part: number) =>
      store.rows(`insert into tickets (company_id, id, uuid, protocol, contact_id, queue_id, status, waiting_since)
        select ${companyId}, ${base} + n, gen_random_uuid(), 'z' || (${base} + n), ${base} + n, ${queueId}, 'pending', now()
        from generate_series(1, ${CUSTOMERS}) n where n % 4 = ${part}`)
    await Promise.all([arrive(0), arrive(1)])
    await dying.dieAt(POINTS[round % POINTS.length]!)
    const there = await enter(dying.url, 'admin@balcao.test')
    const rules = { params: { queueId }, body: { mode: 'rotation' as const, capacity: CAPACITY } }
    // it may die before it answers; what it began is undone, and the other process goes on
    await there.call(assignment.change, rules).catch(() => null)
    await dying.ended
    await Promise.all([arrive(2), arrive(3)])
    await admin.get(assignment.change, rules)
    const state = async () =>
      store.rows(`select t.user_id, count(*)::int as many, (select count(*)::int from ticket_history h where h.company_id = ${companyId}
          and h.what = 'assigned' and h.to_user_id = t.user_id and h.ticket_id > ${base}) as given
        from tickets t where t.company_id = ${companyId} and t.id > ${base} and t.id <= ${base} + ${CUSTOMERS} and t.user_id is not null group by 1`)
    await until(
      async () => (await state()).reduce((sum, row) => sum + Number(row.many), 0) === CUSTOMERS,
      60_000,
    )
    const rows = await state()
    for (const row of rows) {
      expect(Number(row.many)).toBeLessThanOrEqual(CAPACITY)
      expect(row.given).toBe(row.many)
    }
    expect(rows.map(row => Number(row.user_id))).not.toContain(base + ATTENDANTS)
    if (round + 1 < ROUNDS) {
      products[round % 2] = await startProcess(store.env, 60_000)
    }
  }
})
