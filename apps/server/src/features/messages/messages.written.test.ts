import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

const number = '5511960020077'
let app: TestApp
let admin: Person
let stranger: Person
let ticket: Ticket
let question: Message
let answer: Message
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  await write('Olá')
  ticket = (await until(() => waiting(admin)))!
  await change({ status: 'open', queueId: ticket.queueId ?? admin.user.queues[0]!.id })
  question = (await until(async () => (await page()).find(({ body }) => body === 'Olá')))!
  answer = await send('Pois não', question.id)
  await until(async () => (await byBody('Pois não')).ack >= 2)
})
afterAll(() => app.close())

const waiting = async (who: Person) =>
  (await who.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.find(
    ({ contact }) => contact.number === number,
  )
const phoneOf = async (who: Person) => (await who.get(connections.list))[0]!.id
const write = async (body: string, who = admin) =>
  who.get(simulator.write, { params: { whatsappId: await phoneOf(who) }, body: { number, body } })
const change = (body: object) => admin.get(tickets.change, { params: { ticketId: ticket.id }, body })
const send = (body: string, quotedMsg?: string) =>
  admin.get(messages.send, {
    params: { ticketId: ticket.id, companyId: admin.user.companyId },
    body: { body, ...(quotedMsg && { quotedMsg }) },
  })
const page = async (query = {}) =>
  (await admin.get(messages.list, { params: { ticketId: ticket.id }, query })).messages
const byBody = async (body: string) => (await page()).find(one => one.body === body)!
const shown = async (id: string) => (await page()).find(one => one.id === id)!
const externalIdOf = async (body: string) =>
  (await admin.get(simulator.chat, { params: { whatsappId: ticket.whatsappId!, number } })).find(
    one => one.body === body,
  )!.id

const changes: [string, () => string, () => Promise<unknown>, (message: Message) => unknown][] = [
  [
    'its contact is renamed',
    () => question.id,
    () =>
      admin.get(contacts.change, { params: { contactId: ticket.contactId }, body: { name: 'Outra Lia' } }),
    ({ contact }) => contact.name === 'Outra Lia',
  ],
  [
    'whoever wrote it is renamed',
    () => answer.id,
    () => admin.get(users.change, { params: { userId: admin.user.id }, body: { name: 'Helena Outra' } }),
    ({ user }) => user?.name === 'Helena Outra',
  ],
  [
    'its ticket is in another queue',
    () => question.id,
    () => change({ queueId: admin.user.queues.find(({ id }) => id !== question.ticket.queueId)!.id }),
    ({ ticket: its }) => its.queueId !== question.ticket.queueId,
  ],
  [
    'it was read',
    () => answer.id,
    () =>
      admin.get(simulator.receipt, {
        params: { whatsappId: ticket.whatsappId! },
        body: { number, ack: 4 },
      }),
    ({ ack }) => ack === 4,
  ],
  [
    'the one that it answers is changed, as is that one',
    () => answer.id,
    async () =>
      admin.get(simulator.edit, {
        params: { whatsappId: ticket.whatsappId!, messageId: await externalIdOf('Olá') },
        body: { number, body: 'Olá!' },
      }),
    ({ quotedMsg }) => quotedMsg?.body === 'Olá!',
  ],
]

test.each(changes)(
  'a conversation shows a message as it stands after %s',
  async (_what, id, change, holds) => {
    expect(holds(await shown(id()))).toBe(false)
    await change()
    await until(async () => holds(await shown(id())))
    const all = await page()
    expect(await page({ around: id() })).toEqual(all)
  },
)

test('who writes in another company says it there alone', async () => {
  await write('Olá', stranger)
  const theirs = (await until(() => waiting(stranger)))!
  const { messages: found } = await stranger.get(messages.list, { params: { ticketId: theirs.id } })
  expect(found.map(({ id }) => id)).not.toContain(question.id)
  expect((await page()).map(({ id }) => id)).not.toContain(found[0]!.id)
})
