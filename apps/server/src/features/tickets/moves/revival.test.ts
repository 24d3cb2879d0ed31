import { permissions } from '@balcao/contract/permissions.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf, unique } from '../../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let marina: Person
let queueId: number
let phones: number[]
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script('update companies set number_attendants = 999')
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  queueId = marina.user.queues[0]!.id
  phones = [admin.user.whatsappId!, await rowsOf(app, admin).connection()]
})
afterAll(() => app.close())

const change = (person: Person, ticketId: number, body: object) =>
  person.call(tickets.change, { params: { ticketId }, body })
const undo = (person: Person, ticketId: number) => person.call(tickets.undo, { params: { ticketId } })

/** A customer wrote over a connection; Marina has the ticket. */
async function held(number = newNumber(), whatsappId = phones[0]!) {
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, body: 'Oi' } })
  const { id } = await until(async () => {
    const { tickets: all } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return all.find(one => one.contact.number === number && one.whatsappId === whatsappId)
  })
  return (await change(admin, id, { transf: true, queueId, userId: marina.user.id })).body
}

async function hire(flags: object = {}) {
  const email = `pessoa${unique()}@balcao.test`
  const group = await admin.get(permissions.create, { body: { name: `Grupo ${unique()}`, ...flags } })
  const input = { name: `Pessoa ${unique()}`, email, password: 'balcao-demo', queueIds: [queueId] }
  await admin.get(users.create, {
    body: { ...input, whatsappId: phones[0]!, userAuthorizationId: group.id },
  })
  return app.as(email)
}

test('a customer whose ticket comes back waits since then; where the closing is taken back, since the old time', async () => {
  const { id } = await held()
  const longAgo = new Date(Date.now() - 7 * 24 * 3_600_000).toISOString()
  await app.database.script(`update tickets set waiting_since = '${longAgo}' where id = ${id}`)
  await change(marina, id, { status: 'closed' })
  expect((await undo(marina, id)).body.waitingSince).toBe(longAgo)
  for (const back of [
    { status: 'open' },
    { transf: true, queueId },
    { transf: true, queueId, userId: marina.user.id },
  ]) {
    await change(marina, id, { status: 'closed' })
    await app.database.script(`update tickets set waiting_since = '${longAgo}' where id = ${id}`)
    const { waitingSince } = (await change(marina, id, back)).body
    expect(Date.parse(waitingSince!)).toBeGreaterThan(Date.now() - 60_000)
    await change(marina, id, { status: 'open' })
  }
})

test.each([0, 1] as const)(
  'a closed ticket comes back beside another on another connection only by who may have several: %i [TSTATE-050]',
  async allowMultipleTickets => {
    const person = await hire({ allowMultipleTickets })
    const number = newNumber()
    const closed = await held(number)
    await change(person, closed.id, { status: 'closed' })
    const other = await held(number, phones[1])
    await change(person, other.id, { transf: true, queueId: marina.user.queues[1]!.id })
    const answers = []
    for (const back of [{ status: 'open' }, { transf: true, queueId }]) {
      const { status, body } = await change(person, closed.id, back)
      answers.push([status, body.error])
      if (status === 200) await change(person, closed.id, { transf: true, queueId, userId: person.user.id })
      if (status === 200) await change(person, closed.id, { status: 'closed' })
    }
    const expected = allowMultipleTickets ? [200, undefined] : [409, 'ERR_OTHER_OPEN_TICKET']
    expect(answers).toEqual([expected, expected])
  },
)

test('a closing beside another ticket is taken back without asking; one that was opened since is in the way', async () => {
  const number = newNumber()
  const first = await held(number)
  await held(number, phones[1])
  await change(marina, first.id, { status: 'closed' })
  expect((await undo(marina, first.id)).status).toBe(200)
  await change(marina, first.id, { status: 'closed' })
  await held(number)
  expect((await undo(marina, first.id)).body.error).toBe('ERR_OTHER_OPEN_TICKET')
})

test('the history keeps the name of who left, and nothing goes back to them', async () => {
  const leaver = await hire()
  const { id } = await held()
  await change(marina, id, { transf: true, queueId, userId: leaver.user.id })
  await change(marina, id, { status: 'closed' })
  await app.database.script(`update ticket_history set by_user_id = ${leaver.user.id}
    where ticket_id = ${id} and what = 'opened'`)
  await admin.get(users.remove, { params: { userId: leaver.user.id } })
  const { events } = await marina.get(tickets.story, { params: { ticketId: id } })
  const person = { id: leaver.user.id, name: leaver.user.name }
  expect(events.find(({ what }) => what === 'opened')?.by).toEqual(person)
  expect(events.findLast(({ what }) => what === 'transferred')?.user).toEqual(person)
  expect((await undo(marina, id)).body.error).toBe('ERR_TICKET_MOVED_ON')
  const stranger = await app.as('admin@outra.test')
  expect((await stranger.call(tickets.story, { params: { ticketId: id } })).status).toBe(404)
})

test('who may be given a ticket is shown with the open ones and whether a screen is open, to colleagues only', async () => {
  const person = await hire()
  const about = async (who = marina) =>
    (await who.get(tickets.attendants)).find(({ userId }) => userId === person.user.id)
  expect(await about()).toEqual({ userId: person.user.id, online: false, openTickets: 0 })
  const { id } = await held()
  await change(marina, id, { transf: true, queueId, userId: person.user.id })
  await person.socket()
  expect(await about()).toEqual({ userId: person.user.id, online: true, openTickets: 1 })
  expect(await about(await app.as('admin@outra.test'))).toBeUndefined()
})
