import {
  type CampaignSetupInput,
  campaignSetupChannel,
  campaignSetups,
  NO_CONNECTION,
  TOO_MANY_BUTTONS,
} from '@balcao/contract/campaignSetups.ts'
import { queues } from '@balcao/contract/queues.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../../testing/campaigns.ts'
import { type Rows, rowsOf } from '../../../testing/rows.ts'
import { openWorld, type Person, until, type World } from '../../../testing/world.ts'

let world: World
let admin: Person
let caio: Person
let stranger: Person
let rows: Rows
let shop: Campaigns
beforeAll(async () => {
  world = await openWorld()
  admin = await world.as('admin@balcao.test')
  caio = await world.as('caio@balcao.test')
  stranger = await world.as('admin@outra.test')
  rows = rowsOf(world, admin)
  shop = await openCampaigns(world, admin, rows)
})
afterAll(() => world.close())

const buttons = (many: number) => ({
  text: 'Você tem interesse?',
  footer: 'Lume',
  buttons: Array.from({ length: many }, (_, at) => ({
    buttonId: String(at),
    buttonText: { displayText: `Botão ${at}` },
    type: 1,
  })),
})
const create = (body: object, who = admin) =>
  who.call(campaignSetups.create, { body: body as CampaignSetupInput })

test('a setup begins as the documents say, keeps every field, is found by its words, changed and deleted', async () => {
  const made = await admin.get(campaignSetups.create, { body: { name: 'Noite', whatsapps: [shop.line] } })
  expect(made).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{8}-/),
    ticketSetStatus: 'closed',
    tMax: 10,
    tMin: 2,
    interval: 30,
    autoStart: true,
    messageFooterType: 'none',
    jsonButtonOrList: null,
    webhookUrlConcluded: '',
    userId: admin.user.id,
    companyId: admin.user.companyId,
    whatsapps: [{ id: shop.line }],
  })
  const queueId = await rows.queue()
  const fields = {
    name: 'Manhã',
    ticketSetStatus: 'pending' as const,
    tMax: 60 as const,
    tMin: 10 as const,
    interval: 5 as const,
    autoStart: false,
    queueId,
    jsonButtonOrList: buttons(3),
    webhookUrlConcluded: 'https://exemplo.com.br/fim',
    messageFooterType: 'buttons' as const,
    dailyFrom: '08:00',
    dailyUntil: '18:00',
    weekdays: [1, 2, 3, 4, 5],
  }
  const params = { setupId: made.id }
  // how its connection stands is its own affair
  await until(
    async () => (await admin.get(campaignSetups.show, { params })).whatsapps[0]!.status === 'CONNECTED',
  )
  const changed = await admin.get(campaignSetups.change, { params, body: fields })
  expect(changed).toMatchObject({ ...fields, id: made.id, queue: { id: queueId } })
  expect(await admin.get(campaignSetups.show, { params })).toEqual(changed)
  const { campaignSetups: found } = await admin.get(campaignSetups.list, { query: { searchParam: 'MANH' } })
  expect(found).toEqual([changed])
  await admin.get(queues.remove, { params: { queueId } })
  expect(await admin.get(campaignSetups.show, { params })).toMatchObject({ queueId: null, queue: null })
  await admin.get(campaignSetups.remove, { params })
  expect((await admin.call(campaignSetups.show, { params })).body.error).toBe('ERR_NOT_FOUND')
})

test('a footer that is no longer offered is kept as it came (OP-94)', async () => {
  const body = { name: 'De antes', whatsapps: [shop.line], messageFooterType: 'list-disabled' as const }
  const { id } = await admin.get(campaignSetups.create, { body })
  const params = { setupId: id }
  await admin.get(campaignSetups.change, { params, body: { name: 'De agora', whatsapps: [shop.line] } })
  expect(await admin.get(campaignSetups.show, { params })).toMatchObject({
    name: 'De agora',
    messageFooterType: 'list-disabled',
  })
})

test('it needs connections of the company that are not its default, and no more than three buttons', async () => {
  const name = 'Tarde'
  expect((await create({ name, whatsapps: [] })).body).toMatchObject({
    field: 'whatsapps',
    message: NO_CONNECTION,
  })
  for (const whatsapps of [[admin.user.whatsappId], [stranger.user.whatsappId], [2_000_000_000]])
    expect(await create({ name, whatsapps })).toMatchObject({ status: 400, body: { field: 'whatsapps' } })
  expect((await create({ name, whatsapps: [shop.line], jsonButtonOrList: buttons(4) })).body).toMatchObject({
    message: TOO_MANY_BUTTONS,
  })
  for (const wrong of [
    { tMax: 11 },
    { tMin: 0 },
    { interval: 7 },
    { webhookUrlConcluded: 'ftp://x' },
    { dailyFrom: '25:00' },
  ])
    expect(await create({ name, whatsapps: [shop.line], ...wrong })).toMatchObject({
      status: 400,
      body: { error: 'ERR_BAD_REQUEST', field: Object.keys(wrong)[0] },
    })
  // an hour without the other says nothing, and neither does a list that is left out
  expect((await create({ name })).body).toMatchObject({ field: 'whatsapps', message: NO_CONNECTION })
  const oneEnd = await create({ name, whatsapps: [shop.line], dailyFrom: '08:00' })
  expect(oneEnd).toMatchObject({ status: 400, body: { field: 'dailyUntil' } })
})

test('a number that became the default stays in the setups that have it', async () => {
  const line = await rows.connection()
  const { id: setupId } = (await create({ name: 'Noite', whatsapps: [line] })).body
  const makeDefault = (id: number | null) =>
    world.database.script(`update whatsapps set is_default = false where company_id = ${admin.user.companyId};
      update whatsapps set is_default = true where id = ${id}`)
  await makeDefault(line)
  const kept = await admin.call(campaignSetups.change, { params: { setupId }, body: { whatsapps: [line] } })
  await makeDefault(admin.user.whatsappId)
  expect([kept.status, kept.body.whatsapps?.map(({ id }) => id)]).toEqual([200, [line]])
})

test('admins and whoever made it change it, others read it, another company finds nothing (CSETUP-020)', async () => {
  const made = await shop.setup()
  const params = { setupId: made.id }
  const body = { name: 'Outra' }
  expect((await caio.call(campaignSetups.change, { params, body })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await caio.call(campaignSetups.remove, { params })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await caio.get(campaignSetups.show, { params })).id).toBe(made.id)
  const own = await caio.get(campaignSetups.create, { body: { name: 'De Caio', whatsapps: [shop.line] } })
  expect((await caio.call(campaignSetups.remove, { params: { setupId: own.id } })).status).toBe(200)
  for (const route of [campaignSetups.show, campaignSetups.remove, campaignSetups.showSecret])
    expect((await stranger.call(route as typeof campaignSetups.show, { params })).body.error).toBe(
      'ERR_NOT_FOUND',
    )
  expect((await stranger.get(campaignSetups.list)).campaignSetups).toEqual([])
})

test('one that a campaign needs stays', async () => {
  const setup = await shop.setup()
  const params = { setupId: setup.id }
  const made = await shop.make(
    { sendList: numbers(1), schedule: new Date(Date.now() + 3_600_000).toISOString() },
    setup.id,
  )
  expect((await admin.call(campaignSetups.remove, { params })).body.error).toBe('ERR_SETUP_IN_USE')
  await shop.act(made.id, 'finalized')
  await admin.get(campaignSetups.remove, { params })
  expect(await shop.show(made.id)).toMatchObject({ campaignSetupId: null, campaignSetup: null })
})

test('every change is heard by the whole company, and by no other', async () => {
  const [heard, elsewhere] = [
    await caio.hear(campaignSetupChannel),
    await stranger.hear(campaignSetupChannel),
  ]
  const made = await admin.get(campaignSetups.create, { body: { name: 'Ouvida', whatsapps: [shop.line] } })
  await admin.get(campaignSetups.remove, { params: { setupId: made.id } })
  await until(() => heard.length === 2)
  expect(heard).toEqual([
    { action: 'create', campaignSetup: made },
    { action: 'delete', campaignSetupId: made.id },
  ])
  expect(elsewhere).toEqual([])
})
