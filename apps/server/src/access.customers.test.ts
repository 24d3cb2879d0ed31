import { campaigns } from '@balcao/contract/campaigns.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { drafts } from '@balcao/contract/drafts.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { marks } from '@balcao/contract/marks.ts'
import { messages } from '@balcao/contract/messages.ts'
import { optOuts } from '@balcao/contract/optOuts.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { table } from '../testing/access.table.ts'
import type { CallInput } from '../testing/access.ts'
import { type Rows, rowsOf, unique } from '../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../testing/test-app.ts'

/** Of a customer whose owner is a colleague; none of it is anywhere else. */
const NAME = 'Zoroastra Quintanilha'
const WORD = 'xilogravura'
const NUMBERS = ['5521987654321', '5521987654322', '5521987654323']
const SECRETS = [NAME, WORD, '8765432']

/** Calls that name such a customer, each with the reason. */
const namesAnyway = new Map<Route, string>([
  [simulator.chats, 'the phone of a customer on a page, where no number is real'],
])

let app: TestApp
let admin: Person
let marina: Person
/** Sees only own customers, and has every other right that an attendant can have. */
let limited: Person
/** The same, but sees all. */
let colleague: Person
let rows: Rows
const pushed: string[] = []
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script(
    `update companies set enable_campaigns = true; update plans set enable_campaigns = true`,
  )
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  const group = await groupOf(false)
  limited = await hire(group.id)
  colleague = await hire((await groupOf(false)).id)
  rows = await seed(() =>
    // it begins here: until now the customer may have been shown
    admin.get(permissions.change, {
      params: { authorizationId: group.id },
      body: { ...group, onlyOwnContacts: true },
    }),
  )
})
afterAll(() => app.close())

const all = {
  ...{
    allowNoQueue: true,
    allowMultipleTickets: true,
    viewMessagesByTicket: 0,
    allowViewPendingTickets: true,
  },
  ...{ enableAdministration: true, enableDash: true, allowTicketExport: true, allowImportContacts: true },
  ...{ allowDeleteOptOuts: true, allowDeleteShared: true, allowDefaultBots: true, allowWebhooks: true },
  ...{ allowSharedViews: true, allowTeam: true, allowInternalChat: true },
}
const groupOf = (onlyOwnContacts: boolean) =>
  admin.get(permissions.create, { body: { name: `Tudo ${unique()}`, ...all, onlyOwnContacts } })

async function hire(userAuthorizationId: number) {
  const email = `todos${unique()}@balcao.test`
  const { queueIds, whatsappId } = marina.user
  const body = { name: 'Lia', email, password: 'balcao-demo', userAuthorizationId, whatsappId, queueIds }
  await admin.get(users.create, { body })
  return app.as(email)
}

const whatsappId = () => admin.user.whatsappId!

async function wrote(number: string, queueId: number, userId?: number) {
  await admin.get(simulator.write, {
    params: { whatsappId: whatsappId() },
    body: { number, name: NAME, body: `Quero uma ${WORD}` },
  })
  const { id, contactId } = await until(async () =>
    (await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.find(
      one => one.contact.number === number,
    ),
  )
  await admin.get(contacts.change, { params: { contactId }, body: { ownerId: marina.user.id } })
  await admin.get(tickets.change, { params: { ticketId: id }, body: { transf: true, queueId, userId } })
  return { ticketId: id, contactId }
}

/** A customer with everything that a customer can have: an open, a waiting and a closed ticket in queues of both. */
async function seed(limit: () => Promise<unknown>): Promise<Rows> {
  const queueId = marina.user.queueIds[0]!
  const { companyId } = admin.user
  const open = await wrote(NUMBERS[0]!, queueId, marina.user.id)
  const { ticketId, contactId } = open
  await wrote(NUMBERS[1]!, queueId)
  const closed = await wrote(NUMBERS[2]!, queueId, marina.user.id)
  const said = (body: object) =>
    marina.get(messages.send, { params: { ticketId, companyId }, body: body as { body: string } })
  const { id: messageId } = await said({ body: `Temos ${WORD}` })
  await said({ body: `Ver ${WORD}`, isPrivate: true, mentions: [limited.user.id, colleague.user.id] })
  await marina.get(tickets.change, { params: { ticketId: closed.ticketId }, body: { status: 'closed' } })
  for (const who of [limited, colleague])
    for (const mark of [marks.follow, marks.pin])
      await who.get(mark, { params: { ticketId }, body: { on: true } })
  await limit()
  const line = await limited.socket()
  line.onAny((channel: string, payload: unknown) => pushed.push(`${channel} ${JSON.stringify(payload)}`))
  await said({ body: `Mais ${WORD}` })
  await marina.get(drafts.save, { params: { ticketId }, body: { body: WORD, quotedId: null, at: 1 } })
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const schedule = await marina.get(schedules.create, {
    params: { companyId },
    body: { contactId, body: WORD, sendAt },
  })
  const optOut = await admin.get(optOuts.add, { body: { contactId } })
  const own = rowsOf(app, admin)
  const campaignId = await own.campaign()
  await admin.get(campaigns.addRecipients, {
    params: { campaignId },
    body: { sendList: [{ number: NUMBERS[0]!, values: { nome: NAME } }] },
  })
  await app.database.script(`insert into surveys (company_id, ticket_id, contact_id, whatsapp_id, closed_at, asked_at, answered_at, score, comment)
    values (${companyId}, ${closed.ticketId}, ${closed.contactId}, ${whatsappId()}, now(), now(), now(), 1, '${WORD}')`)
  const { campaignDispatches } = await admin.get(campaigns.dispatches, { params: { campaignId } })
  return {
    ...own,
    contact: async () => contactId,
    customer: async () => contactId,
    ticket: async () => ticketId,
    said: async () => ({ ticketId, messageId }),
    sentMessage: async () => messageId,
    schedule: async () => schedule.id,
    campaign: async () => campaignId,
    campaignDispatch: async () => campaignDispatches[0]!.id,
    optOut: async () => optOut.id,
  }
}

/** Values of the queries of lists by which a customer could be found. */
const asked = (): Record<string, unknown[]> => ({
  searchParam: [NAME, NUMBERS[0]!, WORD, 'quintanilha'],
  showAll: [true],
  status: ['open', 'pending', 'closed'],
  tab: ['open', 'closed', 'search'],
  ownerId: [marina.user.id],
  userId: [marina.user.id],
  queueIds: [marina.user.queueIds],
  following: [true],
  mentions: [true],
  format: ['csv'],
})

/** The call as it is, and with each value of its query; what the query does not know is not asked. */
async function inputsOf(route: Route, given: CallInput): Promise<CallInput[]> {
  const known = Object.keys((route.query as { shape?: object }).shape ?? {})
  const narrowed = Object.entries(asked()).filter(([name]) => known.includes(name))
  const wide = known.includes('showAll') ? { showAll: true } : {}
  return [
    given,
    ...narrowed.flatMap(([name, values]) =>
      values.map(value => ({ ...given, query: { ...given.query, ...wide, [name]: value } })),
    ),
  ]
}

/** What is answered, and the file that the answer leads to. */
async function answeredTo(who: Person, route: Route, given: CallInput): Promise<string> {
  const { status, body } = await who.call(route, given)
  const text = JSON.stringify(body)
  const { url } = body as { url?: string }
  return status === 200 && url?.includes('/media/') ? text + (await (await who.fetch(url)).text()) : text
}

const lists = table.filter(([{ method, answers }]) => method === 'GET' && !answers)

const files = table.filter(
  ([{ method, answers, needs }]) => method === 'GET' && answers && needs !== 'nobody',
)

async function namedTo(who: Person): Promise<Map<Route, string>> {
  const found = new Map<Route, string>()
  for (const [route, , given = () => ({})] of lists)
    for (const input of await inputsOf(route, await given(rows))) {
      const text = await answeredTo(who, route, input)
      const secret = SECRETS.find(one => text.includes(one))
      if (secret)
        found.set(
          route,
          `${route.path} ${JSON.stringify(input)}: …${text.slice(text.indexOf(secret) - 80, text.indexOf(secret) + 80)}`,
        )
    }
  return found
}

test('who sees only own customers is answered nothing of a colleague’s by any call that reads', async () => {
  const found = await namedTo(limited)
  for (const route of namesAnyway.keys()) expect(found.delete(route)).toBe(true)
  expect([...found.values()]).toEqual([])
  for (const [route, , given = () => ({})] of files)
    expect((await limited.call(route, await given(rows))).status, route.path).not.toBe(200)
  // the same calls name the customer to who sees all
  expect((await namedTo(colleague)).size).toBeGreaterThan(12)
})

test('nor is anything of it pushed', async () => {
  await admin.get(quickAnswers.create, { body: { shortcut: 'depois', message: 'Fica para depois.' } })
  await until(() => pushed.some(text => text.includes('depois')))
  expect(pushed.filter(text => SECRETS.some(secret => text.includes(secret)))).toEqual([])
})
