import { globSync } from 'node:fs'
import { describe, vi } from 'vitest'
import { postgresServer } from '../../testing/postgres.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

/** Where people, programs or workers meet on the same rows, which a server alone lets them do at once. */
const MET =
  `auth,billingNotices,botConfigs,bots,campaigns,charges,connections,contactMerges,contactSheets,contacts,flows,
invoices,kanban,leads,messages,publicApi,schedules,tickets,users,webhooks`.replaceAll('\n', '')
/**
 * What the features are proven by over the embedded database, said again over a real server: here where several meet,
 * and every sentence by `npm run soak`.
 */
const named = process.env.EVERY_POINT === '1' ? '*' : `{${MET}}`
const features = globSync(`features/${named}/**/*.test.ts`, { cwd: new URL('..', import.meta.url) }).sort()
const server = await postgresServer()

const missing = 'missing' in server ? ` (${server.missing})` : ''
if (!missing) process.env.TEST_CARRIER = 'postgres'

for (const file of features)
  describe.skipIf(missing)(`on a PostgreSQL server: ${file}${missing}`, async () => {
    await import(/* @vite-ignore */ new URL(`../${file}`, import.meta.url).pathname)
  })
