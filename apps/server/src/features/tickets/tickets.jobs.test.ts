import { simulator } from '@balcao/contract/simulator.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, until, type World } from '../../../testing/world.ts'
import { closeIdleTickets } from './tickets.jobs.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await openWorld()
  admin = await world.as('admin@balcao.test')
})
afterAll(() => world.close())

async function anOpenTicket(number: string, hoursAgo: number) {
  const whatsappId = admin.user.whatsappId!
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body: 'Oi' } })
  const { id } = await until(async () =>
    (await admin.get(tickets.list)).tickets.find(({ contact }) => contact.number === number),
  )
  const queueId = admin.user.queues[0]!.id
  await admin.get(tickets.change, { params: { ticketId: id }, body: { status: 'open', queueId } })
  await world.database.script(
    `update tickets set updated_at = now() - interval '${hoursAgo} hours' where id = ${id}`,
  )
  return id
}

const run = (hoursCloseTicketsAuto: number | null) =>
  closeIdleTickets.run(
    world.platform.scopes,
    { ...world.platform.config, hoursCloseTicketsAuto },
    world.platform,
  )
const statusOf = async (ticketId: number) => (await admin.get(tickets.show, { params: { ticketId } })).status

test('an open ticket that was silent for the configured hours is closed, and the screens hear of it', async () => {
  const silent = await anOpenTicket('5511981290001', 25)
  const lively = await anOpenTicket('5511981290002', 23)
  const heard = await admin.hear(ticketChannel)
  await run(24)
  expect([await statusOf(silent), await statusOf(lively)]).toEqual(['closed', 'open'])
  const push = await until(() => heard[0])
  expect(push).toMatchObject({ ticket: { id: silent, status: 'closed', userId: admin.user.id } })
})

test('without configured hours no ticket is closed', async () => {
  const silent = await anOpenTicket('5511981290003', 9_000)
  await run(null)
  await run(0)
  expect(await statusOf(silent)).toBe('open')
})
