import '../src/platform/drizzle/loading.ts'
import type { Feature } from '../src/platform/features.ts'

// The product, whose billing hears of the time from a test: POST /testing/billing?now= does everything that is due at that
// moment, GET says how much is still on its way. What of it looks at the real clock is left out.

const { billAll } = await import('../src/features/invoices/invoices.jobs.ts')
const { remindAll } = await import('../src/features/billingNotices/billingNotices.plan.ts')
const { sendDueNotices } = await import('../src/features/billingNotices/billingNotices.send.ts')
const { startProduct } = await import('../src/platform/app.ts')
const { readConfig } = await import('../src/platform/config.ts')
const { rowsFrom, sql: tag } = await import('../src/platform/sql.ts')
const { product } = await import('../src/product.ts')
const { firstDay } = await import('../src/seed/first-start.ts')

const UNDER_WAY = tag`select (select count(*) from mails where state = 'waiting')::int as mails,
  (select count(*) from billing_notices where state = 'leaving')::int as notices`

const billing: Feature = {
  name: 'billing',
  raw: [
    {
      method: 'POST',
      path: '/testing/billing',
      says: 'What is due at a moment is invoiced, planned and sent.',
      async handle(platform, { query }) {
        const { scopes, config } = platform
        const now = new Date(String(query.now))
        await billAll(scopes, config, now)
        await remindAll(scopes, now)
        while (await sendDueNotices(platform, now));
        return { status: 200 }
      },
    },
    {
      method: 'GET',
      path: '/testing/billing',
      says: 'How many letters and notices are on their way.',
      async handle({ scopes }) {
        const [left] = await scopes.platform().transaction(sql => rowsFrom(sql, UNDER_WAY))
        return { status: 200, text: JSON.stringify(left) }
      },
    },
  ],
}

/** A year passes in minutes: more letters leave at once than those of a real one. */
const LETTERS_AT_ONCE = 40

function toldTheTime(feature: Feature): Feature {
  const { name, due = [], jobs = [] } = feature
  if (name === 'invoices') return { ...feature, chores: [] }
  if (name === 'billingNotices')
    return { ...feature, chores: [], due: due.filter(one => one.name !== 'billingNotices') }
  if (name === 'mails') return { ...feature, jobs: jobs.map(job => ({ ...job, atOnce: LETTERS_AT_ONCE })) }
  return feature
}

const features = [...product.features.map(toldTheTime), billing]
const running = await startProduct(readConfig(process.env), { ...product, features, seed: firstDay })
console.log(`Balcão serves ${running.url}`)
process.on('SIGTERM', () => void running.stop().then(() => process.exit(0)))
