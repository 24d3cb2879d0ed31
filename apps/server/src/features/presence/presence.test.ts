import { contacts } from '@balcao/contract/contacts.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import {
  FOLLOW_PRESENCE,
  PRESENT,
  presence,
  presenceChannel,
  type TicketPresence,
} from '@balcao/contract/presence.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { COUNTS_MS } from './presence.rules.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
})
afterAll(() => app.close())

const latest = (all: TicketPresence[], ticketId: number) =>
  all.findLast(one => one.ticketId === ticketId)?.users
const of = (who: Person, doing: string) => ({ id: who.user.id, name: who.user.name, doing })

test('who looks and who writes is pushed to those who may read the ticket, as far as their screen shows it', async () => {
  const [ticketId, other] = [await rows.ticket(), await rows.ticket()]
  const [seen, elsewhere, narrow] = await Promise.all([
    admin.subscribe(presenceChannel),
    stranger.subscribe(presenceChannel),
    marina.subscribe(presenceChannel),
  ])
  const line = await marina.socket()
  line.emit(FOLLOW_PRESENCE, [ticketId])
  line.emit(PRESENT, { ticketId, doing: 'looking' })
  await until(() => latest(seen, ticketId)?.length === 1)
  ;(await admin.socket()).emit(PRESENT, { ticketId, doing: 'writing' })
  const both = [of(admin, 'writing'), of(marina, 'looking')].sort((a, b) => a.id - b.id)
  await until(() => latest(seen, ticketId)?.length === 2 && latest(narrow, ticketId)?.length === 2)
  expect([latest(seen, ticketId), latest(narrow, ticketId)]).toEqual([both, both])
  // it looks at another one, which Marina's screen does not show
  line.emit(PRESENT, { ticketId: other, doing: 'noting' })
  await until(() => latest(seen, other)?.length === 1 && latest(narrow, ticketId)?.length === 1)
  expect(latest(seen, other)).toEqual([of(marina, 'noting')])
  expect([latest(narrow, other), elsewhere]).toEqual([undefined, []])
  // who begins to show it receives what is there
  line.emit(FOLLOW_PRESENCE, [other])
  await until(() => latest(narrow, other))
  // without a report it ends by itself, in ten seconds of the last
  const from = performance.now()
  await until(() => latest(seen, other)?.length === 0)
  expect(performance.now() - from).toBeLessThan(COUNTS_MS + 2_500)
})

test('a ticket that one may not read has nobody, and a move takes its readers away at once', async () => {
  const ticketId = await rows.ticket()
  const report = (who: Person) =>
    who.call(presence.report, { params: { ticketId }, body: { doing: 'looking' } })
  expect((await report(stranger)).status).toBe(404)
  const seen = await marina.subscribe(presenceChannel)
  ;(await marina.socket()).emit(FOLLOW_PRESENCE, [ticketId])
  await report(admin)
  await until(() => latest(seen, ticketId)?.length === 1)
  await admin.get(tickets.change, {
    params: { ticketId },
    body: { transf: true, queueId: await rows.queue(), userId: admin.user.id },
  })
  const before = seen.length
  ;(await admin.socket()).emit(PRESENT, { ticketId, doing: 'writing' })
  expect((await report(marina)).status).toBe(404)
  // what is badly formed is nothing, and a socket that closes is gone
  ;(await admin.socket()).emit(PRESENT, { ticketId: 'x', doing: 'looking' })
  const all = await stranger.subscribe(presenceChannel)
  admin.close()
  await until(
    async () =>
      (await marina.call(presence.report, { params: { ticketId }, body: { doing: 'looking' } })).status ===
      404,
  )
  expect([seen.length, all]).toEqual([before, []])
})

test('who sees only own customers is present with theirs, and with no others', async () => {
  const body = { name: `Carteira ${unique()}`, onlyOwnContacts: true }
  const { id: userAuthorizationId } = await admin.get(permissions.create, { body })
  const queueId = await rows.queue()
  const userId = await rows.user()
  await admin.get(users.change, { params: { userId }, body: { userAuthorizationId, queueIds: [queueId] } })
  const { email } = await admin.get(users.show, { params: { userId } })
  const limited = await app.as(email)
  const ticketId = await rows.ticket()
  const { contact } = await admin.get(tickets.change, {
    params: { ticketId },
    body: { transf: true, queueId, userId: admin.user.id },
  })
  const report = () => limited.call(presence.report, { params: { ticketId }, body: { doing: 'looking' } })
  expect((await report()).status).toBe(404)
  await admin.get(contacts.change, { params: { contactId: contact.id }, body: { ownerId: userId } })
  // a ticket that moves has other readers at once
  await admin.get(tickets.change, {
    params: { ticketId },
    body: { transf: true, queueId, userId: marina.user.id },
  })
  await until(async () => (await report()).status === 200)
})
