import { randomUUID } from 'node:crypto'
import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { bots } from '@balcao/contract/bots.ts'
import {
  type CampaignSetupInput,
  campaignSetupChannel,
  campaignSetups,
  NO_CONNECTION,
  TOO_MANY_BUTTONS,
} from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { invitations } from '@balcao/contract/invitations.ts'
import { queues } from '@balcao/contract/queues.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { users } from '@balcao/contract/users.ts'
import { webhooks } from '@balcao/contract/webhooks.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../../testing/campaigns.ts'
import { type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let caio: Person
let stranger: Person
let rows: Rows
let shop: Campaigns
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  caio = await app.as('caio@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
  shop = await openCampaigns(app, admin, rows)
})
afterAll(() => app.close())

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

test('a setup begins as the documents say, keeps every field, is found by its words, changed and deleted [ENTITY-016, ENTITY-017, CSETUP-004 … CSETUP-008, CSETUP-012 … CSETUP-014]', async () => {
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
  // the status of its connection is not part of it
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

test('a setup whose button names what was deleted is saved without it, and takes nothing else that is unknown', async () => {
  const offer = (more: object) => ({
    ...buttons(2),
    buttons: buttons(2).buttons.map((one, at) => (at === 0 ? { ...one, ...more } : one)),
  })
  const queueId = await rows.queue()
  const made = (await create({ name: 'Feira', whatsapps: [shop.line], jsonButtonOrList: offer({ queueId }) }))
    .body
  await admin.get(queues.remove, { params: { queueId } })
  const save = (more: object) =>
    admin.call(campaignSetups.change, {
      params: { setupId: made.id },
      body: { jsonButtonOrList: offer(more) },
    })
  expect((await save({ queueId, tagId: 2_000_000_000 })).body.error).toBe('ERR_NO_TAG_FOUND')
  const [first] = (await save({ queueId })).body.jsonButtonOrList!.buttons
  expect(first).toMatchObject({ buttonText: { displayText: 'Botão 0' }, queueId: null })
  expect((await save({ queueId })).body.error).toBe('ERR_NO_QUEUE_FOUND')
})

test('a footer that is no longer offered is kept as it came (OP-94) [OP-94]', async () => {
  const body = { name: 'De antes', whatsapps: [shop.line], messageFooterType: 'list-disabled' as const }
  const { id } = await admin.get(campaignSetups.create, { body })
  const params = { setupId: id }
  await admin.get(campaignSetups.change, { params, body: { name: 'De agora', whatsapps: [shop.line] } })
  expect(await admin.get(campaignSetups.show, { params })).toMatchObject({
    name: 'De agora',
    messageFooterType: 'list-disabled',
  })
})

test('it needs connections of the company that are not its default, and no more than three buttons [CSETUP-009 … CSETUP-010, CSETUP-016]', async () => {
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
  // one hour without the other is ignored, and so is a list that is left out
  expect((await create({ name })).body).toMatchObject({ field: 'whatsapps', message: NO_CONNECTION })
  const oneEnd = await create({ name, whatsapps: [shop.line], dailyFrom: '08:00' })
  expect(oneEnd).toMatchObject({ status: 400, body: { field: 'dailyUntil' } })
})

test('a number that became the default stays in the setups that have it', async () => {
  const line = await rows.connection()
  const { id: setupId } = (await create({ name: 'Noite', whatsapps: [line] })).body
  const makeDefault = (id: number | null) =>
    app.database.script(`update whatsapps set is_default = false where company_id = ${admin.user.companyId};
      update whatsapps set is_default = true where id = ${id}`)
  await makeDefault(line)
  const kept = await admin.call(campaignSetups.change, { params: { setupId }, body: { whatsapps: [line] } })
  await makeDefault(admin.user.whatsappId)
  expect([kept.status, kept.body.whatsapps?.map(({ id }) => id)]).toEqual([200, [line]])
})

test('admins and whoever made it change it, others read it, another company finds nothing (CSETUP-020) [OP-96, CSETUP-020]', async () => {
  const made = await shop.setup()
  const params = { setupId: made.id }
  const body = { name: 'Outra' }
  expect((await caio.call(campaignSetups.change, { params, body })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await caio.call(campaignSetups.remove, { params })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await caio.get(campaignSetups.show, { params })).id).toBe(made.handle)
  const own = await caio.get(campaignSetups.create, { body: { name: 'De Caio', whatsapps: [shop.line] } })
  expect((await caio.call(campaignSetups.remove, { params: { setupId: own.id } })).status).toBe(200)
  for (const route of [campaignSetups.show, campaignSetups.remove, campaignSetups.showSecret])
    expect((await stranger.call(route as typeof campaignSetups.show, { params })).body.error).toBe(
      'ERR_NOT_FOUND',
    )
  expect((await stranger.get(campaignSetups.list)).campaignSetups).toEqual([])
})

test('what makes campaigns in its owner’s name is told to admins and the owner; others know it by a handle [OP-96]', async () => {
  const pushes = await caio.subscribe(campaignSetupChannel)
  const ours = await admin.subscribe(campaignSetupChannel)
  const made = await shop.setup({ name: 'Da chefe' })
  const query = { searchParam: 'Da chefe' }
  const [seen] = (await caio.get(campaignSetups.list, { query })).campaignSetups
  expect([seen!.id, seen!.handle]).toEqual([made.handle, made.handle])
  expect((await admin.get(campaignSetups.list, { query })).campaignSetups[0]!.id).toBe(made.id)
  await until(() => pushes.length > 0 && ours.length > 0)
  expect(JSON.stringify(ours)).toContain(made.id)
  expect(JSON.stringify(pushes)).not.toContain(made.id)

  const whole = { name: 'Oferta', messages: [{ body: 'Oi' }], sendList: numbers(1) }
  const byHandle = await app.anonymous.call(campaigns.createWhole, {
    body: whole,
    headers: { authorization: `Bearer ${seen!.id}` },
  })
  expect([byHandle.status, byHandle.body.error]).toEqual([401, 'ERR_NO_SESSION'])
  // in the own name, from the screen
  const form = { campaign: JSON.stringify({ ...whole, campaignSetupId: seen!.id }) }
  const own = await caio.get(campaigns.createOwn, { body: form })
  const lost = { ...whole, campaignSetupId: randomUUID() }
  expect((await caio.call(campaigns.createOwn, { body: lost })).body).toMatchObject({
    error: 'ERR_NOT_FOUND',
    field: 'campaignSetupId',
  })
  expect(own).toMatchObject({ userId: caio.user.id, campaignSetupId: made.handle })
  const sent = JSON.stringify([
    await caio.get(campaigns.list),
    await caio.get(campaigns.show, { params: { campaignId: own.id } }),
    await caio.get(campaigns.process, { params: { campaignId: own.id, action: 'finalized' } }),
  ])
  expect(sent).not.toContain(made.id)
  expect(await shop.show(own.id)).toMatchObject({ campaignSetupId: made.id })
  const elsewhere = await stranger.call(campaignSetups.show, { params: { setupId: made.handle } })
  expect(elsewhere.body.error).toBe('ERR_NOT_FOUND')
  await shop.act(own.id, 'finalized')
})

/** An admin with one of everything that acts in his name. */
async function leaver() {
  const userId = await rows.user()
  const { email } = await admin.get(users.show, { params: { userId } })
  await admin.get(users.change, { params: { userId }, body: { profile: 'admin', userAuthorizationId: null } })
  const who = await app.as(email)
  const setup = await who.get(campaignSetups.create, { body: { name: 'Dele', whatsapps: [shop.line] } })
  const campaign = await shop.make(
    { sendList: numbers(1), schedule: new Date(Date.now() + 3_600_000).toISOString() },
    setup.id,
  )
  const bot = await who.get(bots.addSetup, {
    body: { name: 'Robô dele', whatsapps: [await rows.connection()] },
  })
  const { id: token } = await who.get(apiTokens.create, { body: { name: 'Dele', whatsappId: shop.line } })
  const { id: webhookId } = await who.get(webhooks.create, {
    body: { name: 'Dele', url: 'https://dele.example.com/', events: ['message.received'] },
  })
  const { invitation } = await who.get(invitations.create, {
    body: {
      email: `de-volta${userId}@balcao.test`,
      userAuthorizationId: admin.user.userAuthorizationId,
      whatsappId: admin.user.whatsappId,
      queueIds: [admin.user.queues[0]!.id],
    },
  })
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  const schedule = await who.get(schedules.create, {
    params: { companyId: admin.user.companyId },
    body: { contactId: await rows.contact(), body: 'Até amanhã', sendAt },
  })
  const made = { setup, campaign, bot, token, webhookId, invitation, schedule }
  return { who, userId, ...made }
}
const anew = (token: string) =>
  app.anonymous.call(campaigns.createWhole, {
    body: { name: 'De fora', messages: [{ body: 'Oi' }], sendList: numbers(1) },
    headers: { authorization: `Bearer ${token}` },
  })

test('what belongs to a user who is deleted is named, and stops [OP-70]', async () => {
  const left = await leaver()
  const params = { userId: left.userId }
  const { belongings } = await admin.get(users.belongings, { params })
  expect(belongings.map(({ kind, count }) => [kind, count]).toSorted()).toEqual([
    ['apiTokens', 1],
    ['bots', 1],
    ['campaignSetups', 1],
    ['campaigns', 1],
    ['invitations', 1],
    ['schedules', 1],
    ['webhooks', 1],
  ])
  expect(belongings.find(({ kind }) => kind === 'bots')!.names).toEqual(['Robô dele'])
  expect((await caio.call(users.belongings, { params })).status).toBe(403)
  expect((await stranger.call(users.belongings, { params })).body.error).toBe('ERR_NO_USER_FOUND')
  await admin.get(users.remove, { params })
  const refused = await anew(left.setup.id)
  expect([refused.status, refused.body.error]).toEqual([401, 'ERR_NO_SESSION'])
  expect(await shop.show(left.campaign.id)).toMatchObject({
    status: 'pause',
    pauseReason: 'ownerLeft',
    userId: null,
  })
  expect(await admin.get(bots.showSetup, { params: { botSetupId: left.bot.id } })).toMatchObject({
    userId: null,
    whatsapps: [],
  })
  const tokens = await admin.call(apiTokens.show, { params: { tokenId: left.token } })
  expect(tokens.status).toBe(404)
  expect(await admin.get(webhooks.show, { params: { webhookId: left.webhookId } })).toMatchObject({
    isActive: false,
    offReason: 'ownerLeft',
  })
  const invited = await admin.get(invitations.list)
  expect(JSON.stringify(invited)).not.toContain(left.invitation.email)
  const planned = await admin.get(schedules.show, { params: { scheduleId: left.schedule.id } })
  expect(planned).toMatchObject({ userId: null, planned: false })
  await shop.act(left.campaign.id, 'finalized')
})

test('or goes to a colleague of the same company [OP-70]', async () => {
  const left = await leaver()
  const params = { userId: left.userId }
  for (const heirId of [left.userId, stranger.user.id, 2_000_000_000]) {
    const { status, body } = await admin.call(users.remove, { params, query: { heirId } })
    expect([status, body.error, body.field]).toEqual([404, 'ERR_NO_USER_FOUND', 'heirId'])
  }
  await admin.get(users.remove, { params, query: { heirId: caio.user.id } })
  const his = { userId: caio.user.id }
  expect(await shop.show(left.campaign.id)).toMatchObject({ ...his, status: 'scheduled' })
  expect(await admin.get(bots.showSetup, { params: { botSetupId: left.bot.id } })).toMatchObject({
    ...his,
    whatsapps: [{ id: expect.any(Number) }],
  })
  expect(await admin.get(apiTokens.show, { params: { tokenId: left.token } })).toMatchObject(his)
  expect(await admin.get(webhooks.show, { params: { webhookId: left.webhookId } })).toMatchObject({
    isActive: true,
  })
  expect(await admin.get(schedules.show, { params: { scheduleId: left.schedule.id } })).toMatchObject({
    ...his,
    planned: true,
  })
  const made = await anew(left.setup.id)
  expect(made.body).toMatchObject(his)
  const { belongings } = await admin.get(users.belongings, { params: his })
  expect(belongings.map(({ kind }) => kind)).toContain('invitations')
  for (const { id } of [left.campaign, made.body]) await shop.act(id, 'finalized')
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
  const [pushes, elsewhere] = [
    await caio.subscribe(campaignSetupChannel),
    await stranger.subscribe(campaignSetupChannel),
  ]
  const made = await admin.get(campaignSetups.create, { body: { name: 'Ouvida', whatsapps: [shop.line] } })
  await admin.get(campaignSetups.remove, { params: { setupId: made.id } })
  await until(() => pushes.length === 2)
  expect(pushes).toEqual([
    { action: 'create', campaignSetup: { ...made, id: made.handle } },
    { action: 'delete', campaignSetupId: made.id },
  ])
  expect(elsewhere).toEqual([])
})
