import { globSync } from 'node:fs'
import { describe, test, vi } from 'vitest'
import { postgresServer } from '../../testing/postgres.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

/** Every sentence that the features are proven by over the embedded database, said again over a real server. */
const features = globSync('features/**/*.test.ts', { cwd: new URL('..', import.meta.url) }).sort()
const server = await postgresServer()

if ('missing' in server)
  test.skipIf(true)(`the features on a PostgreSQL server (${server.missing})`, () => {})
else {
  process.env.TEST_CARRIER = 'postgres'
  for (const file of features)
    describe(`on a PostgreSQL server: ${file}`, async () => {
      await import(/* @vite-ignore */ new URL(`../${file}`, import.meta.url).pathname)
    })
}
