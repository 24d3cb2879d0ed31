import { seeded } from '@balcao/contract/campaigns.words.rules.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../testing/campaigns.ts'
import { type Carrier, freshDatabase } from '../../testing/database.ts'
import { postgresServer } from '../../testing/postgres.ts'
import { rowsOf } from '../../testing/rows.ts'
import { unlessInTheWay } from '../../testing/sending.ts'
import { openWorld, until, type World } from '../../testing/world.ts'
import { dueTopic } from '../platform/due.ts'
import { sql as tag } from '../platform/sql.ts'

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 120_000 })

const server = await postgresServer()
const missing = 'missing' in server ? server.missing : ''
const places: { name: string; carrier: Carrier; skip: string }[] = [
  { name: 'the embedded database', carrier: 'pglite', skip: '' },
  { name: 'a PostgreSQL server', carrier: 'postgres', skip: missing },
]

/** For a long look set SENDING_ROUNDS=100, and SOAK_SEED for other moments. */
const PAUSES = Number(process.env.SENDING_ROUNDS ?? 8)
const SEED = Number(process.env.SOAK_SEED ?? 1)
const PEOPLE = PAUSES * 12
const LINES = 2

describe.each(places)(
  'a campaign that is paused again and again on $name $skip',
  ({ name, carrier, skip }) => {
    let world: World
    let shop: Campaigns
    let campaignId: number
    beforeAll(async () => {
      if (skip) return
      world = await openWorld({}, { database: await freshDatabase(carrier) })
      const admin = await world.as('admin@balcao.test')
      const rows = rowsOf(world, admin)
      shop = await openCampaigns(world, admin, rows)
      const setup = await shop.setup({ whatsapps: [shop.line, await rows.connection()] })
      const messages = [{ greeting: 'Oi!', body: 'Ofertas da loja' }]
      campaignId = (await shop.make({ sendList: numbers(PEOPLE), messages }, setup.id)).id
    })
    afterAll(() => world?.close())

    const ask = async (question: string) => {
      const asked = world.platform.scopes.platform().transaction(sql => sql.execute(tag.raw(question)))
      return ((await asked) as { rows: Record<string, number>[] }).rows[0]!
    }
    const heard = () =>
      ask(`select count(*)::int as messages, count(distinct number)::int as people from simulator_messages
      where from_me and body in ('Oi!', 'Ofertas da loja')`)
    /** Its numbers are due at once, as though their pause were over. */
    const driveClocks = async () => {
      await unlessInTheWay(() =>
        world.database.script('update campaign_clocks set look_at = now() where look_at is not null'),
      )
      world.platform.signals.notify(dueTopic('campaigns'))
    }

    test.skipIf(skip)(
      'nothing leaves later than who was under way, and what left is what is counted',
      async () => {
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
          // every number is looked at again, with nobody under way over it
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
        console.log(
          `${name}: ${PAUSES} pauses with seed ${SEED}, ${underWay} under way at one, ${counts.sent} sent`,
        )
        await shop.act(campaignId, 'start')
        await until(async () => {
          await driveClocks()
          return (await shop.show(campaignId)).status === 'finalized'
        }, 600_000)
        expect(await heard()).toEqual({ people: PEOPLE, messages: 2 * PEOPLE })
      },
    )
  },
)
