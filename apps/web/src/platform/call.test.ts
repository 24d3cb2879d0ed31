import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auth } from '@balcao/contract/auth.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError, call, onSignedOut, refreshSession, token } from './call.ts'

type Answer = [status: number, body?: unknown]
let answer: (path: string, request: RequestInit) => Answer
let asked: { path: string; request: RequestInit }[]

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  asked = []
  vi.stubGlobal('fetch', async (path: string, request: RequestInit) => {
    asked.push({ path, request })
    const [status, body = {}] = answer(path, request)
    return Response.json(body, { status })
  })
  onSignedOut(() => {})
  token.keep('first')
})

const paths = () => asked.map(one => one.path)
const bearer = ({ headers }: RequestInit) => (headers as Record<string, string>).authorization
const expired: Answer = [403, { error: 'ERR_SESSION_EXPIRED', message: 'old', requestId: 'r1' }]
const fresh: Answer = [200, { token: 'second', user: { id: 1 } }]

test('A call carries the bearer token and the cookies [AUTH-011]', async () => {
  answer = () => [200, []]
  await call(users.all)
  expect(bearer(asked[0]!.request)).toBe('Bearer first')
  expect(asked[0]!.request.credentials).toBe('include')
})

test('Path values are escaped, lists in a query are JSON, and what is unset is left out', async () => {
  answer = () => [200]
  await call(tickets.list, { query: { queueIds: [1, 2], searchParam: 'a&b', showAll: false, date: '' } })
  await call(messages.list, { params: { ticketId: 7 } })
  expect(paths()).toEqual(['/tickets?queueIds=%5B1%2C2%5D&searchParam=a%26b&showAll=false', '/messages/7'])
})

test('Files make the body multipart, with its fields beside them', async () => {
  answer = () => [200]
  const files = { medias: [new File(['a'], 'a.png'), new File(['b'], 'b.pdf')] }
  await call(messages.send, {
    params: { ticketId: 7, companyId: 1 },
    body: { body: 'oi', read: true },
    files,
  })
  const { request } = asked[0]!
  const form = request.body as FormData
  expect([form.get('body'), form.get('read')]).toEqual(['oi', 'true'])
  expect(form.getAll('medias').map(file => (file as File).name)).toEqual(['a.png', 'b.pdf'])
  expect(request.headers).not.toHaveProperty('content-type')
})

test('A 403 renews the token and the call is tried once more [AUTH-012]', async () => {
  answer = (path, request) =>
    path === auth.refresh.path ? fresh : bearer(request) === 'Bearer second' ? [200, ['ana']] : expired
  expect(await call(users.all)).toEqual(['ana'])
  expect(paths()).toEqual(['/users/list', '/auth/refresh_token', '/users/list'])
})

test('A second 403 is the answer [AUTH-013, OP-39]', async () => {
  answer = path =>
    path === auth.refresh.path ? fresh : [403, { error: 'ERR_NO_PERMISSION', requestId: 'r9' }]
  const refused = await call(users.all).catch(error => error)
  expect(refused).toMatchObject({ status: 403, code: 'ERR_NO_PERMISSION', requestId: 'r9' })
  expect(asked).toHaveLength(3)
})

test('Calls that meet a 403 together share one renewal', async () => {
  answer = (path, request) =>
    path === auth.refresh.path ? fresh : bearer(request) === 'Bearer second' ? [200, []] : expired
  await Promise.all([call(users.all), call(users.all), call(users.all)])
  expect(paths().filter(path => path === auth.refresh.path)).toHaveLength(1)
})

test('A token that another tab has renewed meanwhile is used as it is', async () => {
  answer = (_path, request) => {
    if (bearer(request) === 'Bearer other') return [200, []]
    token.keep('other')
    return expired
  }
  await call(users.all)
  expect(paths()).toEqual(['/users/list', '/users/list'])
})

test('A 401 drops the token and signs out [AUTH-014]', async () => {
  const out = vi.fn()
  onSignedOut(out)
  answer = () => [401, { error: 'ERR_NO_SESSION' }]
  await expect(call(users.all)).rejects.toMatchObject({ code: 'ERR_NO_SESSION' })
  expect(token.read()).toBe('')
  expect(out).toHaveBeenCalledOnce()
})

test('A session that cannot be renewed signs out; a server that is away does not', async () => {
  const out = vi.fn()
  onSignedOut(out)
  answer = path => (path === auth.refresh.path ? [503, { error: 'ERR_DATABASE_UNAVAILABLE' }] : expired)
  await expect(call(users.all)).rejects.toMatchObject({ code: 'ERR_SESSION_EXPIRED' })
  expect([token.read(), out.mock.calls.length]).toEqual(['first', 0])
  answer = path => (path === auth.refresh.path ? [401, { error: 'ERR_NO_SESSION' }] : expired)
  await expect(call(users.all)).rejects.toBeInstanceOf(ApiError)
  expect([token.read(), out.mock.calls.length]).toEqual(['', 1])
})

test('Wrong credentials at the login are an answer, not the end of a session', async () => {
  const out = vi.fn()
  onSignedOut(out)
  answer = () => [401, { error: 'ERR_INVALID_CREDENTIALS' }]
  await expect(call(auth.login, { body: { email: 'a@b.c', password: 'x' } })).rejects.toMatchObject({
    code: 'ERR_INVALID_CREDENTIALS',
  })
  expect(out).not.toHaveBeenCalled()
})

test('A call that never arrives says so', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(call(users.all)).rejects.toMatchObject({ status: 0, code: 'offline' })
})

test('Restoring keeps the new token and answers who it is [AUTH-015]', async () => {
  answer = () => fresh
  expect(await refreshSession()).toMatchObject({ user: { id: 1 } })
  expect(token.read()).toBe('second')
})

test('no screen asks a call or a channel for its shapes, which the built app leaves behind', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const asked = globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter(file => !file.includes('.test.'))
    .flatMap(file => {
      const source = readFileSync(join(folder, file), 'utf8')
      const imported = [...source.matchAll(/^import \{([^}]+)\} from '@balcao\/contract\//gm)]
      const names = imported.flatMap(([, some]) => some!.split(',').map(one => one.trim()))
      return [...source.matchAll(/(typeof )?\b(\w+)(?:\.\w+\.(?:params|query|body|reply)|\.payload)\b/g)]
        .filter(([, isType, name]) => !isType && names.includes(name!))
        .map(([written]) => `${file}: ${written}`)
    })
  expect(asked).toEqual([])
})
