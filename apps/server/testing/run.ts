import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../src/platform/postgres/embedded/server.ts'
import { startPooler } from './pooler.ts'
import { ask, serverUrl, urlOf } from './postgres.ts'
import { startRedis } from './redis.ts'
import { chooseSeed } from './sample.ts'
import { startTestServer } from './server.ts'

/**
 * Before the first test file: a PostgreSQL server, a Redis server where there is one to start, and a folder for what the
 * files of this run share. After the last all of it is gone. Each project of Vitest asks for it, and the first one gets
 * it. TEST_DATABASE_URL and TEST_REDIS_URL name other servers.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_RUN) return
  const folder = mkdtempSync(join(tmpdir(), 'balcao-run-'))
  process.env.TEST_RUN = folder
  // what Node made of the sources is kept for every process of this run, and for the next runs
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../../.balcao/compiled', import.meta.url))
  mkdirSync(join(folder, 'databases'))
  const own = process.env.TEST_DATABASE_URL ? null : await startTestServer()
  if (own) process.env.TEST_DATABASE_URL = own.url
  const redis = process.env.TEST_REDIS_URL ? null : await startRedis(await freePort())
  if (redis) process.env.TEST_REDIS_URL = redis.url
  // `npm run soak -- crash --pooler`
  const pooler = process.env.TEST_POOLER ? await startPooler(serverUrl()) : null
  if (pooler) process.env.TEST_POOLER = pooler.over(serverUrl())
  const seed = chooseSeed(process.env)
  if (process.env.EVERY_POINT !== '1')
    console.log(`sample seed ${seed}: SAMPLE_SEED=${seed} draws the same points`)
  return async () => {
    if (!own)
      for (const name of readdirSync(join(folder, 'databases')))
        await ask(serverUrl(), `drop database if exists ${name} with (force)`)
    await pooler?.end()
    await own?.end()
    await redis?.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

const folder = () => process.env.TEST_RUN!

/** Makes something that others copy, once a run; answers the maker's result. */
export async function madeOnce(name: string, make: () => Promise<string>): Promise<string> {
  const path = join(folder(), name)
  while (!existsSync(path)) {
    if (!isMine(`${path}.lock`)) await sleep(50)
    else {
      try {
        writeFileSync(`${path}.new`, await make())
        renameSync(`${path}.new`, path)
      } finally {
        rmSync(`${path}.lock`, { recursive: true, force: true })
      }
    }
  }
  return readFileSync(path, 'utf8')
}

/** Whether this is the first who asks. */
function isMine(lock: string) {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

/** A folder of this run. */
export function sharedFolder(name: string): string {
  const path = join(folder(), name)
  mkdirSync(path, { recursive: true })
  return path
}

/** An empty database of this run. */
export async function sharedDatabase(as: string): Promise<{ url: string; name: string }> {
  const name = `${basename(folder()).toLowerCase().replaceAll('-', '_')}_${as}`
  writeFileSync(join(folder(), 'databases', name), '')
  await ask(serverUrl(), `create database ${name}`)
  return { url: urlOf(name), name }
}
