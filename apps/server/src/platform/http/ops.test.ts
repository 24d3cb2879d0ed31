import { expect, test } from 'vitest'
import { metricsOf } from '../../../testing/metrics.ts'
import type { Phase, Platform } from '../app.ts'
import { VERSION } from '../observe/version.ts'
import { openOps } from './ops.ts'

async function health(
  stopping: boolean,
  ping: () => Promise<void>,
  redis: 'up' | 'down' | null = null,
  { isFull = false, isMoving = false, drill = false, down = [] as string[] } = {},
) {
  const platform = {
    ...{ database: { ping }, signals: { redis: () => redis } },
    phase: () => (stopping ? ('leaving' as const) : ('serving' as const)),
    files: { isFull: () => isFull, isMoving: () => isMoving, server: serverIn(down.includes('files')) },
    mail: { server: serverIn(down.includes('mail')) },
    config: { drill, databaseUrl: 'postgres://elsewhere' } as Platform['config'],
  }
  const app = await openOps(platform as Partial<Platform> as Platform)
  const answer = await app.inject('/health')
  await app.close()
  return [answer.statusCode, answer.json()]
}

const serverIn = (isDown: boolean) =>
  isDown ? { state: () => ({ isUp: false, why: 'ECONNREFUSED', since: '' }) } : null

const answers = async () => {}
const away = () =>
  Promise.reject(Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }))

test('health says how it is, and why when it is not well', async () => {
  expect(await health(false, answers)).toEqual([200, { status: 'ok', version: VERSION, database: 'up' }])
  expect(await health(false, answers, 'down')).toEqual([
    200,
    { status: 'ok', version: VERSION, database: 'up', redis: 'down' },
  ])
  expect(await health(false, answers, null, { isFull: true })).toEqual([
    200,
    { status: 'ok', version: VERSION, database: 'up', files: 'full' },
  ])
  expect(await health(false, answers, null, { isMoving: true })).toEqual([
    200,
    { status: 'ok', version: VERSION, database: 'up', files: 'moving' },
  ])
  expect(await health(false, answers, null, { drill: true })).toEqual([
    200,
    { status: 'ok', version: VERSION, database: 'up', drill: true },
  ])
  expect(await health(false, answers, null, { down: ['files', 'mail'] })).toEqual([
    200,
    { status: 'ok', version: VERSION, database: 'up', files: 'down', mail: 'down' },
  ])
  expect(await health(true, answers)).toEqual([
    503,
    { status: 'unavailable', version: VERSION, database: 'up', why: 'the process is stopping' },
  ])
})

test('health names the failure, and no host that anybody could read', async () => {
  expect(await health(false, away)).toEqual([
    503,
    {
      status: 'unavailable',
      version: VERSION,
      database: 'down',
      why: 'the database does not answer (ECONNREFUSED)',
    },
  ])
})

test('who sends requests asks whether a process is ready, and who supervises it whether it lives', async () => {
  const asked = async (phase: Phase, ping: () => Promise<void>) => {
    const app = await openOps({ database: { ping }, phase: () => phase } as Partial<Platform> as Platform)
    const [ready, live] = [await app.inject('/ready'), await app.inject('/live')]
    await app.close()
    expect([live.statusCode, live.json()]).toEqual([200, { status: 'ok' }])
    return [ready.statusCode, ready.json()]
  }
  const not = (why: string) => [503, { status: 'unavailable', why }]
  expect(await asked('serving', answers)).toEqual([200, { status: 'ok' }])
  expect(await asked('starting', answers)).toEqual(not('the process is starting'))
  for (const phase of ['leaving', 'stopping'] as const)
    expect(await asked(phase, answers)).toEqual(not('the process is stopping'))
  expect(await asked('serving', away)).toEqual(not('the database does not answer (ECONNREFUSED)'))
  const silent = () => new Promise<never>(() => {})
  expect(await asked('serving', silent)).toEqual(not('the database does not answer (ETIMEDOUT)'))
})

test('figures are for this machine, and for nobody who comes through a proxy', async () => {
  const metrics = metricsOf(null)
  const app = await openOps({ metrics } as Partial<Platform> as Platform)
  const ask = async (headers: Record<string, string> = {}) =>
    (await app.inject({ url: '/metrics', headers: { host: 'localhost:8080', ...headers } })).statusCode
  expect(await ask()).toBe(200)
  for (const host of ['127.0.0.1:8080', '[::1]:8080']) expect(await ask({ host })).toBe(200)
  const passedOn: Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-host': 'balcao.example' },
    { 'x-real-ip': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { via: '1.1 proxy' },
    { host: 'balcao.example' },
  ]
  for (const headers of passedOn) expect([headers, await ask(headers)]).toEqual([headers, 404])
  await app.close()
})
