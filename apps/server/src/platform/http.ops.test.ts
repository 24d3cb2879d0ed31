import { expect, test } from 'vitest'
import type { Platform } from './app.ts'
import { openOps } from './http.ops.ts'

async function health(stopping: boolean, ping: () => Promise<void>, redis: 'up' | 'down' | null = null) {
  const platform = { database: { ping }, signals: { redis: () => redis }, stopping: () => stopping }
  const app = await openOps(platform as Partial<Platform> as Platform)
  const answer = await app.inject('/health')
  await app.close()
  return [answer.statusCode, answer.json()]
}

const answers = async () => {}
const away = () =>
  Promise.reject(Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }))

test('health says how it is, and why when it is not well', async () => {
  expect(await health(false, answers)).toEqual([200, { status: 'ok', database: 'up' }])
  expect(await health(false, answers, 'down')).toEqual([200, { status: 'ok', database: 'up', redis: 'down' }])
  expect(await health(true, answers)).toEqual([
    503,
    { status: 'unavailable', database: 'up', why: 'the process is stopping' },
  ])
})

test('health names the failure, and no host that anybody could read', async () => {
  expect(await health(false, away)).toEqual([
    503,
    { status: 'unavailable', database: 'down', why: 'the database does not answer (ECONNREFUSED)' },
  ])
})
