import { quickAnswerChannel, quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const message = 'A lua nova nasce cedo.'
const add = (shortcut: string, who = marina) => who.get(quickAnswers.create, { body: { shortcut, message } })
const list = async (searchParam: string, who = marina) =>
  (await who.get(quickAnswers.list, { query: { searchParam } })).quickAnswers

test('a quick answer is added, found by its words, changed and deleted [API-010, ENTITY-012]', async () => {
  const added = await add('Lua')
  expect(added).toEqual({ id: expect.any(Number), shortcut: 'Lua', message, queueId: null, userId: null })
  expect([await list('LUA'), await list('nasce')]).toEqual([[added], [added]])

  const params = { quickAnswerId: added.id }
  const body = { shortcut: 'sol', message: 'O sol nasce cedo.' }
  const changed = await marina.get(quickAnswers.change, { params, body })
  expect(changed).toEqual({ ...added, ...body })
  expect(await marina.get(quickAnswers.show, { params })).toEqual(changed)

  await admin.get(quickAnswers.remove, { params })
  expect(await list('sol nasce')).toEqual([])
})

test('twenty a page, in order whatever the case [QUICK-003, CONST-004]', async () => {
  for (let at = 20; at >= 0; at--) await add(`${at % 2 ? 'p' : 'P'}onto${String(at).padStart(2, '0')}`)
  const page = (pageNumber: number) =>
    marina.get(quickAnswers.list, { query: { searchParam: 'ponto', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.quickAnswers.length, first.hasMore]).toEqual([20, true])
  expect(second).toMatchObject({ quickAnswers: [{ shortcut: 'Ponto20' }], hasMore: false })
})

test('what begins with the words comes first, then what holds them, then what says them', async () => {
  const sent = { shortcut: 'aviso', message: 'O cometa passou ontem.' }
  await marina.get(quickAnswers.create, { body: sent })
  for (const shortcut of ['meucometa', 'cometa']) await add(shortcut)
  expect((await list('cometa')).map(({ shortcut }) => shortcut)).toEqual(['cometa', 'meucometa', 'aviso'])
})

test('every change is heard by the whole company, and by no other [QUICK-004, EVENT-010, OP-35]', async () => {
  const [pushes, elsewhere] = [
    await marina.subscribe(quickAnswerChannel),
    await stranger.subscribe(quickAnswerChannel),
  ]
  const added = await add('ouvida')
  const params = { quickAnswerId: added.id }
  const changed = await marina.get(quickAnswers.change, { params, body: { shortcut: 'lida', message } })
  await admin.get(quickAnswers.remove, { params })
  await until(() => pushes.length === 3)
  expect(pushes).toEqual([
    { action: 'create', quickAnswer: added },
    { action: 'update', quickAnswer: changed },
    { action: 'delete', quickAnswerId: added.id },
  ])
  expect(elsewhere).toEqual([])
})

test('of another company it is not there', async () => {
  const theirs = await add('segredo', stranger)
  const params = { quickAnswerId: theirs.id }
  expect(await list('segredo')).toEqual([])
  for (const route of [quickAnswers.show, quickAnswers.remove])
    expect((await admin.call(route, { params })).status).toBe(404)
  const body = { shortcut: 'meu', message }
  expect((await marina.call(quickAnswers.change, { params, body })).status).toBe(404)
  expect(await list('segredo', stranger)).toEqual([theirs])
})

test.each([
  [{ shortcut: '', message }, 'shortcut'],
  [{ shortcut: 'a', message }, 'shortcut'],
  [{ shortcut: 'a'.repeat(16), message }, 'shortcut'],
  [{ shortcut: 'meu sol', message }, 'shortcut'],
  [{ shortcut: 'sol', message: 'a'.repeat(7) }, 'message'],
  [{ shortcut: 'sol', message: 'a'.repeat(30_001) }, 'message'],
])(
  'what is missing, too short or too long is refused with its field: case %# [QUICK-002]',
  async (body, field) => {
    const answer = await marina.call(quickAnswers.create, { body })
    expect([answer.status, answer.body.field]).toEqual([400, field])
  },
)
