import { connections } from '@balcao/contract/connections.ts'
import { importChannel } from '@balcao/contract/imports.ts'
import { inventPast } from '@balcao/whatsapp-server/past.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trustFor } from '@balcao/whatsapp-server/trust.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Process, runToEnd, startProcess } from '../../testing/process.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'
import { SHOP } from '../../testing/whatsapp.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 })

const CHATS = 12
const EACH = 40
const STARTS_THAT_DIE = [
  'features/imports/imports.queries.ts#dequeueStaged:after',
  'features/messages/history/imported.queries.ts#insertOld:after',
]

let store: Store
let whatsapp: WhatsAppServer
let product: Process
let admin: Person
let whatsappId: number

const env = () => {
  const { args, env } = trustFor(whatsapp)
  return { ...store.env, ...env, NODE_OPTIONS: args.join(' '), WHATSAPP_WEB_URL: whatsapp.url }
}
const start = async () => {
  product = await startProcess(env())
  admin = await enter(product.url, 'admin@balcao.test')
}
const show = () => admin.get(connections.show, { params: { whatsappId } })

beforeAll(async () => {
  store = await freshStore()
  whatsapp = await startWhatsAppServer()
  await start()
})
afterAll(async () => {
  await product?.stop()
  await whatsapp?.close()
  await store?.remove()
})

test('an import that dies again and again is taken up where it stood: every old message is here, once', async () => {
  const upTo = new Date().toISOString()
  const old = { importOldMessages: '2020-01-01', importRecentMessages: upTo }
  const added = await admin.get(connections.create, { body: { name: 'Antiga', lib: 'baileys', ...old } })
  whatsappId = added.id
  const shop = await whatsapp.addPhone(SHOP, { name: 'Padaria' })
  await admin.get(connections.renew, { params: { whatsappId }, body: {} })
  const qr = await until(async () => (await show()).qrcode, 20_000)
  // while it stores the phone's history; then with part of it imported, before the commit
  await product.dieAt('features/imports/imports.queries.ts#writeDown:after')
  await shop.scan(qr, {
    past: inventPast({ of: SHOP, chats: CHATS, messages: EACH, days: 300, until: upTo }),
  })
  expect(await product.ended).toBe('SIGKILL')
  for (const point of sample(STARTS_THAT_DIE, 1)) {
    const { how } = await runToEnd({ ...env(), DIE_AT: point })
    expect(how).toBe('SIGKILL')
  }
  await start()
  const moved = await admin.subscribe(importChannel)
  const began = performance.now()
  // It may complete before the test subscribes: then it is silent, and the rows show the result.
  let [last, heard] = [began, 0]
  await until(() => {
    if (moved.length > heard) [last, heard] = [performance.now(), moved.length]
    return moved.some(({ status }) => status.this === CHATS * EACH) || performance.now() - last > 15_000
  }, 120_000)
  console.log(`taken up and finished or silent ${Math.round(performance.now() - began)} ms after the start`)
  await product.stop()
  const [found] =
    await store.rows(`select count(*)::int as all, count(distinct (m.external_id, m.from_me))::int as ids,
    count(distinct m.ticket_id)::int as tickets, (select count(*)::int from import_messages) as left,
    (select done from imports where whatsapp_id = ${whatsappId}) as done
    from messages m where m.whatsapp_id = ${whatsappId}`)
  console.log('an import killed again and again:', found)
  expect(found).toEqual({ all: CHATS * EACH, ids: CHATS * EACH, tickets: CHATS, left: 0, done: CHATS * EACH })
})
