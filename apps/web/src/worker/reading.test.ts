import { beforeEach, expect, test, vi } from 'vitest'
import { memoryCaches } from '../../testing/caches.ts'
import { answerOf, pathOf } from './reading.ts'

const ORIGIN = 'https://balcao.test'
let kept: ReturnType<typeof memoryCaches>
let server: (path: string) => Response
let isReached: boolean

beforeEach(() => {
  kept = memoryCaches(ORIGIN)
  isReached = true
  server = path => Response.json({ of: path })
  vi.stubGlobal('caches', kept)
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    if (!isReached) throw new TypeError('Failed to fetch')
    return server(new URL(url).pathname)
  })
})

const tokenOf = (claims: object) => `h.${btoa(JSON.stringify(claims))}.s`
const marina = tokenOf({ sub: '7', company: 2 })
const caio = tokenOf({ sub: '8', company: 2 })
const stranger = tokenOf({ sub: '7', company: 3 })

let windows = 0
/** What a window gets; undefined where the worker lets the call pass. */
async function ask(
  path: string,
  token: string,
  { method = 'GET', clientId = `window ${++windows}` } = {},
): Promise<unknown> {
  const request = new Request(ORIGIN + path, { method, headers: { authorization: `Bearer ${token}` } })
  const waited: Promise<unknown>[] = []
  const event = {
    ...{ request, clientId },
    waitUntil: (work: Promise<unknown>) => void waited.push(work),
    respondWith() {},
  }
  const answer = answerOf(event, pathOf(request.url))
  const read = await answer?.then(
    one => one.json().catch(() => 'no JSON'),
    () => 'away',
  )
  await Promise.all(waited)
  return read
}

test('without the server a user reads what was read before, and nobody else does', async () => {
  await ask('/messages/41?pageNumber=1', marina)
  isReached = false
  expect(await ask('/messages/41?pageNumber=1', marina)).toEqual({ of: '/messages/41' })
  expect(await ask('/messages/41?pageNumber=2', marina)).toBe('away')
  expect(await ask('/messages/41?pageNumber=1', caio)).toBe('away')
  expect(await ask('/messages/41?pageNumber=1', stranger)).toBe('away')
})

test('only the listed calls are kept: no other, no refusal, no file, and nothing of a visit', async () => {
  const visit = tokenOf({ sub: '1', company: 2, visit: 'x' })
  for (const path of ['/company/2', '/report/hours', '/users/7', '/push/key', '/ApiSendMessageToken'])
    expect(await ask(path, marina)).toBeUndefined()
  expect(await ask('/tickets', visit)).toBeUndefined()
  expect(await ask('/tickets', 'no token')).toBeUndefined()
  server = () => Response.json({}, { status: 403 })
  await ask('/tickets', marina)
  server = () => new Response('a page', { headers: { 'content-type': 'text/html' } })
  await ask('/queue', marina)
  isReached = false
  expect([await ask('/tickets', marina), await ask('/queue', marina)]).toEqual(['away', 'away'])
})

test('the last twenty conversations are kept', async () => {
  for (let ticketId = 1; ticketId <= 21; ticketId++) await ask(`/messages/${ticketId}`, marina)
  isReached = false
  expect(await ask('/messages/1', marina)).toBe('away')
  expect(await ask('/messages/2', marina)).toEqual({ of: '/messages/2' })
})

test('all of it is gone after a logout, the end of the session, and another login in this browser', async () => {
  const read = async () => {
    server = () => Response.json({ here: true })
    await enter(marina)
    await ask('/tickets', marina)
    expect(await kept.keys()).toEqual(['balcao-read-2-7'])
  }
  const enter = async (token: string) => {
    server = () => Response.json({ token, user: { id: 1 } })
    await ask('/auth/login', '', { method: 'POST' })
  }
  await read()
  expect(await ask('/auth/logout', marina, { method: 'DELETE' })).toBeUndefined()
  expect(await kept.keys()).toEqual([])
  // an answer that was on its way
  await ask('/tickets', marina)
  expect(await kept.keys()).toEqual([])
  await read()
  server = () => Response.json({ error: 'ERR_NO_SESSION' }, { status: 401 })
  await ask('/queue', marina)
  expect(await kept.keys()).toEqual([])
  await read()
  await enter(caio)
  expect(await kept.keys()).toEqual(['balcao-read-2-8'])
})

test('who starts the app after the session ended elsewhere leaves nothing that was read, but what was shared', async () => {
  await ask('/tickets', marina)
  await kept.open('balcao-shared')
  server = () => Response.json({ error: 'ERR_NO_SESSION' }, { status: 401 })
  await ask('/auth/login', '', { method: 'POST' })
  expect(await kept.keys()).toEqual(['balcao-read-2-7', 'balcao-shared'])
  await ask('/auth/refresh_token', marina, { method: 'POST' })
  expect(await kept.keys()).toEqual(['balcao-shared'])
})

test('an answer whose last bytes come after the logout is not kept', async () => {
  let end = () => {}
  const slow = new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('{}'))
      end = () => stream.close()
    },
  })
  server = () => new Response(slow, { headers: { 'content-type': 'application/json' } })
  const read = ask('/tickets', caio)
  await vi.waitFor(() => expect(slow.locked).toBe(true))
  await ask('/auth/logout', caio, { method: 'DELETE' })
  end()
  await read
  expect(await kept.keys()).toEqual([])
})

test('a window that starts without the server knows its user, one that the server answered asks again', async () => {
  server = () => Response.json({ token: marina, user: { id: 7, name: 'Marina' } })
  const refresh = (clientId?: string) =>
    ask('/auth/refresh_token', marina, { method: 'POST', ...(clientId && { clientId }) })
  await refresh('open')
  isReached = false
  expect(await refresh('open')).toBe('away')
  expect(await refresh()).toEqual({ token: marina, user: { id: 7, name: 'Marina' } })
  expect(await ask('/auth/refresh_token', caio, { method: 'POST' })).toBe('away')
})
