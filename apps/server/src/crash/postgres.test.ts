import { globSync } from 'node:fs'
import { describe, vi } from 'vitest'
import { postgresServer } from '../../testing/postgres.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

/** Every sentence that the features are proven by over the embedded database, said again over a real server. */
const features = globSync('features/**/*.test.ts', { cwd: new URL('..', import.meta.url) }).sort()
const server = await postgresServer()

const missing = 'missing' in server ? ` (${server.missing})` : ''
if (!missing) process.env.TEST_CARRIER = 'postgres'

for (const file of features)
  describe.skipIf(missing)(`on a PostgreSQL server: ${file}${missing}`, async () => {
    await import(/* @vite-ignore */ new URL(`../${file}`, import.meta.url).pathname)
  })
