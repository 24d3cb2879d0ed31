import { contacts } from '@balcao/contract/contacts.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { table } from '../../../testing/access.table.ts'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
let master: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script(
    `update companies set number_attendants = 999, number_conections = 999, enable_campaigns = true;
     update plans set number_attendants = 999, number_connections = 999, enable_campaigns = true`,
  )
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  master = await app.as('master@balcao.test')
  rows = rowsOf(app, admin, marina)
})
afterAll(() => app.close())

let last = 0
const added = () =>
  admin.get(quickAnswers.create, { body: { shortcut: `edit${++last}`, message: 'A chave é o CNPJ.' } })
const change = (who: Person, quickAnswerId: number, body: object) =>
  who.call<Route>(quickAnswers.change, { params: { quickAnswerId }, body })

test('of two who edit one record the second is told what changed, gets the record, and may save over it', async () => {
  const seen = await added()
  const mine = { shortcut: seen.shortcut, message: 'A chave é o telefone.' }
  const theirs = { shortcut: 'edited', message: 'A chave é o e-mail.' }
  expect((await change(admin, seen.id, { ...theirs, seen })).status).toBe(200)
  const told = await change(marina, seen.id, { ...mine, seen })
  expect(told).toMatchObject({
    status: 409,
    body: {
      error: 'ERR_CHANGED_MEANWHILE',
      details: {
        changed: ['shortcut', 'message'],
        current: { id: seen.id, ...theirs },
        by: { userId: admin.user.id, name: admin.user.name },
      },
    },
  })
  expect((await change(marina, seen.id, { ...mine, seen: { ...seen, ...theirs } })).body).toMatchObject(mine)
  expect((await change(admin, seen.id, { ...mine, seen })).status).toBe(200)
})

test('who says nothing about what he saw changes it as before', async () => {
  const { id, shortcut } = await added()
  for (const message of ['A chave é o e-mail.', 'A chave é o telefone.'])
    expect((await change(marina, id, { shortcut, message })).body).toMatchObject({ message })
})

test('of changes at the same moment that saw the same one is made', async () => {
  const seen = await added()
  const messages = ['primeira', 'segunda', 'terceira', 'quarta'].map(word => `A chave é a ${word}.`)
  const answers = await Promise.all(
    messages.map(message => change(marina, seen.id, { shortcut: seen.shortcut, message, seen })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
})

test('a record that is gone, or of another company, is not found, whatever was seen of it', async () => {
  const seen = await added()
  const body = { shortcut: seen.shortcut, message: 'A chave é o e-mail.', seen: { message: 'Outra.' } }
  expect(await change(stranger, seen.id, body)).toMatchObject({ status: 404 })
  await admin.get(quickAnswers.remove, { params: { quickAnswerId: seen.id } })
  expect(await change(marina, seen.id, body)).toMatchObject({ status: 404, body: { error: 'ERR_NOT_FOUND' } })
})

test('what is no object of fields is refused', async () => {
  const { id, shortcut } = await added()
  const body = { shortcut, message: 'A chave é o e-mail.' }
  for (const seen of ['x', 7, null, []])
    expect(await change(marina, id, { ...body, seen }), String(seen)).toMatchObject({
      status: 400,
      body: { error: 'ERR_BAD_REQUEST', field: 'seen' },
    })
})

test('rows within a record that were written anew with the same words are no change', async () => {
  const input = { name: 'Rita', number: newNumber(), extraInfo: [{ name: 'CPF', value: '1' }] }
  const { id: contactId } = await marina.get(contacts.create, { body: input })
  const { extraInfo } = input
  await admin.get(contacts.change, { params: { contactId }, body: { extraInfo } })
  const body = { extraInfo: [{ name: 'CPF', value: '2' }], seen: { extraInfo } }
  expect((await marina.call(contacts.change, { params: { contactId }, body })).status).toBe(200)
})

// integrations belong to the operator's company, in which the table has none
const edited = table.filter(([route, statuses]) => route.edits && statuses.includes(200))

test.each(edited.map(line => [line[0].path, ...line] as const))(
  'a change of %s is made when all is as it was seen, and told otherwise',
  async (_path, route, statuses, given = () => ({})) => {
    const who = statuses[2] === 200 ? admin : master
    const [reader] = table.find(([one]) => one.method === 'GET' && one.path === route.edits)!
    const { params, body = {} } = (await given(rows)) as { params?: object; body?: object }
    const current = (await who.call(reader, { params })) as { status: number; body: object }
    expect(current).toMatchObject({ status: 200 })
    const changing = (seen: object) => who.call(route, { params, body: { ...body, seen } })
    const strange = Object.fromEntries(Object.keys(current.body).map(name => [name, 'never seen']))
    expect(await changing(strange)).toMatchObject({ status: 409, body: { error: 'ERR_CHANGED_MEANWHILE' } })
    const seen = Object.fromEntries(Object.entries(current.body).filter(([name]) => name in (body as object)))
    expect((await changing(seen)).status).toBe(200)
  },
)
