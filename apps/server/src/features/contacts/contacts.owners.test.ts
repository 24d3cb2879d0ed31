import { contactChannel, contacts } from '@balcao/contract/contacts.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let [admin, marina, caio, stranger]: Person[] = []
beforeAll(async () => {
  app = await openTestApp()
  const emails = ['admin@balcao.test', 'atendente@balcao.test', 'caio@balcao.test', 'admin@outra.test']
  ;[admin, marina, caio, stranger] = await Promise.all(emails.map(email => app.as(email)))
})
afterAll(() => app.close())

const add = (who: Person, ownerId?: number) =>
  who.get(contacts.create, { body: { name: `Freguês ${unique()}`, number: newNumber(), ownerId } })
const give = (who: Person, contactId: number, ownerId: number | null) =>
  who.call(contacts.change, { params: { contactId }, body: { ownerId } })
const listed = async (who: Person, query: { ownerId?: number; searchParam?: string } = {}) =>
  (await who.get(contacts.list, { query })).contacts.map(({ id }) => id)

test('the owner of a contact is a user of the company, by whom the list is narrowed, and comes with its tickets', async () => {
  const [one, other] = [await add(admin!, marina!.user.id), await add(admin!)]
  expect([one.ownerId, other.ownerId]).toEqual([marina!.user.id, null])
  expect((await give(caio!, other.id, marina!.user.id)).body.ownerId).toBe(marina!.user.id)
  expect((await listed(admin!, { ownerId: marina!.user.id })).toSorted()).toEqual(
    [one.id, other.id].toSorted(),
  )
  expect(await listed(admin!, { ownerId: marina!.user.id, searchParam: one.name })).toEqual([one.id])
  expect(await listed(stranger!, { ownerId: marina!.user.id })).toEqual([])
  expect((await give(admin!, other.id, null)).body.ownerId).toBeNull()
  expect(await listed(admin!, { ownerId: 0 })).toContain(other.id)
  const refused = await give(admin!, one.id, stranger!.user.id)
  expect([refused.status, refused.body.error, refused.body.field]).toEqual([
    404,
    'ERR_NO_USER_FOUND',
    'ownerId',
  ])
  const ticketId = await rowsOf(app, admin!).ticket()
  const ticket = await admin!.get(tickets.show, { params: { ticketId } })
  expect(ticket.contact.ownerId).toBeNull()
  await give(admin!, ticket.contactId, caio!.user.id)
  expect((await admin!.get(tickets.show, { params: { ticketId } })).contact.ownerId).toBe(caio!.user.id)
})

test('who sees only own customers lists, opens and is pushed those, and gives none away', async () => {
  const group = await admin!.get(permissions.create, {
    body: { name: `Carteira ${unique()}`, onlyOwnContacts: true },
  })
  await admin!.get(users.change, {
    params: { userId: caio!.user.id },
    body: { userAuthorizationId: group.id },
  })
  const [theirs, nobodys] = [await add(admin!, caio!.user.id), await add(admin!)]
  const shown = await listed(caio!)
  expect([shown.includes(theirs.id), shown.includes(nobodys.id)]).toEqual([true, false])
  const params = { contactId: nobodys.id }
  for (const answer of [
    await caio!.call(contacts.show, { params }),
    await caio!.call(contacts.change, { params, body: { name: 'Meu agora' } }),
    await give(caio!, nobodys.id, caio!.user.id),
    await caio!.call(tickets.open, { body: { contactId: nobodys.id, queueId: caio!.user.queueIds[0]! } }),
  ])
    expect([answer.status, answer.body]).toEqual([
      404,
      expect.objectContaining({ error: 'ERR_NO_CONTACT_FOUND' }),
    ])
  expect((await give(caio!, theirs.id, marina!.user.id)).status).toBe(403)
  const own = await add(caio!)
  expect(own.ownerId).toBe(caio!.user.id)
  const pushes = await caio!.subscribe(contactChannel)
  const rename = (contactId: number, name: string) =>
    admin!.get(contacts.change, { params: { contactId }, body: { name } })
  await rename(nobodys.id, 'De ninguém')
  await rename(theirs.id, 'Da carteira')
  await until(() => pushes.length > 0)
  expect(pushes.map(push => 'contact' in push && push.contact.name)).toEqual(['Da carteira'])
  const ofTicket = await rowsOf(app, admin!).ticket()
  const { contactId } = await admin!.get(tickets.show, { params: { ticketId: ofTicket } })
  await admin!.get(tickets.change, {
    params: { ticketId: ofTicket },
    body: { transf: true, userId: caio!.user.id, queueId: caio!.user.queueIds[0]! },
  })
  expect((await caio!.call(contacts.show, { params: { contactId } })).status).toBe(200)
  expect(await listed(caio!)).toContain(contactId)
})

test('the customers of a user who is deleted go to the heir, or to nobody', async () => {
  const hire = async () => {
    const { id: userAuthorizationId } = await admin!.get(permissions.create, { body: { name: unique() } })
    const body = { name: 'De saída', email: `saida${unique()}@balcao.test`, password: 'balcao-demo' }
    return admin!.get(users.create, {
      body: {
        ...body,
        userAuthorizationId,
        queueIds: marina!.user.queueIds,
        whatsappId: marina!.user.whatsappId,
      },
    })
  }
  const [one, other] = [await hire(), await hire()]
  const [first, second] = [await add(admin!, one.id), await add(admin!, other.id)]
  const { belongings } = await admin!.get(users.belongings, { params: { userId: one.id } })
  expect(belongings).toContainEqual({ kind: 'contacts', count: 1, names: [first.name] })
  await admin!.get(users.remove, { params: { userId: one.id }, query: { heirId: marina!.user.id } })
  await admin!.get(users.remove, { params: { userId: other.id } })
  const ownerOf = async (contactId: number) =>
    (await admin!.get(contacts.show, { params: { contactId } })).ownerId
  expect([await ownerOf(first.id), await ownerOf(second.id)]).toEqual([marina!.user.id, null])
})
