import { simulator } from '@balcao/contract/simulator.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { closeIdle } from './moves/closing.actions.ts'
import { closeIdleTickets } from './tickets.jobs.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
})
afterAll(() => app.close())

async function anOpenTicket(number: string, hoursAgo: number) {
  const whatsappId = admin.user.whatsappId!
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body: 'Oi' } })
  const { id } = await until(async () =>
    (await admin.get(tickets.list)).tickets.find(({ contact }) => contact.number === number),
  )
  const queueId = admin.user.queues[0]!.id
  await admin.get(tickets.change, { params: { ticketId: id }, body: { status: 'open', queueId } })
  await app.database.script(
    `update tickets set updated_at = now() - interval '${hoursAgo} hours' where id = ${id}`,
  )
  return id
}

const run = (hoursCloseTicketsAuto: number | null) =>
  closeIdleTickets.run(app.platform.scopes, { ...app.platform.config, hoursCloseTicketsAuto }, app.platform)
const statusOf = async (ticketId: number) => (await admin.get(tickets.show, { params: { ticketId } })).status

test('an open ticket that was silent for the configured hours is closed, and the screens hear of it [TSTATE-057, OP-57]', async () => {
  const silent = await anOpenTicket('5511981290001', 25)
  const lively = await anOpenTicket('5511981290002', 23)
  const pushes = await admin.subscribe(ticketChannel)
  await run(24)
  expect([await statusOf(silent), await statusOf(lively)]).toEqual(['closed', 'open'])
  const push = await until(() => pushes[0])
  expect(push).toMatchObject({ ticket: { id: silent, status: 'closed', userId: admin.user.id } })
})

test('without configured hours no ticket is closed [GEN-018, TSTATE-057, OP-57]', async () => {
  const silent = await anOpenTicket('5511981290003', 9_000)
  await run(null)
  await run(0)
  expect(await statusOf(silent)).toBe('open')
})

test('a message that came after the silent ones were looked up keeps its ticket open', async () => {
  const answered = await anOpenTicket('5511981290004', 25)
  const since = new Date(Date.now() - 24 * 3_600_000).toISOString()
  const body = { number: '5511981290004', name: 'Rita', body: 'Ainda estou aqui' }
  await admin.get(simulator.write, { params: { whatsappId: admin.user.whatsappId! }, body })
  await until(async () => {
    const { lastMessage } = await admin.get(tickets.show, { params: { ticketId: answered } })
    return lastMessage === body.body
  })
  const company = app.platform.scopes.inCompany(admin.user.companyId)
  expect((await closeIdle(company, answered, since)).status).toBe('open')
  expect(await statusOf(answered)).toBe('open')
})
