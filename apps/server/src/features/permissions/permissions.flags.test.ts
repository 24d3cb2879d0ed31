import { bots } from '@balcao/contract/bots.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { flows } from '@balcao/contract/flows.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { locations } from '@balcao/contract/locations.ts'
import { messages } from '@balcao/contract/messages.ts'
import { optOuts } from '@balcao/contract/optOuts.ts'
import { pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { type Flags, may, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tags } from '@balcao/contract/tags.ts'
import { type Ticket, ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { type UserInput, users } from '@balcao/contract/users.ts'
import { views } from '@balcao/contract/views.ts'
import { webhooks } from '@balcao/contract/webhooks.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { features } from '../../features.ts'
import { itemsOf } from '../../platform/features.ts'

let app: TestApp
let admin: Person
let whatsappId: number
let queueId: number
let otherQueue: number
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script('update companies set number_attendants = 999')
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
  queueId = admin.user.queues[0]!.id
  otherQueue = admin.user.queues[1]!.id
})
afterAll(() => app.close())

/** A new user whose group has these flags. */
async function hire(flags: Partial<Flags>, over: Partial<UserInput> = {}) {
  const email = `pessoa${unique()}@balcao.test`
  const group = await admin.get(permissions.create, { body: { name: `Grupo ${unique()}`, ...flags } })
  const queueIds = [queueId, otherQueue]
  await admin.get(users.create, {
    body: {
      ...{ name: 'Gente', email, password: 'balcao-demo', whatsappId, queueIds },
      userAuthorizationId: group.id,
      ...over,
    },
  })
  return app.as(email)
}

/** A customer writes; the ticket is pending, in a queue where one is given. */
async function waiting(queue?: number): Promise<Ticket> {
  const number = newNumber()
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body: 'Oi' } })
  const ticket = await until(async () => {
    const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return page.tickets.find(one => one.contact.number === number)
  })
  return queue ? move(admin, ticket.id, { queueId: queue, transf: true }) : ticket
}
const move = (who: Person, ticketId: number, body: object) =>
  who.get(tickets.change, { params: { ticketId }, body })
const accept = (who: Person, ticketId: number) =>
  who.call(tickets.change, { params: { ticketId }, body: { status: 'open', queueId } })
const read = (who: Person, ticketId: number) => who.call(messages.list, { params: { ticketId } })
const bodies = async (who: Person, ticketId: number) =>
  (await who.get(messages.list, { params: { ticketId } })).messages.map(({ body }) => body)
const sendAs = (who: Person, ticketId: number) =>
  who.get(messages.send, {
    params: { ticketId, companyId: who.user.companyId },
    body: { body: 'Estou aqui' },
  })
const listed = async (who: Person, ticketId: number) =>
  (await who.get(tickets.list, { query: { status: 'pending' } })).tickets.find(({ id }) => id === ticketId)

async function pushesOf(who: Person) {
  const heard = await who.subscribe(ticketChannel)
  const ours = await admin.subscribe(ticketChannel)
  const { id } = await waiting()
  await move(admin, id, { status: 'closed' })
  const closed = (pushes: typeof heard) =>
    pushes.some(one => one.action === 'update' && one.ticket.id === id && one.ticket.status === 'closed')
  await until(() => closed(ours))
  // pushes arrive in order: the own ticket, which moved later, has arrived
  const own = await waiting(queueId)
  await until(() => heard.some(one => one.action === 'update' && one.ticket.id === own.id))
  return closed(heard)
}

async function secondTicket(who: Person) {
  const contactId = await rowsOf(app, admin).contact()
  const open = (queue: number) => who.call(tickets.open, { body: { contactId, queueId: queue } })
  await open(queueId)
  return (await open(otherQueue)).status
}

async function greeted(who: Person) {
  await who.get(users.change, {
    params: { userId: who.user.id },
    body: { enableGreeting: true, greetingMessage: 'Olá, {{cliente}}!' },
  })
  const { id } = await waiting(queueId)
  await accept(who, id)
  await sendAs(who, id)
  return (await bodies(who, id)).includes('Olá, Rita!')
}

async function signed(who: Person) {
  await who.get(users.change, { params: { userId: who.user.id }, body: { signMessage: true } })
  const { id } = await waiting(queueId)
  await accept(who, id)
  return (await sendAs(who, id)).body.includes('Gente')
}

/** Made by another user. */
async function removes(
  _who: Person,
  create: Route,
  body: object,
  remove: (id: number) => Promise<{ status: number }>,
) {
  return (await remove(await rowsOf(app, admin).added(create, body))).status
}

const forgetsOptOut = async (who: Person) =>
  (await who.call(optOuts.remove, { params: { optOutId: await rowsOf(app, admin).optOut() } })).status

async function botCallsOut(who: Person) {
  const { id: botSetupId } = await who.get(bots.addSetup, { body: { name: 'Robô próprio' } })
  const command = { botSetupId, commandBot: '1', commandType: 1 } as const
  const params = { companyId: who.user.companyId }
  const { status } = await who.call(bots.addCommand, {
    params,
    body: { ...command, webhook: 'https://a.test/x' },
  })
  expect((await who.call(bots.addCommand, { params, body: { ...command, commandBot: '2' } })).status).toBe(
    200,
  )
  return status
}

const seesContact = async (who: Person) =>
  (await who.call(contacts.show, { params: { contactId: await rowsOf(app, admin).contact() } })).status

async function connectsBot(who: Person) {
  const free = await rowsOf(app, admin).connection()
  const made = await who.call(bots.addSetup, { body: { name: 'Robô', whatsapps: [free] } })
  if (made.status !== 200) return made.status
  const params = { botSetupId: made.body.id }
  // who may no longer does nothing to it either, though it is his own
  await app.database.script(
    `update user_authorizations set allow_default_bots = false where id = ${who.user.userAuthorizationId}`,
  )
  app.platform.access.forget(who.user.id)
  expect((await who.call(bots.changeSetup, { params, body: { name: 'Outro' } })).body.error).toBe(
    'ERR_NO_PERMISSION',
  )
  await admin.get(bots.removeSetup, { params })
  return made.status
}

async function addsWebhook(who: Person) {
  const body = { name: 'Loja', url: 'https://loja.example.com/', events: ['message.received' as const] }
  const { status, body: made } = await who.call(webhooks.create, { body })
  if (status === 200) await admin.get(webhooks.remove, { params: { webhookId: made.id } })
  return status
}

type Line = [
  flag: keyof Flags,
  what: string,
  ask: (who: Person) => Promise<unknown>,
  on: unknown,
  off: unknown,
]

/** What each flag allows and forbids, by call. */
const table: Line[] = [
  ['allowNoQueue', 'lists', async who => Boolean(await listed(who, (await waiting()).id)), true, false],
  ['allowNoQueue', 'reads', async who => (await read(who, (await waiting()).id)).status, 200, 404],
  ['allowNoQueue', 'accepts', async who => (await accept(who, (await waiting()).id)).status, 200, 404],
  ['allowNoQueue', 'hears of', pushesOf, true, false],
  ['allowMultipleTickets', 'opens a second one', secondTicket, 200, 409],
  [
    'allowViewPendingTickets',
    'reads',
    async who => (await read(who, (await waiting(queueId)).id)).status,
    200,
    403,
  ],
  [
    'allowViewPendingTickets',
    'sees the last words of',
    async who => (await listed(who, (await waiting(queueId)).id))!.lastMessage,
    'Oi',
    '',
  ],
  ['allowDeleteOptOuts', 'deletes an opt-out', forgetsOptOut, 200, 403],
  [
    'allowDeleteShared',
    'deletes a tag',
    who =>
      removes(who, tags.create, { name: `T ${unique()}` }, id =>
        who.call(tags.remove, { params: { tagId: id } }),
      ),
    200,
    403,
  ],
  [
    'allowDeleteShared',
    'merges a tag into another',
    async who => {
      const into = await rowsOf(app, admin).added(tags.create, { name: `T ${unique()}` })
      return removes(who, tags.create, { name: `T ${unique()}` }, tagId =>
        who.call(tags.merge, { params: { tagId }, body: { into } }),
      )
    },
    200,
    403,
  ],
  [
    'allowDeleteShared',
    'deletes a flow',
    async who =>
      (await who.call(flows.remove, { params: { flowId: await rowsOf(app, admin).flow() } })).status,
    200,
    403,
  ],
  [
    'allowDeleteShared',
    'deletes a location',
    who =>
      removes(who, locations.create, { name: 'Loja', latitude: -23.5, longitude: -46.6 }, id =>
        who.call(locations.remove, { params: { locationId: id } }),
      ),
    200,
    403,
  ],
  [
    'allowDeleteShared',
    'deletes a quick answer',
    who =>
      removes(who, quickAnswers.create, { shortcut: unique(), message: 'Dez dias.' }, id =>
        who.call(quickAnswers.remove, { params: { quickAnswerId: id } }),
      ),
    200,
    403,
  ],
  ['allowDefaultBots', 'puts a bot on a connection', connectsBot, 200, 403],
  ['allowWebhooks', 'adds a webhook', addsWebhook, 200, 403],
  [
    'allowSharedViews',
    'shares a view',
    async who =>
      (await who.call(views.create, { body: { name: unique(), shared: true, filters: {} } })).status,
    200,
    403,
  ],
  [
    'allowTeam',
    'adds to the pause reasons',
    async who => (await who.call(pauseReasons.create, { body: { name: 'prazo' } })).status,
    200,
    403,
  ],
  ['allowWebhooks', 'adds a command that calls another system', botCallsOut, 200, 403],
  [
    'allowDeleteShared',
    'changes a flow',
    async who =>
      (
        await who.call(flows.change, {
          params: { flowId: await rowsOf(app, admin).flow() },
          body: { name: 'Outro nome', type: 'Chat' },
        })
      ).status,
    200,
    403,
  ],
  ['onlyOwnContacts', 'sees a customer who is not theirs', seesContact, 404, 200],
  ['disableGreeting', 'greets', greeted, false, true],
  ['disableSignature', 'signs', signed, false, true],
]

describe('a flag of the group, on and off', () => {
  test.each(table)('%s: %s [OP-67]', async (flag, _what, ask, on, off) => {
    const isBoolean = typeof viewerFrom(admin.user).authorization[flag] === 'boolean'
    const [yes, no] = isBoolean ? [true, false] : [1, 0]
    const answers = [await ask(await hire({ [flag]: yes })), await ask(await hire({ [flag]: no }))]
    expect(answers).toEqual([on, off])
  })

  test('viewMessagesByTicket: everything of the contact, what stands in own tickets, this ticket alone [OP-69]', async () => {
    const modes = [0, 1, 2] as const
    const seen: string[][] = []
    for (const mode of modes) {
      const who = await hire({ viewMessagesByTicket: mode, allowMultipleTickets: 1 })
      const number = newNumber()
      const write = (body: string) =>
        admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body } })
      const next = async () =>
        until(async () => {
          const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
          return page.tickets.find(({ contact }) => contact.number === number)
        })
      for (const [words, by] of [
        ['do colega', admin],
        ['da pessoa', who],
      ] as const) {
        await write(words)
        const { id } = await next()
        await move(by, id, { status: 'open', queueId })
        await move(by, id, { status: 'closed' })
      }
      await write('deste')
      const { id } = await next()
      await move(who, id, { status: 'open', queueId })
      const texts = await bodies(who, id)
      seen.push(['do colega', 'da pessoa', 'deste'].filter(words => texts.includes(words)))
    }
    expect(seen).toEqual([['do colega', 'da pessoa', 'deste'], ['da pessoa', 'deste'], ['deste']])
  })
})

test('every call that needs a right answers ERR_NO_PERMISSION to whoever lacks it, and to nobody else', async () => {
  const none: Partial<Flags> = {
    ...{ enableAdministration: 0, enableDash: 0, allowTicketExport: false },
    ...{ allowCategorizeContacts: false, allowCreateCategoryContacts: false, allowViewPendingTickets: false },
  }
  const all: Partial<Flags> = { allowTicketExport: true }
  const people = [
    await hire(none),
    await hire(all),
    await hire(none, { profile: 'admin' }),
    await hire(all, { profile: 'admin' }),
  ]
  const routes = itemsOf(features, 'route')
    .map(({ route }) => route)
    .filter(({ needs }) => needs !== 'nobody' && needs !== 'apiToken' && needs !== 'session')
  expect(routes.length).toBeGreaterThan(10)
  for (const route of routes)
    for (const who of people) {
      const right = route.needs as Exclude<typeof route.needs, 'nobody' | 'apiToken'>
      const params = Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, '0']))
      const { status, body } = await who.call(route, { params })
      const refused = status === 403 && body.error === 'ERR_NO_PERMISSION'
      const label = `${route.method} ${route.path}: ${status} ${body.error}`
      expect([label, refused]).toEqual([label, !may(viewerFrom(who.user), right)])
    }
})
