import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../../testing/campaigns.ts'
import { rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { itemsOf } from '../../platform/features.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { product } from '../../product.ts'
import { firstDay } from '../../seed/first-start.ts'
import { acknowledge } from '../messages/outbox/receipts.actions.ts'
import { sendDueCampaigns } from './run/run.worker.ts'

let app: TestApp
let admin: Person
let shop: Campaigns
let lines: number[]
beforeAll(async () => {
  // no other statements reach the database meanwhile
  const features = product.features.map(feature => ({ ...feature, jobs: itemsOf([feature], 'job') }))
  app = await openTestApp({}, { product: { ...product, features, roles: [], seed: firstDay } })
  admin = await app.as('admin@balcao.test')
  const rows = await inCompany<{ id: number }>(
    tag`insert into whatsapps (company_id, name, lib, status) select ${admin.user.companyId}::int, 'Linha ' || n, 'simulator', 'CONNECTED'
      from generate_series(1, 8) n returning id`,
  )
  lines = rows.map(({ id }) => id)
  shop = await openCampaigns(app, admin, rowsOf(app, admin), lines[0])
})
afterAll(() => app.close())

const scope = () => app.platform.scopes.inCompany(admin.user.companyId)
const inCompany = <Row>(query: ReturnType<typeof tag>) =>
  scope().transaction(tx => rowsFrom<Row>(tx.sql, query))

async function cost(work: () => Promise<unknown>) {
  const before = app.database.statements()
  await work()
  return app.database.statements() - before
}

/** Statements for one person on each of these connections: to be written to, and to have received everything. */
async function costs(own: number[]) {
  const setup = await shop.setup({ whatsapps: own })
  const messages = [{ greeting: 'Oi {{nome|tudo bem}}!', body: 'Novidades' }]
  const { id } = await shop.make({ sendList: numbers(own.length + 1), messages }, setup.id)
  await shop.act(id, 'start')
  const { scopes, memory, log } = app.platform
  const turns = await cost(() => sendDueCampaigns({ scopes, memory, log, stopping: () => false }))
  const posted = await inCompany<{ whatsappId: number; externalId: string }>(
    tag`select whatsapp_id as "whatsappId", external_id as "externalId" from messages
      where company_id = ${admin.user.companyId} and source = 'campaign' and waits`,
  )
  expect(posted.map(({ whatsappId }) => whatsappId).sort()).toEqual([...own, ...own].sort())
  const outcomes = await cost(() =>
    scope().transaction(tx =>
      acknowledge(
        tx,
        posted.map(one => ({ ...one, ack: 2 })),
      ),
    ),
  )
  expect((await shop.show(id)).counts).toMatchObject({ sent: own.length, sending: 0, pending: 1 })
  expect(await shop.act(id, 'finalized')).toMatchObject({ status: 200 })
  return { turns, outcomes }
}

test('people of a campaign over several connections cost as many statements as one person', async () => {
  // the platform looks into its own tables now and then, beside what is counted
  const equal = await until(async () => {
    const [alone, many] = [await costs(lines.slice(0, 1)), await costs(lines)]
    return JSON.stringify(alone) === JSON.stringify(many) && many
  })
  expect(equal.turns).toBeLessThanOrEqual(27)
  expect(equal.outcomes).toBeLessThanOrEqual(11)
})
