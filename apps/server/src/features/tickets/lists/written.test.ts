import { isDeepStrictEqual } from 'node:util'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tags } from '@balcao/contract/tags.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let stranger: Person
let first: Ticket
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  const [phone] = await admin.get(connections.list)
  const written = { number: '5511960020001', body: 'Olá' }
  await admin.get(simulator.write, { params: { whatsappId: phone!.id }, body: written })
  const waiting = await until(async () =>
    (await list('pending')).find(one => one.contact.number === written.number),
  )
  first = await admin.get(tickets.change, {
    params: { ticketId: waiting!.id },
    body: { status: 'open', queueId: waiting!.queueId ?? admin.user.queues[0]!.id },
  })
})
afterAll(() => app.close())

const list = async (status: 'pending' | 'open' | 'closed', who = admin) =>
  (await who.get(tickets.list, { query: { status, showAll: true } })).tickets
/** The ticket by itself is always read from the database. */
const alone = (ticketId = first.id) => admin.get(tickets.show, { params: { ticketId } })
const changeTag = async (body: object) =>
  admin.get(tags.change, { params: { tagId: (await alone()).tags[0]!.id }, body })
const listed = async () => (await list('open')).find(one => one.id === first.id)

const changes: [string, () => Promise<unknown>][] = [
  [
    'its contact is renamed',
    () =>
      admin.get(contacts.change, { params: { contactId: first.contactId }, body: { name: 'Outro nome' } }),
  ],
  [
    'its queue is renamed',
    () => admin.get(queues.change, { params: { queueId: first.queueId! }, body: { name: 'Outra fila' } }),
  ],
  [
    'its queue gets another colour',
    () => admin.get(queues.change, { params: { queueId: first.queueId! }, body: { color: '#123456' } }),
  ],
  [
    'its attendant is renamed',
    () => admin.get(users.change, { params: { userId: admin.user.id }, body: { name: 'Helena Outra' } }),
  ],
  [
    'its connection is renamed',
    () =>
      admin.get(connections.change, {
        params: { whatsappId: first.whatsappId! },
        body: { name: 'Outra loja' },
      }),
  ],
  [
    'a tag is put on it',
    async () => {
      const { id } = await admin.get(tags.create, { body: { name: 'Etiqueta', color: '#112233' } })
      await admin.get(tickets.addTag, { params: { ticketId: first.id, tagId: String(id) } })
    },
  ],
  ['its tag is renamed', () => changeTag({ name: 'Outra etiqueta' })],
  ['its tag gets another colour', () => changeTag({ color: '#445566' })],
  ['its tags are taken off', () => admin.get(tickets.clearTags, { params: { ticketId: first.id } })],
  [
    'it has other tags',
    async () => {
      const { tags: all } = await admin.get(tags.list)
      await admin.get(tickets.syncTags, { body: { ticketId: first.id, tags: all.slice(0, 2) } })
    },
  ],
  [
    'one of its tags is deleted',
    async () => admin.get(tags.remove, { params: { tagId: (await alone()).tags[0]!.id } }),
  ],
  [
    'its customer writes',
    () =>
      admin.get(simulator.write, {
        params: { whatsappId: first.whatsappId! },
        body: { number: first.contact.number, body: 'Mais uma coisa' },
      }),
  ],
  [
    'it is answered',
    () =>
      admin.get(messages.send, {
        params: { ticketId: first.id, companyId: admin.user.companyId },
        body: { body: 'Pois não' },
      }),
  ],
]

test.each(changes)('the list shows a ticket as it stands after %s', async (_what, change) => {
  const before = await listed()
  expect(before).toEqual(await alone())
  await change()
  await until(async () => JSON.stringify(await alone()) !== JSON.stringify(before))
  await until(async () => isDeepStrictEqual(await listed(), await alone()))
})

test('a ticket of the same number in another company is another ticket', async () => {
  const { number } = first.contact
  const [phone] = await stranger.get(connections.list)
  await stranger.get(simulator.write, { params: { whatsappId: phone!.id }, body: { number, body: 'Olá' } })
  const theirs = (await until(async () =>
    (await list('pending', stranger)).find(one => one.contact.number === number),
  ))!
  expect(theirs.companyId).toBe(stranger.user.companyId)
  expect([theirs.id, theirs.contactId]).not.toEqual([first.id, first.contactId])
  for (const status of ['pending', 'open', 'closed'] as const)
    for (const ticket of await list(status, stranger)) expect(ticket.companyId).toBe(stranger.user.companyId)
})
