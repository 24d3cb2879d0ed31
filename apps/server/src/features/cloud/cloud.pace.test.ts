import { createHmac } from 'node:crypto'
import { connections } from '@balcao/contract/connections.ts'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CloudScene, setCloudScene } from '../../../testing/cloud.ts'
import { until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

const MANY = 1_000
const LANES = 48

let scene: CloudScene
beforeAll(async () => {
  scene = await setCloudScene({ number: '551130000003' })
})
afterAll(() => scene.end())

/** Statuses of messages that are not ours: what is measured is the road from the signature to the row and off it. */
function posted(at: number) {
  const status = {
    id: `wamid.P${at}`,
    status: 'delivered',
    timestamp: '1790000000',
    recipient_id: '5511999990000',
  }
  const value = { metadata: { phone_number_id: scene.meta.number.id }, statuses: [status] }
  const body = JSON.stringify({ entry: [{ id: '1', changes: [{ field: 'messages', value }] }] })
  const signature = `sha256=${createHmac('sha256', scene.meta.app.secret).update(body).digest('hex')}`
  return { body, headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature } }
}

test('a thousand signed webhooks are written down at once and worked off, none lost', {
  timeout: 120_000,
}, async () => {
  const params = { whatsappId: scene.whatsappId }
  await scene.admin.get(connections.disconnect, { params })
  await until(async () => (await scene.status()) === 'DISCONNECTED', 20_000)
  const dispatcher = new Agent({ connections: LANES })
  const calls = Array.from({ length: MANY }, (_, at) => posted(at))
  const next = calls.values()
  const began = performance.now()
  const cpu = process.cpuUsage()
  const lane = async () => {
    for (const call of next) {
      const answer = await request(scene.webhook, { method: 'POST', dispatcher, ...call })
      await answer.body.dump()
      expect(answer.statusCode).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  const seconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    `signed webhooks: ${Math.round(MANY / seconds)}/s answered by one process, caller and all, ${Math.round((user + system) / MANY)} µs of processor each`,
  )
  const count = async (which: string) => {
    const rows = await scene.world.platform.scopes
      .platform()
      .transaction(sql =>
        rowsFrom<{ n: number }>(sql, tag.raw(`select count(*)::int as n from cloud_deliveries ${which}`)),
      )
    return rows[0]!.n
  }
  const opened = performance.now()
  await scene.admin.get(connections.start, { params })
  await until(async () => (await count('where handled_at is null')) === 0, 90_000)
  const all = (performance.now() - opened) / 1_000
  console.log(`signed webhooks: ${Math.round(MANY / all)}/s worked off by the owner of the number`)
  expect(await count("where body like '%wamid.P%'")).toBe(MANY)
  await dispatcher.close()
})
