import { messages } from '@balcao/contract/messages.ts'
import type { Flags } from '@balcao/contract/permissions.rules.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

/** Every pair of a user's own switch and the flag of the group. */
let app: TestApp
let admin: Person
let whatsappId: number
let queueIds: [number, number]
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script('update companies set number_attendants = 999')
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
  queueIds = [admin.user.queues[0]!.id, admin.user.queues[1]!.id]
})
afterAll(() => app.close())

async function hire(flags: Partial<Flags>, profile: 'admin' | 'user' = 'user') {
  const email = `modo${unique()}@balcao.test`
  const { id } = await admin.get(permissions.create, { body: { name: `Modo ${unique()}`, ...flags } })
  const who = { name: 'Gente', email, password: 'balcao-demo', profile, whatsappId, queueIds }
  await admin.get(users.create, { body: { ...who, userAuthorizationId: id } })
  return app.as(email)
}
const prefer = (who: Person, body: object) => who.get(users.change, { params: { userId: who.user.id }, body })
const place = (ticketId: number) => ({ params: { ticketId } })

async function acceptedBy(who: Person) {
  const number = newNumber()
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body: 'Oi' } })
  const { id } = await until(async () => {
    const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return page.tickets.find(({ contact }) => contact.number === number)
  })
  const [queueId] = queueIds
  await admin.get(tickets.change, { ...place(id), body: { queueId, transf: true } })
  await who.get(tickets.change, { ...place(id), body: { status: 'open', queueId } })
  return { id, number }
}

/** What the customer's phone shows of the company, once the person's own words are there. */
async function receivedByCustomer(who: Person) {
  const { id, number } = await acceptedBy(who)
  const params = { ticketId: id, companyId: who.user.companyId }
  await who.get(messages.send, { params, body: { body: 'Estou aqui' } })
  return until(async () => {
    const shown = await admin.get(simulator.chat, { params: { whatsappId, number } })
    const ours = shown.filter(({ fromMe }) => fromMe).map(({ body }) => body)
    return ours.some(body => body.includes('Estou aqui')) && ours
  })
}

test.each([
  [true, false, true],
  [true, true, false],
  [false, false, false],
  [false, true, false],
])(
  'with the greeting switched on: %s and the group’s disableGreeting: %s the customer is greeted: %s',
  async (enableGreeting, disableGreeting, greeted) => {
    const who = await hire({ disableGreeting })
    await prefer(who, { enableGreeting, greetingMessage: 'Bem-vinda, {{cliente}}!' })
    expect((await receivedByCustomer(who)).includes('Bem-vinda, Rita!')).toBe(greeted)
  },
)

test.each([
  [true, false, true],
  [true, true, false],
  [false, false, false],
  [false, true, false],
])(
  'with the signature switched on: %s and the group’s disableSignature: %s the words are signed: %s',
  async (signMessage, disableSignature, signed) => {
    const who = await hire({ disableSignature })
    await prefer(who, { signMessage })
    expect((await receivedByCustomer(who)).some(body => body.includes('Gente'))).toBe(signed)
  },
)

test('showing everybody’s tickets is for admins who ask for it; the switch kept with an attendant widens nothing [OP-67, OP-69]', async () => {
  const attendant = await hire({})
  const manager = await hire({}, 'admin')
  const { id } = await acceptedBy(admin)
  const sees = async (who: Person, showAll: boolean) =>
    (await who.get(tickets.list, { query: { status: 'open', showAll } })).tickets.some(one => one.id === id)
  for (const kept of [true, false]) {
    for (const who of [attendant, manager]) await prefer(who, { showAllTickets: kept })
    expect((await app.as(manager.user.email)).user.showAllTickets).toBe(kept)
    const seen = [await sees(attendant, true), await sees(attendant, false)]
    expect([...seen, await sees(manager, true), await sees(manager, false)]).toEqual([
      false,
      false,
      true,
      false,
    ])
  }
})

test('more than one ticket of a contact: in another queue for whom the group allows it, in the same for nobody', async () => {
  for (const allowMultipleTickets of [1, 0] as const) {
    const who = await hire({ allowMultipleTickets })
    const contactId = await rowsOf(app, admin).contact()
    const open = async (queueId: number) =>
      (await who.call(tickets.open, { body: { contactId, queueId } })).status
    const [first, second] = queueIds
    expect([await open(first), await open(first), await open(second)]).toEqual([
      200,
      409,
      allowMultipleTickets ? 200 : 409,
    ])
  }
})
