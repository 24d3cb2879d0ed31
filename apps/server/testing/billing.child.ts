import '../src/platform/startup/loading.ts'
import type { Feature } from '../src/platform/features.ts'

// The product, whose billing gets its time from a test: POST /testing/billing?now= does everything that is due at that
// moment, GET answers how much is still on its way. The parts that read the real clock are left out.

const { billAll } = await import('../src/features/invoices/invoices.jobs.ts')
const { remindAll } = await import('../src/features/billingNotices/billingNotices.reminders.actions.ts')
const { itemsOf } = await import('../src/platform/features.ts')
const { serveRaw } = await import('../src/platform/http/routes.ts')
const { rowsFrom, sql: tag } = await import('../src/platform/postgres/sql.ts')
const { product } = await import('../src/product.ts')
const { firstDay } = await import('../src/seed/first-start.ts')
const { serveAsChild } = await import('./child.ts')
const { sendAllDueNotices } = await import('./due-notices.ts')

const UNDER_WAY = tag`select (select count(*) from mails where state = 'waiting')::int as mails,
  (select count(*) from billing_notices where state = 'leaving')::int as notices`

/** Payments are of the real clock: their thanks, due at no time so far (see `THANKS_WAIT`), are written at this moment instead. */
const thanksOf = (
  now: Date,
) => tag`update billing_notices set created_at = ${now.toISOString()}, due_at = ${now.toISOString()}
  where kind = 'invoiceConfirmedPayment' and state = 'waiting'`

const billing: Feature = {
  name: 'billing',
  routes: [
    serveRaw({
      method: 'POST',
      path: '/testing/billing',
      summary: 'What is due at a moment is invoiced, planned and sent.',
      async handle(platform, { query }) {
        const { scopes, config } = platform
        const now = new Date(String(query.now))
        await billAll(scopes, config, now)
        await remindAll(scopes, now)
        await scopes.platform().transaction(sql => sql.execute(thanksOf(now)))
        await sendAllDueNotices(platform, now)
        return { status: 200 }
      },
    }),
    serveRaw({
      method: 'GET',
      path: '/testing/billing',
      summary: 'How many letters and notices are on their way.',
      async handle({ scopes }) {
        const [left] = await scopes.platform().transaction(sql => rowsFrom(sql, UNDER_WAY))
        return { status: 200, text: JSON.stringify(left) }
      },
    }),
  ],
}

/** A year passes in minutes: more letters leave at once than those of a real one. */
const LETTERS_AT_ONCE = 40

function toldTheTime(feature: Feature): Feature {
  const { name, jobs = [] } = feature
  if (name === 'invoices') return { ...feature, jobs: [] }
  if (name === 'billingNotices')
    return { ...feature, jobs: itemsOf([feature], 'due').filter(one => one.name !== 'billingNotices') }
  if (name === 'mails')
    return {
      ...feature,
      jobs: jobs.map(one => (one.kind === 'job' ? { ...one, atOnce: LETTERS_AT_ONCE } : one)),
    }
  return feature
}

const features = [...product.features.map(toldTheTime), billing]
await serveAsChild({ ...product, features, seed: firstDay })
