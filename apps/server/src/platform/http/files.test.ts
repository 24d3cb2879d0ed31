import { Agent, request } from 'node:http'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let marina: Person
let stranger: Person
let key: string
const bytes = Buffer.from('%PDF-1.7\n'.padEnd(5_000, 'linha '))
beforeAll(async () => {
  app = await openTestApp()
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  const given = { name: 'orçamento "final".pdf', type: 'application/pdf' }
  const kept = await app.platform.files.put(marina.user.companyId, bytes, given)
  key = kept.key
})
afterAll(() => app.close())

const fetchFile = (who: Person | null, path = key, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/media/${path}`, {
    headers: { ...headers, ...(who && { authorization: `Bearer ${who.token}` }) },
  })
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

test('a file comes back byte for byte, under its name, and cannot run', async () => {
  const answer = await fetchFile(marina)
  expect(await bytesOf(answer)).toEqual(bytes)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent('orçamento "final".pdf')}`,
    'content-length': '5000',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
})

test('what is answered as JSON is kept by nobody on the way, refusals included', async () => {
  for (const path of ['/users', '/tickets?pageNumber=1', '/nowhere', '/users/0'])
    for (const who of [marina, null]) {
      const headers = who ? { authorization: `Bearer ${who.token}` } : undefined
      const answer = await fetch(`${app.url}${path}`, {
        headers: { ...headers, accept: 'application/json' },
      })
      await answer.arrayBuffer()
      expect([path, answer.headers.get('cache-control')]).toEqual([path, 'no-store'])
    }
})

test('a part of a file is answered as a part', async () => {
  const answer = await fetchFile(marina, key, { range: 'bytes=10-19' })
  expect([answer.status, answer.headers.get('content-range')]).toEqual([206, 'bytes 10-19/5000'])
  expect(await bytesOf(answer)).toEqual(bytes.subarray(10, 20))
  const rest = await fetchFile(marina, key, { range: 'bytes=4990-' })
  expect(await bytesOf(rest)).toEqual(bytes.subarray(4_990))
  expect((await fetchFile(marina, key, { range: 'bytes=9000-' })).status).toBe(400)
})

test('without a session, in another company and under another name there is no file [OP-82]', async () => {
  expect((await fetchFile(null)).status).toBe(401)
  expect((await fetchFile(stranger)).status).toBe(404)
  expect((await fetchFile(marina, `${'0'.repeat(32)}.pdf`)).status).toBe(404)
  expect((await fetchFile(marina, '..%2F..%2Fsecret')).status).toBe(404)
})

test('what a customer sent is served to those who may read its ticket, and to nobody else of the company [OP-82]', async () => {
  const helena = await app.as('admin@balcao.test')
  const rows = rowsOf(app, helena)
  const whatsappId = await rows.connection()
  const number = newNumber()
  const files = [{ name: 'contrato.pdf', type: 'application/pdf', bytes: new Uint8Array(bytes) }]
  await helena.get(simulator.write, {
    params: { whatsappId },
    body: { number, name: 'Rita', body: '' },
    files,
  })
  const sent = await until(async () => {
    const { tickets: found } = await helena.get(tickets.list, {
      query: { searchParam: number, showAll: true },
    })
    const ticketId = found[0]?.id
    if (!ticketId) return null
    const [first] = (await helena.get(messages.list, { params: { ticketId } })).messages
    return first?.mediaUrl ? first : null
  })
  const path = sent.mediaUrl!.slice('/media/'.length)
  const queueId = await rows.queue()
  const params = { ticketId: sent.ticketId }
  await helena.get(tickets.change, { params, body: { status: 'open', queueId, userId: helena.user.id } })
  expect((await fetchFile(helena, path)).status).toBe(200)
  expect((await fetchFile(marina, path)).status).toBe(404)
  expect((await fetchFile(stranger, path)).status).toBe(404)
  await helena.get(tickets.change, {
    params,
    body: { transf: true, queueId: marina.user.queues[0]!.id, userId: marina.user.id },
  })
  expect((await fetchFile(marina, path)).status).toBe(200)
})

test('a file that comes without a name is taken, and called by its kind', async () => {
  const body = [
    '--x',
    'content-disposition: form-data; name="medias"',
    'content-type: application/octet-stream',
    '',
    bytes.toString(),
    '--x--',
    '',
  ].join('\r\n')
  const answer = await fetch(`${app.url}/simulator/${marina.user.whatsappId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${marina.token}`, 'content-type': 'multipart/form-data; boundary=x' },
    body: body.replace(
      '--x\r\n',
      '--x\r\ncontent-disposition: form-data; name="number"\r\n\r\n5511999990000\r\n--x\r\n',
    ),
  })
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('id')])
})

test('the fields of a form are bounded together, as one body of JSON is', async () => {
  const send = async (...fields: string[]) => {
    const form = new FormData()
    for (const [at, field] of fields.entries()) form.append(`field${at}`, field)
    const answer = await fetch(`${app.url}/Campaign`, {
      ...{ method: 'POST', body: form },
      headers: { authorization: `Bearer ${marina.token}` },
    })
    return ((await answer.json()) as { error: string }).error
  }
  const MB = 1_048_576
  expect(await send('a'.repeat(3 * MB))).not.toBe('ERR_FILE_TOO_LARGE')
  expect(await send('a'.repeat(3 * MB), 'a'.repeat(2 * MB))).toBe('ERR_FILE_TOO_LARGE')
})

test('behind a file that is refused the same line takes the next call at once', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (method: string, path: string, type: string, body?: Buffer) =>
    new Promise<number>((done, fail) => {
      const headers = { authorization: `Bearer ${marina.token}`, ...(body && { 'content-type': type }) }
      const call = request(`${app.url}${path}`, { agent, method, headers }, answer => {
        answer.resume().on('end', () => done(answer.statusCode!))
      })
      call.on('error', fail)
      call.end(body)
    })
  const head =
    '--x\r\ncontent-disposition: form-data; name="medias"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
  const film = Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(20 * 1_048_576, 1),
    Buffer.from('\r\n--x--\r\n'),
  ])
  const path = `/simulator/${marina.user.whatsappId}/messages`
  expect(await ask('POST', path, 'multipart/form-data; boundary=x', film)).toBeGreaterThanOrEqual(400)
  const began = performance.now()
  expect(await ask('GET', '/users/me', '')).toBeLessThan(500)
  expect(performance.now() - began).toBeLessThan(10_000)
  agent.destroy()
}, 90_000)
