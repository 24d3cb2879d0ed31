import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { flows } from '@balcao/contract/flows.ts'
import { publicApi } from '@balcao/contract/publicApi.ts'
import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { scheduledActions } from '@balcao/contract/scheduledActions.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let helena: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  helena = await app.as('admin@balcao.test')
  whatsappId = (await helena.get(connections.list)).find(({ lib }) => lib === 'simulator')!.id
})
afterAll(() => app.close())

const refused = ({ status, body }: { status: number; body: { error?: string; field?: string } }) => [
  status,
  body.error,
  body.field,
]
const number = '5511987650000'

test.each([
  ['NUL', 'a\0b'],
  ['half a character', 'a\ud83d'],
])('a text with %s is refused with its field, wherever it stands', async (_what, text) => {
  const bad = (field: string) => [400, 'ERR_BAD_REQUEST', field]
  const params = { whatsappId }
  const say = (body: object) => helena.call(simulator.write, { params, body: { number, ...body } })
  expect(refused(await say({ body: text }))).toEqual(bad('body'))
  expect(refused(await say({ body: 'oi', name: text }))).toEqual(bad('name'))
  const location = { latitude: 1, longitude: 2, name: text }
  expect(refused(await say({ location }))).toEqual(bad('location.name'))
  const cards = [
    { name: 'Rui', number },
    { name: text, number },
  ]
  expect(refused(await say({ contacts: cards }))).toEqual(bad('contacts.1.name'))
  expect(refused(await helena.call(contacts.create, { body: { name: text, number } }))).toEqual(bad('name'))
})

test('so is one in the address of a call', async () => {
  const searchParam = 'a\0b'
  const answer = await helena.call(tickets.list, { query: { tab: 'search', searchParam } })
  expect(refused(answer)).toEqual([400, 'ERR_BAD_REQUEST', 'searchParam'])
})

test('a call that sends nothing may still say that it is JSON', async () => {
  const { id } = await helena.get(contacts.create, { body: { name: 'Rui', number: '5511987650011' } })
  const call = async (method: string, path: string) => {
    const headers = { authorization: `Bearer ${helena.token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${app.url}${path}`, { method, headers })
    return [answer.status, ((await answer.json()) as { field?: string }).field]
  }
  expect(await call('DELETE', `/contacts/${id}`)).toEqual([200, undefined])
  expect(await call('POST', '/contacts')).toEqual([400, 'name'])
})

test('whole characters of every kind are taken', async () => {
  const body = 'olá 👩‍👩‍👧 \u202e\u0007 ok'
  const answer = await helena.call(simulator.write, { params: { whatsappId }, body: { number, body } })
  expect(answer.status).toBe(200)
})

const raw = async (path: string, body: string, bearer = helena.token) => {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const answer = await fetch(app.url + path, { method: 'POST', headers, body })
  return refused({ status: answer.status, body: (await answer.json()) as { error?: string; field?: string } })
}

describe('what is nested thousands deep', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  let token: string
  beforeAll(async () => {
    token = (await helena.get(apiTokens.create, { body: { name: 'Fundo', whatsappId } })).id
  })

  test('is refused with its field', async () => {
    const bad = (field: string) => [400, 'ERR_BAD_REQUEST', field]
    const action = `{"action": "sendScheduledMessages", "jsonData": {"a": ${deep}}}`
    expect(await raw(scheduledActions.create.path, action)).toEqual(bad('jsonData'))
    const medias = `{"number": "${number}", "medias": ${deep}}`
    expect(await raw(publicApi.media.path, medias, token)).toEqual(bad('medias'))
  })

  test('is no JSON where JSON stands in a text', async () => {
    const flow = JSON.stringify({ name: 'Fundo do mar', type: 'Chat', flowActions: deep })
    expect(await raw(flows.create.path, flow)).toEqual([400, 'ERR_BAD_REQUEST', 'flowActions'])
    const campaign = `{"messages": [{"body": "Oi"}], "myDetails": {"a": ${deep}}}`
    expect(campaigns.createWhole.body.safeParse({ campaign }).success).toBe(false)
  })
})

test('a name inside of a value is looked at like the value', async () => {
  const body = JSON.stringify({ action: 'sendScheduledMessages', jsonData: { a: [{ 'b\0': 1 }] } })
  expect(await raw(scheduledActions.create.path, body)).toEqual([400, 'ERR_BAD_REQUEST', 'jsonData.a.0'])
})

test.each(['9999-12-31T23:59:59-01:00', '0001-01-01T00:30:00+01:00', '0000-02-28', '2026-02-30'])(
  'a moment that is none to the database is refused with its field: %s',
  async searchInitialDate => {
    const answer = await helena.call(tickets.list, { query: { searchInitialDate, tab: 'search' } })
    expect(refused(answer)).toEqual([400, 'ERR_BAD_REQUEST', 'searchInitialDate'])
  },
)

test.each([
  [undefined, 'Too big'],
  ['de, *;q=0.1', 'Too big'],
  ['pt-BR,pt;q=0.9,en;q=0.8', 'Demasiado grande'],
  ['en;q=0.5, es-AR', 'Demasiado grande: se esperaba'],
])(
  'what does not fit is worded for who asks in %s; the words of the documents stay',
  async (accepted, worded) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-language': accepted }
    const wrong = { query: { pageNumber: 1, searchParam: 'x'.repeat(101) }, headers }
    const { body } = (await helena.call(contacts.list, wrong)) as { body: { message?: string } }
    expect(body).toMatchObject({ error: 'ERR_BAD_REQUEST', field: 'searchParam' })
    expect(body.message).toContain(worded)
    const empty = { body: { shortcut: '', message: 'Dez dias úteis.' }, headers }
    expect((await helena.call(quickAnswers.create, empty)).body).toMatchObject({ message: 'Required' })
  },
)
