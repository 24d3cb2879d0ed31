import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { connections } from '@balcao/contract/connections.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { numbers } from '../../testing/campaigns.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 180_000 })

describe('kill -9 where several connections of a company are served by one commit', () => {
  let store: Store
  let product: Process
  let admin: Person
  const lines: number[] = []
  let token: string

  const start = async () => {
    // the leases of the dead process have run out by then
    if (product) await store.endLeases()
    product = await startProcess({ ...store.env, LOG_LEVEL: 'error' })
    admin = await enter(product.url, 'admin@balcao.test')
  }
  beforeAll(async () => {
    store = await freshStore()
    await start()
    for (const name of ['Um', 'Dois']) {
      const { id: whatsappId } = await admin.get(connections.create, { body: { name, lib: 'simulator' } })
      await admin.get(connections.start, { params: { whatsappId } })
      lines.push(whatsappId)
    }
    const body = { name: 'Ritmo', whatsapps: lines, autoStart: false }
    token = (await admin.get(campaignSetups.create, { body })).id
    await store.rows('update campaign_setups set t_min = 0, t_max = 0, interval_seconds = 0')
  })
  afterAll(async () => {
    await product?.stop()
    await store?.remove()
  })

  const points = [
    ['when its messages are rows', 'features/campaigns/run/message.actions.ts#postMessages:after'],
    ['at the end of the turn', 'features/campaigns/run/status.actions.ts#changePeople:after'],
    ['when it is marked', 'features/messages/outbox/outbox.queries.ts#beginSending:after'],
    ['after it left, before the outcome', 'features/simulator/simulator.actions.ts#deliver:after'],
    ['before its outcome is settled', 'features/campaigns/run/outcome.actions.ts#settlePosts:before'],
    ['at the end of its outcome', 'features/campaigns/run/outcome.actions.ts#settlePosts:after'],
  ] as const
  test.each(sample(points, 2))('%s: everyone is written to once, and is counted once', async (_, point) => {
    const sendList = numbers(5)
    const { id: campaignId } = await admin.get(campaigns.createWhole, {
      headers: { authorization: `Bearer ${token}` },
      body: { name: 'Ofertas', messages: [{ greeting: 'Oi!', body: 'Ofertas da loja' }], sendList },
    })
    await product.dieAt(point)
    // the answer may die with the process
    await admin.call(campaigns.process, { params: { campaignId, action: 'start' } }).catch(() => {})
    expect(await product.ended).toBe('SIGKILL')
    await start()
    const { counts } = await until(async () => {
      const { campaign } = await admin.get(campaigns.show, { params: { campaignId } })
      return campaign.status === 'finalized' && campaign
    }, 60_000)
    expect(counts).toMatchObject({ total: 5, sent: 5, sending: 0, failed: 0, pending: 0 })
    for (const number of sendList) {
      const chats = lines.map(whatsappId => admin.get(simulator.chat, { params: { whatsappId, number } }))
      expect((await Promise.all(chats)).flat().map(({ body }) => body)).toEqual(['Oi!', 'Ofertas da loja'])
    }
  })
})
