import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { type User, users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber, type Rows, rowsOf, unique } from '../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../testing/test-app.ts'

/** The fields of the documents, by their own names, as accepted and answered. */
let app: TestApp
let admin: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  rows = rowsOf(app, admin)
})
afterAll(() => app.close())

/** Fields of the documents in the very type that they are sent in: what the contract would not type, it may still read. */
const send = async (route: Route, params: object, body: object) =>
  (await admin.get(route, { params, body })) as Record<string, unknown>
const keys = (one: object) => Object.keys(one)

describe('a user (ENTITY-004)', () => {
  const FIELDS =
    `id name email profile companyId queues whatsappId userAuthorization userAuthorizationId queueIds
    greetingMessage enableGreeting signMessage showAllTickets payPanelAccess master volume company`.split(
      /\s+/,
    )
  const COMPANY = ['companyName', 'logoUrl', 'slogan', 'enableCampaigns', 'enableBots', 'enableFlows', 'plan']

  test('has every field wherever it is answered, and its password nowhere [ENTITY-004]', async () => {
    const { users: listed } = await admin.get(users.list)
    const params = { userId: admin.user.id }
    for (const user of [...listed, admin.user, await admin.get(users.show, { params })]) {
      expect(keys(user)).toEqual(expect.arrayContaining(FIELDS))
      expect(keys(user)).not.toContain('password')
      expect(keys(user.company)).toEqual(expect.arrayContaining(COMPANY))
      expect(user.company.plan[0]).toMatchObject({ iaIntegrationEnabled: true, enableFlows: true })
      expect(user.queueIds).toEqual(user.queues.map(({ id }) => id))
    }
  })

  test('is of its own company, also in the list', async () => {
    const stranger = await app.as('admin@outra.test')
    const { users: theirs } = await stranger.get(users.list)
    expect(new Set(theirs.map(({ company }) => company.id))).toEqual(new Set([stranger.user.companyId]))
    const params = { userId: admin.user.id }
    expect((await stranger.call(users.show, { params })).body.error).toBe('ERR_NO_USER_FOUND')
  })

  test('takes yes and no as 1 and 0 too, and answers what the documents write (OP-64) [ENTITY-004]', async () => {
    const userId = await rows.user()
    const given = { enableGreeting: 1, signMessage: '1', showAllTickets: 1, volume: 100 }
    const saved = await send(users.change, { userId }, given)
    expect(saved).toMatchObject({
      enableGreeting: true,
      signMessage: true,
      showAllTickets: true,
      volume: 100,
      master: 0,
    } satisfies Partial<User>)
    const back = await send(users.change, { userId }, { enableGreeting: 0, showAllTickets: 'false' })
    expect(back).toMatchObject({ enableGreeting: false, signMessage: true, showAllTickets: false })
  })
})

test('a permission group keeps its fields, in either writing of yes and no (ENTITY-005) [ENTITY-005]', async () => {
  const given = {
    name: `Grupo ${unique()}`,
    allowNoQueue: false,
    allowMultipleTickets: 1,
    viewMessagesByTicket: 1,
    disableGreeting: 1,
    disableSignature: true,
    allowCategorizeContacts: 0,
    allowCreateCategoryContacts: 'false',
    allowViewPendingTickets: 0,
    enableAdministration: true,
    enableDash: 0,
    allowTicketExport: 1,
  }
  const kept = {
    name: given.name,
    allowNoQueue: 0,
    allowMultipleTickets: 1,
    viewMessagesByTicket: 1,
    disableGreeting: true,
    disableSignature: true,
    allowCategorizeContacts: false,
    allowCreateCategoryContacts: false,
    allowViewPendingTickets: false,
    enableAdministration: 1,
    enableDash: 0,
    allowTicketExport: true,
    allowImportContacts: false,
    allowDeleteOptOuts: false,
    allowDeleteShared: false,
    allowDefaultBots: false,
    allowWebhooks: false,
    allowSharedViews: false,
    onlyOwnContacts: false,
    allowTeam: false,
    allowInternalChat: true,
  }
  const made = await send(permissions.create, {}, given)
  expect(made).toEqual({ id: expect.any(Number), ...kept })
  expect(await send(permissions.change, { authorizationId: made.id }, given)).toEqual(made)
  const query = { searchParam: given.name }
  expect((await admin.get(permissions.list, { query })).userAuthorizations).toEqual([made])
})

test('a contact has its fields, and names its tickets, never those of another company (ENTITY-008, ENTITY-013) [ENTITY-008, ENTITY-013]', async () => {
  const number = newNumber()
  const row = { name: 'Da planilha', number, email: 'p@x.test' }
  const made = await send(contacts.importOne, {}, row)
  expect(made).toMatchObject({
    ...row,
    lid: '',
    profilePicUrl: '',
    extraInfo: [],
    tickets: [],
    categoryContacts: [],
    categoriesContactsAssociates: [],
    commandBot: '',
  })
  const contactId = Number(made.id)
  const body = { contactId, queueId: admin.user.queues[0]!.id, userId: admin.user.id }
  const ticket = await admin.get(tickets.open, { body })
  const { contacts: found } = await admin.get(contacts.list, { query: { searchParam: number } })
  expect(found).toMatchObject([{ id: contactId, tickets: [{ id: ticket.id }], ticketsCount: 1 }])
  const stranger = await app.as('admin@outra.test')
  const theirs = await stranger.get(contacts.create, { body: { name: 'Outra', number } })
  expect([theirs.tickets, theirs.ticketsCount]).toEqual([[], 0])
})

test('a connection has its fields, and of its session only whether one is kept open (ENTITY-011) [ENTITY-011]', async () => {
  const whatsappId = await rows.connection()
  const show = () => admin.get(connections.show, { params: { whatsappId } })
  await until(async () => (await show()).status === 'CONNECTED')
  const fields = `id name status whatsappNumber updatedAt qrcode retries session isDefault greetingMessage
    farewellMessage disableGroupMessages lib queues queueIds importOldMessages importRecentMessages
    importOldMessagesGroups closedTicketsPostImported saasNotificationCenter statusImportMessages company`
  expect(keys(await show())).toEqual(expect.arrayContaining(fields.split(/\s+/)))
  expect((await show()).session).toBe('on')
  expect((await admin.get(connections.disconnect, { params: { whatsappId } })).session).toBe('')
})

test('a ticket on a connection that does not reach the contact is not opened (ERR-023) [ERR-023]', async () => {
  const { companyId } = admin.user
  const group = await rows.contact()
  const person = await rows.contact()
  await app.database.script(`
    update contacts set is_group = true where company_id = ${companyId} and id = ${group};
    insert into whatsapps (company_id, name, lib) values (${companyId}, 'Oficial', 'cloud')`)
  const official = (await admin.get(connections.list)).find(({ lib }) => lib === 'cloud')!
  const open = (contactId: number) => {
    const queueId = admin.user.queues[0]!.id
    return admin.call(tickets.open, { body: { contactId, queueId, whatsappId: official.id } })
  }
  const refused = await open(group)
  expect([refused.status, refused.body.error, refused.body.field]).toEqual([
    400,
    'ERR_CREATING_TICKET',
    'contactId',
  ])
  const opened = await open(person)
  expect([opened.status, opened.body.whatsappId]).toEqual([200, official.id])
})
