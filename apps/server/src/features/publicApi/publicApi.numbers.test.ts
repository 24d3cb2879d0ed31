import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { publicApi } from '@balcao/contract/publicApi.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let id: string
beforeAll(async () => {
  app = await openTestApp()
  const admin = await app.as('admin@balcao.test')
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
