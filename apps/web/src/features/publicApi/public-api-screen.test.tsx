import { apiDocuments } from '@balcao/contract/publicApi.ts'
import { expect, test, vi } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { marina } from '../../../testing/people.ts'
import { sampleDescription } from './publicApi.sample.ts'

const path = '/api/messages/send/text'
const description = {
  ...sampleDescription,
  paths: {
    [path]: {
      post: {
        summary: 'Sends a text.',
        parameters: [{ name: 'Idempotency-Key', in: 'header', required: false }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                properties: { contactNumber: { type: 'string' }, body: { type: 'string' } },
                required: ['body'],
              },
            },
          },
        },
        responses: { 200: { description: 'It is on its way.' } },
      },
    },
  },
}

test('a call is tried with a pasted token, never with the session, and what came is shown; what no header can carry is said', async () => {
  const page = enter('/api', marina, {
    answers: server => server.on(apiDocuments.show, description),
  })
  await page.sees(path)
  const toServer = page.server.fetch
  const tried: [string, RequestInit][] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    if (address !== path) return toServer(address, init)
    tried.push([address, init])
    if (tried.length > 1) throw new TypeError('Failed to fetch')
    return new Response('{"error":"ERR_NO_TOKEN"}', { status: 401 })
  })
  const send = await page.find('button', 'Enviar')
  expect(send).toBeDisabled()
  await page.fill('Token para experimentar', 'çoisa')
  await page.sees('Não pode ser enviado: Token para experimentar')
  expect(send).toBeDisabled()
  await page.fill('Token para experimentar', 'um-token')
  await page.fill('contactNumber', '5531999990000')
  await page.fill('body', 'Oi')
  await page.user.click(send)
  await page.sees('Resposta: 401', 'ERR_NO_TOKEN')
  const [, init] = tried[0]!
  expect(init).toMatchObject({ method: 'POST', credentials: 'omit' })
  expect(new Headers(init.headers).get('authorization')).toBe('Bearer um-token')
  expect(JSON.parse(String(init.body))).toEqual({ contactNumber: '5531999990000', body: 'Oi' })
  await page.user.click(send)
  await page.sees('O servidor não respondeu')
})

test('a webhook shows an example of what it is sent, and the example of a call names its recipient once', async () => {
  const schema = {
    properties: {
      number: { type: 'string' },
      ticketId: { type: 'integer', description: 'Instead of a number.' },
    },
  }
  const send = {
    ...description.paths[path].post,
    requestBody: { content: { 'application/json': { schema } } },
  }
  const data = { properties: { ticketId: { type: 'integer' } } }
  const content = {
    'application/json': { schema: { properties: { data } }, example: { data: { ticketId: 1234 } } },
  }
  const webhooks = {
    'message.received': { post: { summary: 'A customer wrote.', requestBody: { content } } },
  }
  const page = enter('/api', marina, {
    answers: server =>
      server.on(apiDocuments.show, {
        ...description,
        webhooks,
        paths: { '/api/messages/send': { post: send } },
      }),
  })
  await page.sees('"ticketId": 1234', 'No lugar de um número: um atendimento na conexão do token')
  const example = [...document.querySelectorAll('pre')].find(one => one.textContent?.includes('curl'))
  expect(example?.textContent).toContain('"number":"5511999998888"')
  expect(example?.textContent).not.toContain('ticketId')
})
