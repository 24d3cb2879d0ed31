import { seeded } from '@balcao/contract/campaigns.words.rules.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../testing/campaigns.ts'
import { reportFound } from '../../testing/found.ts'
import { rowsOf } from '../../testing/rows.ts'
import { rounds, SEED } from '../../testing/sample.ts'
import { unlessInTheWay } from '../../testing/sending.ts'
import { openTestApp, type TestApp, until } from '../../testing/test-app.ts'
import { sql as tag } from '../platform/postgres/sql.ts'
import { dueTopic } from '../platform/work/due.ts'

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 240_000 })

/** For a long look set SENDING_ROUNDS=100, and SOAK_SEED for other moments. */
const PAUSES = Number(process.env.SENDING_ROUNDS ?? rounds(4, 8))
const PEOPLE = PAUSES * 12
const LINES = 2

describe('a campaign that is paused again and again', () => {
  let app: TestApp
  let shop: Campaigns
  let campaignId: number
  beforeAll(async () => {
    app = await openTestApp()
    const admin = await app.as('admin@balcao.test')
    const rows = rowsOf(app, admin)
    shop = await openCampaigns(app, admin, rows)
    const setup = await shop.setup({ whatsapps: [shop.line, await rows.connection()] })
    const messages = [{ greeting: 'Oi!', body: 'Ofertas da loja' }]
    campaignId = (await shop.make({ sendList: numbers(PEOPLE), messages }, setup.id)).id
  })
  afterAll(() => app?.close())

  const ask = async (question: string) => {
    const asked = app.platform.scopes.platform().transaction(sql => sql.execute(tag.raw(question)))
    return ((await asked) as { rows: Record<string, number>[] }).rows[0]!
  }
  const heard = () =>
    ask(`select count(*)::int as messages, count(distinct number)::int as people from simulator_messages
      where from_me and body in ('Oi!', 'Ofertas da loja')`)
  /** Its numbers are due at once, as though their pause were over. */
  const driveClocks = async () => {
    await unlessInTheWay(() =>
      app.database.script('update campaign_clocks set look_at = now() where look_at is not null'),
    )
    app.platform.signals.notify(dueTopic('campaigns'))
  }

  test('nothing leaves later than who was under way, and what left is what is counted [CAMP-040]', async () => {
    const draw = seeded(SEED)
    let underWay = 0
    for (let pause = 0; pause < PAUSES; pause++) {
      const left = (await heard()).people
      await shop.act(campaignId, 'start')
      const end = Date.now() + draw() * 120
      await until(async () => {
        await driveClocks()
        return Date.now() > end && (pause % 2 === 0 || (await heard()).people! > left!)
      })
      const { body } = await shop.act(campaignId, 'pause')
      expect(body.status).toBe('pause')
      expect(body.counts.sending).toBeLessThanOrEqual(LINES)
      underWay += body.counts.sending
      // every number is checked again, without a lease on it
      await until(async () => {
        await driveClocks()
        return (await ask('select count(look_at)::int as waiting from campaign_clocks')).waiting === 0
      }, 30_000)
      const { counts } = await shop.show(campaignId)
      const sent = body.counts.sent + body.counts.sending
      expect(counts).toMatchObject({ sent, sending: 0, failed: 0, pending: PEOPLE - sent })
      expect(await heard()).toEqual({ people: sent, messages: 2 * sent })
    }
    const { counts } = await shop.show(campaignId)
    console.log(`${PAUSES} pauses with seed ${SEED}, ${underWay} under way at one, ${counts.sent} sent`)
    await shop.act(campaignId, 'start')
    await until(async () => {
      await driveClocks()
      return (await shop.show(campaignId)).status === 'finalized'
    }, 600_000)
    const { people = 0, messages = 0 } = await heard()
    reportFound(PAUSES, { lost: PEOPLE - people, doubled: messages - 2 * people })
    expect({ people, messages }).toEqual({ people: PEOPLE, messages: 2 * PEOPLE })
  })
})
