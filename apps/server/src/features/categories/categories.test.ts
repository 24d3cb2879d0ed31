import { categories, categoryChannel } from '@balcao/contract/categories.ts'
import { contactChannel, contacts } from '@balcao/contract/contacts.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let marina: Person
let admin: Person
let stranger: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  marina = await app.as('atendente@balcao.test')
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
})
afterAll(() => app.close())

const color = '#1273de'
const add = (name: string, who = marina) => who.get(categories.create, { body: { name, color } })
const list = async (searchParam: string, who = marina) =>
  (await who.get(categories.list, { query: { searchParam } })).categoryContact
const sync = (contactId: number, categoryContacts: (number | { id: number })[], who = marina) =>
  who.call(contacts.categorize, { body: { contactId, categoryContacts } })

test('a category is added, found by its name, changed and deleted', async () => {
  const added = await add('Lua nova')
  expect(added).toEqual({ id: expect.any(Number), name: 'Lua nova', color, userId: marina.user.id })
  expect(await list('LUA')).toEqual([{ ...added, contactsCount: 0 }])

  const params = { categoryId: added.id }
  const changed = await marina.get(categories.change, { params, body: { name: 'sol', color: 'red' } })
  expect(changed).toEqual({ ...added, name: 'sol', color: 'red' })
  expect(await marina.get(categories.change, { params, body: { color } })).toEqual({ ...changed, color })
  expect(await marina.get(categories.show, { params })).toEqual({ ...changed, color })

  await marina.get(categories.remove, { params })
  expect(await list('sol')).toEqual([])
})

test('twenty a page, in order whatever the case, and what begins with the words first; all at once as a bare list [CATEGORY-006]', async () => {
  for (let at = 20; at >= 0; at--) await add(`${at % 2 ? 'p' : 'P'}onto ${String(at).padStart(2, '0')}`)
  await add('Ao ponto')
  const page = (pageNumber: number) =>
    marina.get(categories.list, { query: { searchParam: 'ponto', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.categoryContact.length, first.hasMore]).toEqual([20, true])
  expect(second.categoryContact.map(({ name }) => name)).toEqual(['Ponto 20', 'Ao ponto'])
  expect(second.hasMore).toBe(false)
  const all = (await marina.get(categories.all)).map(({ name }) => name)
  expect(all.filter(name => /ponto/i.test(name))).toHaveLength(22)
  expect(all[0]).toBe('Ao ponto')
})

test('every change is heard by the whole company, and by no other [EVENT-017, OP-37]', async () => {
  const [pushes, elsewhere] = [
    await admin.subscribe(categoryChannel),
    await stranger.subscribe(categoryChannel),
  ]
  const added = await add('ouvida')
  const params = { categoryId: added.id }
  const changed = await marina.get(categories.change, { params, body: { name: 'lida' } })
  await marina.get(categories.remove, { params })
  await until(() => pushes.length === 3)
  expect(pushes).toEqual([
    { action: 'create', categoryContact: added },
    { action: 'update', categoryContact: changed },
    { action: 'delete', categoryContactId: added.id },
  ])
  expect(elsewhere).toEqual([])
})

test('of another company it is not there', async () => {
  const theirs = await add('segredo', stranger)
  const params = { categoryId: theirs.id }
  expect(await list('segredo')).toEqual([])
  expect((await marina.get(categories.all)).map(({ id }) => id)).not.toContain(theirs.id)
  for (const route of [categories.show, categories.remove])
    expect((await marina.call(route, { params })).status).toBe(404)
  expect((await marina.call(categories.change, { params, body: { name: 'meu' } })).status).toBe(404)
  const own = await add('própria')
  const merge = (categoryId: number, into: number) =>
    marina.call(categories.merge, { params: { categoryId }, body: { into } })
  expect([(await merge(own.id, theirs.id)).status, (await merge(theirs.id, own.id)).status]).toEqual([
    404, 404,
  ])
  const refused = await sync(await rows.contact(), [theirs.id])
  expect([refused.status, refused.body.field]).toEqual([404, 'categoryContacts'])
  expect(await list('segredo', stranger)).toEqual([{ ...theirs, contactsCount: 0 }])
  const body = { name: 'alheia', userId: stranger.user.id }
  expect((await marina.call(categories.create, { body })).body.error).toBe('ERR_NO_USER_FOUND')
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'ab' }, 'name'],
  [{ name: 'a'.repeat(51) }, 'name'],
  [{ name: 'sol', color: 'nenhuma' }, 'color'],
])(
  'what is missing, too short or no colour is refused with its field: case %# [CATEGORY-003]',
  async (body, field) => {
    const answer = await marina.call(categories.create, { body })
    expect([answer.status, answer.body.field]).toEqual([400, field])
  },
)

describe('on contacts', () => {
  test('they are set, seen in both lists, heard, and taken off [OP-24, CATEGORY-007]', async () => {
    const pushes = await admin.subscribe(contactChannel)
    const contactId = await rows.contact()
    const [vip, fiel] = [await add('VIP ouro'), await add('fiel')]
    const labels = [fiel, vip].map(({ id, name }) => ({ id, name, color }))
    const { body } = await sync(contactId, [vip.id, fiel.id, vip.id])
    expect(body).toMatchObject({ categoryContacts: labels, categoriesContactsAssociates: labels })
    expect((await admin.get(contacts.show, { params: { contactId } })).categoryContacts).toEqual(labels)
    await until(() =>
      pushes.some(one => one.action === 'update' && one.contact.categoryContacts.length === 2),
    )
    expect(await list('VIP ouro')).toMatchObject([{ contactsCount: 1 }])

    const kept = await sync(contactId, [fiel])
    expect(kept.body).toMatchObject({ categoryContacts: [labels[0]] })
    await marina.get(categories.remove, { params: { categoryId: fiel.id } })
    expect((await admin.get(contacts.show, { params: { contactId } })).categoryContacts).toEqual([])
  })

  test('are counted anew on every screen when one is given, taken off, or goes with its contact [CATEGORY-001]', async () => {
    const { id } = await add('contada')
    const pushes = await admin.subscribe(categoryChannel)
    const pushed = (times: number) =>
      until(
        () => pushes.filter(one => one.action === 'update' && one.categoryContact.id === id).length === times,
      )
    const contactId = await rows.contact()
    await sync(contactId, [id])
    await pushed(1)
    await sync(contactId, [])
    await pushed(2)
    await sync(contactId, [id])
    await pushed(3)
    await admin.get(contacts.remove, { params: { contactId } })
    await pushed(4)
    expect(await list('contada')).toMatchObject([{ contactsCount: 0 }])
  })

  test('narrow the contacts and the tickets to those who carry any of them [TICKET-014, TICKET-017, CONTACT-019]', async () => {
    const [atacado, varejo] = [await add('atacado'), await add('varejo')]
    const [one, two, three] = [await rows.customer(), await rows.customer(), await rows.customer()]
    await sync(one, [atacado.id])
    await sync(two, [varejo.id, atacado.id])
    const ask = (ids: number[], who: Person) =>
      who.get(contacts.list, { query: { selectedContactCategories: ids } })
    const found = await ask([atacado.id, varejo.id], admin)
    expect([found.count, found.contacts.map(({ id }) => id).toSorted()]).toEqual([2, [one, two].toSorted()])
    expect((await ask([varejo.id], admin)).contacts.map(({ id }) => id)).toEqual([two])
    expect((await ask([varejo.id], stranger)).contacts).toEqual([])

    const conversations = async (contactCategories: number[], who: Person) =>
      (await who.get(tickets.list, { query: { contactCategories, tab: 'search' } })).tickets.map(
        ({ contactId }) => contactId,
      )
    expect((await conversations([atacado.id], admin)).toSorted()).toEqual([one, two].toSorted())
    expect(await conversations([varejo.id], admin)).toEqual([two])
    expect(await conversations([varejo.id], stranger)).toEqual([])
    expect(await conversations([], admin)).toContain(three)
  })
})

describe('a name that is taken', () => {
  test('is refused at its field, and says which category has it', async () => {
    const existing = await add('Bairro')
    const renamed = await add('Vizinhança')
    const answer = await marina.call(categories.change, {
      params: { categoryId: renamed.id },
      body: { name: 'BAIRRO' },
    })
    expect(answer.body).toMatchObject({
      error: 'ERR_NAME_EXISTS',
      field: 'name',
      details: { categoryId: existing.id },
    })
    expect((await marina.call(categories.create, { body: { name: 'bairro' } })).status).toBe(409)
  })

  test('is where two categories become one, with all their contacts', async () => {
    const [from, into] = [await add('Padarias'), await add('Padaria')]
    const [one, two] = [await rows.contact(), await rows.contact()]
    await sync(one, [from.id])
    await sync(two, [from.id, into.id])
    const pushes = await admin.subscribe(categoryChannel)
    const merge = (to: number) =>
      marina.call(categories.merge, { params: { categoryId: from.id }, body: { into: to } })
    expect((await merge(from.id)).status).toBe(400)
    expect((await merge(into.id)).body).toEqual(into)
    await until(() => pushes.some(push => push.action === 'delete' && push.categoryContactId === from.id))
    expect(await list('padaria')).toEqual([{ ...into, contactsCount: 2 }])
  })
})

test('a group decides who makes categories and who gives them to contacts [CONTACT-013]', async () => {
  const group = async (flags: object) =>
    (await admin.get(permissions.create, { body: { name: `Grupo ${newNumber()}`, ...flags } })).id
  const put = async (userAuthorizationId: number) =>
    admin.get(users.change, { params: { userId: marina.user.id }, body: { userAuthorizationId } })
  const existing = await add('permitida')
  const contactId = await rows.contact()
  const tries = async () => {
    const params = { categoryId: existing.id }
    const created = await marina.call(categories.create, { body: { name: `Nova ${newNumber()}` } })
    const changed = await marina.call(categories.change, { params, body: { color } })
    return [created.status, changed.status, (await sync(contactId, [existing.id])).status]
  }
  await put(await group({ allowCreateCategoryContacts: false }))
  expect(await tries()).toEqual([403, 403, 200])
  expect(await list('permitida')).toHaveLength(1)
  await put(await group({ allowCategorizeContacts: false }))
  expect(await tries()).toEqual([200, 200, 403])
  await put(marina.user.userAuthorizationId!)
})

test('outlives who made it', async () => {
  const userId = await rows.user()
  const { id } = await admin.get(categories.create, { body: { name: 'herdada', userId } })
  await admin.get(users.remove, { params: { userId } })
  expect(await admin.get(categories.show, { params: { categoryId: id } })).toMatchObject({ userId: null })
})
