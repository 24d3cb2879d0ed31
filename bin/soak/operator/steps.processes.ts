import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../apps/server/src/platform/postgres/embedded/server.ts'
import { redisServer, startRedis } from '../../../apps/server/testing/redis.ts'
import { endOne, leadProxy, type Month, seconds, startAll, startOne, stopAll } from './month.ts'

const NAMES = ['web-1', 'web-2', 'worker', 'channels']

/** Two processes for people, one for jobs, one for channels, in place of the one that did everything. */
export async function severalProcesses(month: Month): Promise<string> {
  const given = await redisServer()
  const redis = 'url' in given ? { url: given.url, end: () => {} } : await startRedis(await freePort())
  if (!redis) return 'not run: no redis-server is on the PATH, and TEST_REDIS_URL names no server'
  month.leftovers.add('the Redis server', redis.end)
  await stopAll(month)
  month.env = { ...month.env, REDIS_URL: redis.url }
  month.ports = new Map(await Promise.all(NAMES.map(async name => [name, await freePort()] as const)))
  leadProxy(month)
  const served = await startAll(month)
  return `${NAMES.join(', ')} serve after ${seconds(served)}`
}

/** Time for Meta and attendants to meet the processes that are left. */
const AWAY_MS = 4_000

const killed = async (month: Month, name: string) => {
  await endOne(month, name, 'kill')
  await sleep(AWAY_MS)
}

export async function killChannels(month: Month): Promise<string> {
  const [name] = [...month.ports.keys()].filter(one => one === 'channels' || one === 'all')
  await killed(month, name!)
  const served = await startOne(month, name!)
  const began = performance.now()
  await month.traffic!.goesOn()
  return `${name} served again after ${seconds(served)}, answers of all companies arrived ${seconds((performance.now() - began) / 1_000)} later`
}

export async function killWeb(month: Month): Promise<string> {
  if (!month.ports.has('web-1')) return 'not run: one process does everything'
  await killed(month, 'web-1')
  await month.traffic!.goesOn()
  const served = await startOne(month, 'web-1')
  return `web-2 served alone, web-1 again after ${seconds(served)}`
}
