import { auth } from '@balcao/contract/auth.ts'
import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { contactSheets } from '@balcao/contract/contactSheets.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { messages } from '@balcao/contract/messages.ts'
import { may, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { subjectOf } from '@balcao/contract/visits.rules.ts'
import { visits } from '@balcao/contract/visits.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linesOfConversations } from '../testing/access.objects.ts'
import { table } from '../testing/access.table.ts'
import type { CallInput } from '../testing/access.ts'
import { newNumber, nowhere, type Rows, rowsOf, unique } from '../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../testing/test-app.ts'
import { features } from './features.ts'
import { itemsOf } from './platform/features.ts'

const people = ['atendente@balcao.test', 'admin@balcao.test', 'admin@outra.test', 'master@balcao.test']
let app: TestApp
let callers: Person[]
let rows: Rows
let companyId: number
/** An attendant of a queue of their own, with the default rights. */
let outsider: Person
/** A visit of the master to the company of the admin. */
let visitor: Person
/** What screens were pushed while all calls were made, as text; a visitor's, an outsider's, and one of another company. */
const pushed: Record<'visitor' | 'outsider' | 'attendant', [channel: string, payload: string][]> = {
  ...{ visitor: [], outsider: [], attendant: [] },
}
const WORD = 'Palavra reservada'
const conversations = await linesOfConversations(table)
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script(
    `update companies set number_attendants = 999, number_conections = 999, enable_campaigns = true;
     update plans set number_attendants = 999, number_connections = 999, enable_campaigns = true`,
  )
  callers = [app.anonymous, ...(await Promise.all(people.map(app.as)))]
  rows = rowsOf(app, callers[2]!, callers[1])
  companyId = callers[1]!.user.companyId
  await app.database.script(`update companies set pay_by = '2099-01-01'`)
  const admin = callers[2]!
  const [email, queueId] = [`fora${unique()}@balcao.test`, await rows.queue()]
  const alone = { userAuthorizationId: await rows.authorization(), whatsappId: await rows.phone() }
  await admin.get(users.create, {
    body: { name: 'Fora', email, password: 'balcao-demo', queueIds: [queueId], ...alone },
  })
  outsider = await app.as(email)
  const visit = { reason: 'Chamado 42', minutes: 60 as const }
  const begun = await callers[4]!.get(visits.start, { params: { companyId }, body: visit })
  visitor = app.holding(begun.token, begun.user)
  for (const [name, who] of Object.entries({ visitor, outsider, attendant: callers[1]! })) {
    const line = await who.socket()
    line.onAny((channel: string, payload: unknown) => {
      pushed[name as keyof typeof pushed].push([channel, JSON.stringify(payload)])
    })
  }
})
afterAll(() => app.close())

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const call = (who: Person, route: Route, given: CallInput) => who.call(route, given)

test('every served route stands in the table [API-001]', () => {
  const served = itemsOf(features, 'route').map(({ route }) => nameOf(route))
  expect(table.map(([route]) => nameOf(route)).sort()).toEqual(served.sort())
})

test('every call answers under each of its spellings, in capitals, and with a slash at its end (API-002) [API-002]', async () => {
  const missing: string[] = []
  for (const [{ method, path, aliases, needs }] of table) {
    if (needs === 'nobody') continue
    for (const spelling of [path, ...aliases].map(one => one.replace(/:\w+/g, '1')))
      for (const written of [spelling, `${spelling}/`, spelling.toUpperCase()]) {
        const { status } = await fetch(app.url + written, { method })
        // anonymous calls get 401: the call exists
        if (status !== 401) missing.push(`${method} ${written} ${status}`)
      }
  }
  expect(missing).toEqual([])
})

describe('nobody, attendant, admin, the other company’s admin and master', () => {
  test.each(table.map(line => [nameOf(line[0]), ...line] as const))(
    'at %s [GEN-004, GEN-005, GEN-010, GEN-028, ROUTE-052, CONTACT-007, CONN-002, ROLE-002, ROLE-003, ROLE-008, LOG-001, LOG-007, API-031, API-033, API-038 … API-040, OP-39, OP-47, OP-61, OP-86, OP-109, OP-110, OP-115]',
    async (_name, route, statuses, given = () => ({})) => {
      // logging out ends the session it is called in
      const asked = route === auth.logout ? await freshCallers() : callers
      const answers: string[] = []
      for (const who of asked) {
        const { status, body } = await call(who, route, await given(rows))
        answers.push(`${status} ${body.error ?? ''}`)
        // until when the company has to pay is for those who see its invoices
        if (who !== app.anonymous && !may(viewerFrom(who.user), 'payPanel'))
          expect(JSON.stringify(body)).not.toContain('"payBy":"2099')
      }
      expect(
        answers.map(answer => Number.parseInt(answer, 10)),
        answers.join(', '),
      ).toEqual(statuses)
    },
  )
})

describe('a colleague’s ticket in another queue does not exist for an attendant, whatever call names it', () => {
  test.each(conversations.map(([route, , given]) => [nameOf(route), route, given!] as const))(
    'at %s',
    async (_name, route, given) => {
      const input = await given(rows)
      const foreign = await call(outsider, route, input)
      const missing = await call(outsider, route, await given({ ...rows, ...nowhere }))
      const { requestId: _one, ...answer } = foreign.body as { requestId?: string }
      const { requestId: _other, ...expected } = missing.body as { requestId?: string }
      expect([foreign.status, answer]).toEqual([missing.status, expected])
      expect(foreign.status).toBeGreaterThanOrEqual(400)
      // and a visitor reads what is open to visits, which is recorded, and nothing else
      const { status } = await call(visitor, route, input)
      expect(status === 200).toBe(subjectOf(route) !== null)
    },
  )
})

describe('what the calls changed is pushed to a screen as the same viewer fetches it', () => {
  test('to a visitor nothing, but of the conversation that is open', () => {
    expect(pushed.visitor.map(([channel]) => channel)).toEqual([])
  })

  test('to an attendant nothing that was said in tickets of queues of others, and nothing of what the company owes', async () => {
    const admin = callers[2]!
    const queueId = await rows.queue()
    const { id: ticketId } = await admin.get(tickets.open, {
      body: { contactId: await rows.contact(), queueId },
    })
    await admin.get(messages.send, { params: { ticketId, companyId }, body: { body: WORD } })
    const own = { contactId: await rows.contact(), queueId: outsider.user.queues[0]!.id }
    const mine = await admin.get(tickets.open, { body: own })
    const send = { params: { ticketId: mine.id, companyId }, body: { body: 'Palavra aberta' } }
    await admin.get(messages.send, send)
    await until(() => pushed.outsider.some(([, payload]) => payload.includes('Palavra aberta')))
    for (const who of ['outsider', 'attendant'] as const) {
      const all = JSON.stringify(pushed[who])
      expect(all.length).toBeGreaterThan(1_000)
      expect([who, all.includes(WORD), all.includes('2099-01-01')]).toEqual([who, false, false])
    }
  })
})

const freshCallers = async () => [app.anonymous, ...(await Promise.all(people.map(app.as)))]

describe('what belongs to another company does not exist', () => {
  // whose calls are few a minute answers the second time something else
  const compared = table.filter(([route, , given]) => given && route.limit?.counts !== 'calls')
  test.each(compared.map(([route, , given]) => [nameOf(route), route, given!] as const))(
    'at %s',
    async (_name, route, given) => {
      const stranger = callers[3]!
      const foreign = await call(stranger, route, await given(rows))
      const missing = await call(stranger, route, await given({ ...rows, ...nowhere }))
      const { requestId: _one, ...answer } = foreign.body as { requestId?: string }
      const { requestId: _other, ...expected } = missing.body as { requestId?: string }
      expect(foreign.status).toBe(missing.status)
      if (foreign.status !== 200) expect(answer).toEqual(expected)
    },
  )

  test('and stays as it was [GEN-001]', async () => {
    const stranger = callers[3]!
    const ticketId = await rows.ticket()
    expect(await stranger.get(tickets.resolveMany, { body: { Tickets: [ticketId] } })).toEqual({ closed: 0 })
    expect((await callers[2]!.get(tickets.show, { params: { ticketId } })).status).toBe('open')
  })
})

describe('what was said in a queue that one is not in, and what a colleague brought, is read by', () => {
  const word = `reservado${unique()}`
  let ticketId: number
  let messageId: string
  let contactId: number
  let sheetId: number
  let mergeId: number
  beforeAll(async () => {
    const admin = callers[2]!
    const queueId = await rows.queue()
    const other = await rows.contact()
    contactId = await rows.contact()
    const body = { name: `Rui ${word}`, number: newNumber(), email: `${word}@rua.test` }
    await admin.get(contacts.change, { params: { contactId: other }, body })
    mergeId = (await admin.get(contactMerges.merge, { body: { into: contactId, from: other } })).merge.id
    ticketId = (await admin.get(tickets.open, { body: { contactId, queueId } })).id
    const params = { ticketId, companyId }
    messageId = (await admin.get(messages.send, { params, body: { body: `Fica ${word}` } })).id
    sheetId = await rows.sheet()
    await app.database.script(
      `update contact_sheets set user_id = ${admin.user.id}, sample = '[["${word}"]]' where id = ${sheetId}`,
    )
  })
  const shared = { searchParam: word, showAll: true }
  const file = async (who: Person, answer: { link?: string | null; url?: string }) => {
    const address = answer.link ?? answer.url
    return address ? Buffer.from(await (await who.fetch(address)).arrayBuffer()).toString('latin1') : ''
  }
  const doors: [door: string, readers: boolean[], ask: (who: Person) => Promise<unknown>][] = [
    ['a ticket', onlyAdmin(), who => call(who, tickets.show, { params: { ticketId } })],
    ['previews of the list', onlyAdmin(), who => call(who, tickets.list, { query: { showAll: true } })],
    [
      'the search of tickets',
      onlyAdmin(),
      who => call(who, tickets.list, { query: { ...shared, tab: 'search' } }),
    ],
    ['the range of tickets', onlyAdmin(), who => call(who, tickets.query, {})],
    ['the conversation', onlyAdmin(), who => call(who, messages.list, { params: { ticketId } })],
    [
      'the search of the conversation',
      onlyAdmin(),
      who => call(who, messages.list, { params: { ticketId }, query: { searchTerm: word } }),
    ],
    [
      'what a message said before',
      onlyAdmin(),
      who => call(who, messages.versions, { params: { messageId } }),
    ],
    [
      'the export of conversations',
      onlyAdmin(),
      async who => {
        const answer = await call(who, tickets.export, { body: { contact: contactId } })
        return [answer.status === 200 ? word : '', await file(who, answer.body as object)]
      },
    ],
    [
      'the export of a person',
      onlyAdmin(),
      async who => {
        const answer = await call(who, contacts.data, { params: { contactId } })
        return [answer.status === 200 ? word : '', await file(who, answer.body as object)]
      },
    ],
    ['a sheet', onlyAdmin(), who => call(who, contactSheets.show, { params: { sheetId } })],
    ['merges', onlyAdmin(), who => call(who, contactMerges.list, {})],
  ]
  function onlyAdmin() {
    return [false, false, true, false, false]
  }

  test.each(doors)('%s', async (door, readers, ask) => {
    if (door === 'what a message said before')
      await app.database.script(
        `insert into message_versions (company_id, message_id, what, body) values (${companyId}, '${messageId}', 'edit', '${word}')`,
      )
    const seen: boolean[] = []
    for (const who of callers) seen.push(JSON.stringify(await ask(who)).includes(word))
    expect(seen).toEqual(readers)
  })

  test('nobody but an admin undoes a merge', async () => {
    const params = { mergeId }
    const answers: number[] = []
    for (const who of [0, 1, 3, 4, 2])
      answers.push((await call(callers[who]!, contactMerges.undo, { params })).status)
    expect(answers).toEqual([401, 403, 404, 404, 200])
  })
})
