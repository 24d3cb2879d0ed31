import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { publicApi } from '@balcao/contract/publicApi.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let id: string
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  const body = { name: 'Loja virtual', whatsappId: admin.user.whatsappId! }
  id = (await admin.get(apiTokens.create, { body })).id
})
afterAll(() => app.close())

test('a number of the company’s country needs no code; one that could be abroad as well is refused with both, until it is said', async () => {
  const send = (number: string, more: object = {}) =>
    app.anonymous.call(publicApi.text, {
      body: { number, body: 'Oi', ...more },
      headers: { authorization: `Bearer ${id}` },
    })
  for (const written of ['11955550006', '(11) 95555-0006', '0xx11 95555-0006', '+55 11 95555-0006'])
    expect([written, (await send(written)).body.number]).toEqual([written, '5511955550006'])
  const refused = await send('51987650006')
  expect(refused).toMatchObject({
    status: 400,
    body: {
      error: 'ERR_NUMBER_AMBIGUOUS',
      field: 'number',
      message: expect.stringContaining('+5551987650006 (BR), +51987650006 (PE)'),
      details: { numbers: ['5551987650006', '51987650006'] },
    },
  })
  const meant = async (number: string, more: object = {}) => (await send(number, more)).body.number
  expect(await meant('51987650006', { country: 'br' })).toBe('5551987650006')
  expect(await meant('51987650006', { country: 'PE' })).toBe('51987650006')
  expect(await meant('+51 987 650 006')).toBe('51987650006')
  expect(await send('51987650006', { country: 'XX' })).toMatchObject({
    status: 400,
    body: { field: 'country' },
  })
})

test('sends to one contact at once, by its id and by its number, while it goes, are answered and never fail', async () => {
  const number = '5511955550019'
  for (let round = 0; round < 6; round++) {
    const contact = await admin.get(contacts.create, { body: { name: 'Rita', number: `+${number}` } })
    const send = (to: object) =>
      app.anonymous.call(publicApi.text, {
        body: { ...to, body: 'Oi' } as { number: string; body: string },
        headers: { authorization: `Bearer ${id}` },
      })
    const going = async () => {
      const { status } = await admin.call(contacts.remove, { params: { contactId: contact.id } })
      return { status, body: null }
    }
    const all = await Promise.all([
      ...Array.from({ length: 4 }, () => send({ contactId: contact.id })),
      ...(round % 2 ? [going()] : []),
      ...Array.from({ length: 3 }, () => send({ number })),
    ])
    const statuses = all.map(({ status }) => status)
    expect(statuses.filter(status => ![200, 404, 409].includes(status))).toEqual([])
    expect(statuses).toContain(200)
    await admin.call(contacts.remove, { params: { contactId: contact.id } })
    for (const { id: contactId } of (await admin.get(contacts.list, { query: { searchParam: number } }))
      .contacts)
      await admin.get(contacts.remove, { params: { contactId } })
  }
})
