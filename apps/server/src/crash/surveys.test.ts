import { simulator } from '@balcao/contract/simulator.ts'
import { surveys } from '@balcao/contract/surveys.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { newNumber } from '../../testing/rows.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const QUESTION = 'Que nota você dá?'
const CUSTOMERS = 3

let store: Store
let products: Process[] = []
beforeAll(async () => {
  store = await freshStore()
})
afterAll(async () => {
  for (const product of products) await product.stop()
  await store?.remove()
})

const start = () => startProcess({ ...store.env, LOG_LEVEL: 'error' })

/** A customer whose ticket was attended and resolved through a process. */
async function served(admin: Person, number: string): Promise<number> {
  const params = { whatsappId: admin.user.whatsappId! }
  await admin.get(simulator.write, { params, body: { number, body: 'Oi' } })
  const { id: ticketId } = await until(async () => {
    const { tickets: all } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return all.find(({ contact }) => contact.number === number)
  }, 30_000)
  for (const status of ['open', 'closed'] as const)
    await admin.get(tickets.change, { params: { ticketId }, body: { status } })
  return ticketId
}

const POINTS = [
  ['when it is claimed', 'features/surveys/surveys.queries.ts#claimSurvey:after'],
  ['when its message is a row', 'features/surveys/surveys.queries.ts#keepAsked:before'],
  ['when it counts as asked', 'features/surveys/surveys.queries.ts#keepAsked:after'],
  ['before it leaves', 'features/simulator/simulator.actions.ts#deliver:before'],
  ['after it left, before the mark', 'features/simulator/simulator.actions.ts#deliver:after'],
] as const

test.each(sample(POINTS, 1))(
  'a process dies %s: the other one asks, and each customer is asked once',
  async (_, point) => {
    for (const product of products) await product.stop()
    await store.endLeases()
    const dying = await start()
    const admin = await enter(dying.url, 'admin@balcao.test')
    await admin.get(surveys.change, { body: { enabled: true, question: QUESTION, everyHours: 1 } })
    const numbers = Array.from({ length: CUSTOMERS }, newNumber)
    const ids: number[] = []
    for (const number of numbers) ids.push(await served(admin, number))
    // the connection stays with the first; the other one looks again when that one is dead
    const other = await start()
    products = [other]
    other.freeze()
    await dying.dieAt(point)
    await store.rows(`update surveys set due_at = now() where ticket_id in (${ids})`)
    expect(await dying.ended).toBe('SIGKILL')
    await store.endLeases()
    other.wake()
    const counts = async () => {
      const [row] = await store.rows(`select
        (select count(*) from messages where ticket_id in (${ids}) and body like '${QUESTION}%')::int as written,
        (select count(*) from messages where ticket_id in (${ids}) and body like '${QUESTION}%' and ack > 1)::int as sent,
        (select count(*) from simulator_messages where from_me and number in (${numbers.map(one => `'${one}'`)})
          and body like '${QUESTION}%')::int as received,
        (select count(*) from surveys where ticket_id in (${ids}) and asked_at is not null and due_at is null)::int as asked`)
      return row!
    }
    await until(async () => (await counts()).sent === CUSTOMERS, 60_000)
    expect(await counts()).toEqual({
      ...{ written: CUSTOMERS, sent: CUSTOMERS, received: CUSTOMERS, asked: CUSTOMERS },
    })
  },
)
