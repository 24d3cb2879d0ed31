import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import type { CampaignChange, Recipients } from '@balcao/contract/campaignShapes.ts'
import { campaignChannelOf, campaigns, campaignsChannel } from '@balcao/contract/campaigns.ts'
import { contactSheets } from '@balcao/contract/contactSheets.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { tags } from '@balcao/contract/tags.ts'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../../testing/campaigns.ts'
import { newNumber, type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { photo } from '../../../testing/samples.ts'
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

const said = [{ body: 'Novidades' }]
const empty = async (fields: object = {}) =>
  admin.get(campaigns.create, {
    body: {
      name: `Campanha ${unique()}`,
      campaignSetupId: (await shop.setup()).id,
      messages: said,
      ...fields,
    },
  })
const add = (campaignId: number, body: object, who = admin) =>
  who.call(campaigns.addRecipients, { params: { campaignId }, body: body as Recipients })

test('a campaign is made empty or whole, listed newest first, changed, and deleted [OP-10, OP-29, CAMP-022, CAMP-043 … CAMP-044]', async () => {
  const made = await empty({ name: 'Natal' })
  expect(made).toMatchObject({
    status: 'created',
    schedule: null,
    userId: admin.user.id,
    counts: { total: 0 },
  })
  const whole = await shop.make({ name: 'Natal', greeting: 'Oi', sendList: numbers(1) })
  expect(whole.campaignMessages).toMatchObject([
    { greeting: 'Oi', body: 'Novidades da loja', typeMessage: 'text' },
  ])
  const { campaigns: listed } = await admin.get(campaigns.list, { query: { searchParam: 'natal' } })
  expect(listed.map(({ id }) => id)).toEqual([whole.id, made.id])
  const params = { campaignId: made.id }
  const other = await shop.setup()
  const body = { name: 'Páscoa', campaignSetupId: other.id, messages: [{ body: 'Ovos' }, { body: 'Pães' }] }
  expect(await admin.get(campaigns.change, { params, body })).toMatchObject({
    name: 'Páscoa',
    campaignSetup: { id: other.id },
    campaignMessages: [{ body: 'Ovos' }, { body: 'Pães' }],
  })
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const again = (schedule: string | null) => admin.call(campaigns.change, { params, body: { schedule } })
  expect((await again(soon)).body).toMatchObject({ status: 'scheduled', schedule: soon })
  expect((await again(null)).body).toMatchObject({ status: 'created', schedule: null })
  for (const days of [-1, 70])
    expect(await again(new Date(Date.now() + days * 86_400_000).toISOString())).toMatchObject({
      status: 400,
      body: { field: 'schedule' },
    })
  await admin.get(campaigns.remove, { params })
  expect((await admin.call(campaigns.show, { params })).body.error).toBe('ERR_NOT_FOUND')
})

test('what is missing is said in the documents’ words (CAMP-013 … CAMP-017) [CAMP-013 … CAMP-017]', async () => {
  const { id } = await shop.setup()
  const headers = { authorization: `Bearer ${id}` }
  const tell = async (body: object) =>
    (await app.anonymous.call(campaigns.createWhole, { body, headers })).body
  const full = { name: 'Verão', messages: said, sendList: numbers(1) }
  expect(await tell({ ...full, name: ' ' })).toMatchObject({
    field: 'name',
    message: 'Adicione o nome da campanha',
  })
  expect(await tell({ ...full, messages: [] })).toMatchObject({ message: 'Adicione ao menos uma mensagem' })
  expect(await tell({ ...full, messages: [{ body: ' ' }] })).toMatchObject({
    message: 'Adicione uma mensagem',
  })
  expect(await tell({ ...full, sendList: [] })).toMatchObject({ message: 'Adicione ao menos um contato' })
  expect(
    (await admin.call(campaigns.create, { body: { name: 'Verão' } as CampaignChange })).body,
  ).toMatchObject({
    field: 'campaignSetupId',
    message: 'Selecione a Configuração da campanha',
  })
  for (const token of ['', 'nada', crypto.randomUUID()])
    expect(
      await app.anonymous.call(campaigns.createWhole, {
        body: full,
        headers: { authorization: `Bearer ${token}` },
      }),
    ).toMatchObject({ status: 401 })
})

test('the documents’ form carries files to their messages, and refuses what is no file of a campaign [ENTITY-019 … ENTITY-020, CAMP-023 … CAMP-024]', async () => {
  const { id } = await shop.setup()
  const send = (bytes: Uint8Array<ArrayBuffer>, name: string) => {
    const form = new FormData()
    const messages = [{ body: 'Texto' }, { body: 'Foto', mediaName: 'sofa.jpg', typeMessage: 'media' }]
    form.append('campaign', JSON.stringify({ name: 'Fotos', messages, sendList: numbers(2) }))
    form.append('messageMedias', new Blob([bytes]), name)
    return fetch(`${app.url}/api/campaign/v1`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${id}` },
    })
  }
  const answer = await send(photo().bytes, 'sofa.jpg')
  const campaign = (await answer.json()) as Awaited<ReturnType<typeof shop.show>>
  expect(campaign.campaignMessages).toMatchObject([
    { typeMessage: 'text', mediaUrl: null },
    { typeMessage: 'media', mediaType: 'image', mediaName: 'sofa.jpg', body: 'Foto' },
  ])
  expect((await admin.fetch(campaign.campaignMessages[1]!.mediaUrl!)).status).toBe(200)
  expect((await stranger.fetch(campaign.campaignMessages[1]!.mediaUrl!)).status).toBe(404)
  expect((await send(new Uint8Array([0, 1, 2, 3]), 'sofa.jpg')).status).toBe(415)
  const form = new FormData()
  const twice = [1, 2].map(() => ({ body: '', typeMessage: 'media' }))
  form.append('campaign', JSON.stringify({ name: 'Duas', messages: twice, sendList: numbers(1) }))
  for (const { bytes } of [photo(), photo()]) form.append('messageMedias', new Blob([bytes]), 'sofa.jpg')
  const headers = { authorization: `Bearer ${id}` }
  const both = await fetch(`${app.url}/api/campaign/v1`, { method: 'POST', body: form, headers })
  const made = (await both.json()) as typeof campaign
  expect(made.campaignMessages.map(({ mediaName }) => mediaName)).toEqual(['sofa.jpg', 'sofa.jpg'])
  await shop.act(campaign.id, 'start')
  await shop.stands(campaign.id, 'finalized')
  expect((await shop.show(campaign.id)).counts.sent).toBe(2)
})

describe('people', () => {
  test('are taken once each, however their number is written, and what is none says why [CAMP-009, CAMP-019]', async () => {
    const { id } = await empty()
    const { body } = await add(id, {
      sendList: [
        '5511987650001',
        '+55 (11) 98765-0001',
        { number: '551187650001' },
        '011 98765-0002',
        '5,5E+12',
        '123',
        '98765-0003',
        '11987650002.0',
      ],
    })
    expect(body).toMatchObject({ added: 2, doubled: 3, refused: 3 })
    expect(body.faults).toEqual([
      { row: 5, number: '5,5E+12', fault: 'scientific' },
      { row: 6, number: '123', fault: 'short' },
      { row: 7, number: '98765-0003', fault: 'area' },
    ])
    expect((await add(id, { sendList: ['11987650001'] })).body).toMatchObject({ added: 0, doubled: 1 })
    expect((await shop.people(id)).map(({ number }) => number)).toEqual(['5511987650001', '5511987650002'])
    for (const searchParam of ['11 8765-0001', '(11) 98765-0001', '0xx11 98765-0001'])
      expect((await shop.people(id, { searchParam })).map(({ number }) => number)).toEqual(['5511987650001'])
  })

  test('come from categories and from tags of tickets within days (CAMP-007, CAMP-008) [OP-97 … OP-98, CAMP-007 … CAMP-008]', async () => {
    const categoryId = await rows.category()
    const number = newNumber()
    const contact = await admin.get(contacts.create, { body: { name: 'Bia', number, email: 'bia@x.test' } })
    await app.database.script(
      `insert into contact_categories values (${admin.user.companyId}, ${contact.id}, ${categoryId})`,
    )
    const tag = await admin.get(tags.create, { body: { name: `Tag ${unique()}`, color: '#1273de' } })
    const ticketId = await rows.ticket()
    await app.database.script(
      `insert into ticket_tags (company_id, ticket_id, tag_id) values (${admin.user.companyId}, ${ticketId}, ${tag.id})`,
    )
    const { id } = await empty()
    expect((await add(id, { categoryIds: [categoryId] })).body).toMatchObject({ added: 1, doubled: 0 })
    expect((await add(id, { categoryIds: [categoryId], tagIds: [tag.id] })).body).toMatchObject({
      added: 1,
      doubled: 1,
    })
    const days = { dateInitial: '2020-01-01', dateFinal: '2020-02-01' }
    expect((await add(id, { tagIds: [tag.id], ...days })).body).toMatchObject({ added: 0, doubled: 0 })
    const { contacts: some } = await admin.get(campaigns.contactsAll, {
      query: { selectedContactCategories: [categoryId] },
    })
    expect(some).toEqual([{ id: contact.id, name: 'Bia', number }])
    const { uniqueContacts } = await admin.get(campaigns.tagContacts, { query: { tags: [tag.id] } })
    expect(uniqueContacts).toHaveLength(1)
    const theirs = await stranger.get(campaigns.contactsAll, {
      query: { selectedContactCategories: [categoryId] },
    })
    expect(theirs.contacts).toEqual([])
  })

  test('come from a spreadsheet, whose columns the texts may name [ENTITY-021, CAMP-010 … CAMP-011]', async () => {
    const form = new FormData()
    const [one, other] = numbers(2)
    const csv = `number;name_opcional;email_opcional;cidade\n${one};Ana;ana@x.test;Recife\n${other};A;ruim@@;Olinda\nabc;;;\n`
    form.append('file', new Blob([csv]), 'lista.csv')
    const staged = await fetch(`${app.url}/contacts/sheets`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const { id: sheetId } = (await staged.json()) as { id: number }
    await until(async () => (await admin.get(contactSheets.current)).sheet?.state === 'ready')
    const { id } = await empty({ messages: [{ body: 'Oi {{nome|você}}, de {{cidade}}' }] })
    expect((await add(id, { sheetId })).body).toMatchObject({ added: 2 })
    const shown = await admin.get(campaigns.preview, { params: { campaignId: id } })
    // a name and an e-mail may be missing or wrong: who has a number is written to
    expect(shown.map(({ message }) => message)).toEqual(['Oi Ana, de Recife', 'Oi A, de Olinda'])
    expect((await add(id, { sheetId: 2_000_000_000 })).body.error).toBe('ERR_NOT_FOUND')
  })

  test('a hundred thousand of them are taken in at once', async () => {
    const { id } = await empty({ campaignSetupId: (await shop.setup({ interval: 60 }, false)).id })
    await app.database.script(`
      insert into contact_sheets (company_id, file_name, state, header) values (${stranger.user.companyId}, 'x', 'cancelled', '[]');
      delete from contact_sheets where company_id = ${admin.user.companyId};
      with sheet as (insert into contact_sheets (company_id, user_id, file_name, state, header)
        values (${admin.user.companyId}, ${admin.user.id}, 'muitos.csv', 'ready', '["number","cidade"]') returning id)
      insert into contact_sheet_rows (company_id, sheet_id, "row", cells, name, number, key)
      select ${admin.user.companyId}, sheet.id, n, jsonb_build_array('5512' || 900000000 + n, 'Recife'), '', '5512' || 900000000 + n,
        '5512' || 900000000 + n from sheet, generate_series(1, 100000) n`)
    const { sheet } = await admin.get(contactSheets.current)
    const from = Date.now()
    expect((await add(id, { sheetId: sheet!.id })).body).toMatchObject({ added: 100_000 })
    const ms = Date.now() - from
    const read = Date.now()
    await shop.people(id, { pageNumber: 2_000 })
    console.log(
      `100,000 people were taken in within ${ms} ms; page 2,000 of them takes ${Date.now() - read} ms`,
    )
    const outlook = await admin.get(campaigns.forecast, { params: { campaignId: id } })
    expect(outlook).toMatchObject({ recipients: 100_000, reachable: 100_000, perHour: 50 })
    await admin.get(campaigns.clearRecipients, { params: { campaignId: id } })
    expect((await shop.show(id)).counts.total).toBe(0)
  }, 60_000)

  test('one is taken out, and counted no more [CAMP-035]', async () => {
    const made = await shop.make({ sendList: numbers(2) })
    const [first] = await shop.people(made.id)
    await admin.get(campaigns.removeDispatch, { params: { dispatchId: first!.id } })
    const listed = await admin.get(campaigns.dispatches, { params: { campaignId: made.id } })
    expect(listed).toMatchObject({ count: 1, sentCount: 0, failCount: 0, hasMore: false })
  })
})

test('before it starts it says how many it reaches, how fast and until when (design: forecast)', async () => {
  const setup = await shop.setup({ tMin: 2, tMax: 10, interval: 30 }, false)
  const made = await shop.make({ sendList: numbers(85) }, setup.id)
  const outlook = await admin.get(campaigns.forecast, { params: { campaignId: made.id } })
  expect(outlook).toMatchObject({
    recipients: 85,
    reachable: 85,
    optedOut: 0,
    needTemplate: 0,
    perHour: 85,
    hourCap: null,
    connections: [{ id: shop.line, ready: true, dayCap: null }],
  })
  const inMinutes = (Date.parse(outlook.endsAt!) - Date.now()) / 60_000
  expect(inMinutes).toBeGreaterThan(57)
  expect(inMinutes).toBeLessThan(63)
})

test('it is tried on oneself, in every message, and counted nowhere', async () => {
  const number = newNumber()
  const made = await shop.make({ sendList: numbers(1), messages: [{ body: 'Um' }, { body: 'Dois' }] })
  const { sent } = await admin.get(campaigns.test, { params: { campaignId: made.id }, body: { number } })
  expect(sent).toBe(2)
  await until(async () => (await shop.heard(number)).length === 2)
  expect((await shop.show(made.id)).counts).toMatchObject({ total: 1, pending: 1, sent: 0 })
  // with what the first of its people would get
  const sendList = [{ number: newNumber(), name: 'Rita', cidade: 'Recife' }]
  const filled = await shop.make({ sendList, messages: [{ body: 'Oi {{nome}}, de {{cidade}}' }] })
  const [tester] = numbers(1)
  await admin.get(campaigns.test, { params: { campaignId: filled.id }, body: { number: tester! } })
  await until(async () => (await shop.heard(tester!))[0] === 'Oi Rita, de Recife')
})

test('buttons are real where they can be', async () => {
  const buttons = {
    text: 'Você tem interesse?',
    footer: '',
    buttons: [{ buttonId: '1', buttonText: { displayText: 'Sim' }, type: 1 }],
  }
  const setup = await shop.setup({ messageFooterType: 'buttons', jsonButtonOrList: buttons })
  const number = newNumber()
  const made = await shop.make({ sendList: [number] }, setup.id)
  await shop.act(made.id, 'start')
  await shop.stands(made.id, 'finalized')
  expect(await shop.heard(number)).toEqual(['Novidades da loja\n\nVocê tem interesse?'])
})

test('who looks at it hears of each person and of the counts; the list hears that it changed; others nothing [EVENT-011, OP-38, CAMP-046 … CAMP-048]', async () => {
  const made = await shop.make({ sendList: numbers(2) })
  const socket = await admin.socket()
  const joined = await new Promise(done => socket.emit('joinCampaign', made.id, done))
  expect(joined).toEqual({ joined: true })
  const theirs = await stranger.socket()
  expect(await new Promise(done => theirs.emit('joinCampaign', made.id, done))).toEqual({ joined: false })
  const [pushes, listed] = [
    await admin.subscribe(campaignChannelOf(made.id)),
    await admin.subscribe(campaignsChannel),
  ]
  const [elsewhere, others] = [
    await stranger.subscribe(campaignChannelOf(made.id)),
    await stranger.subscribe(campaignsChannel),
  ]
  // counts are published every few seconds
  await app.platform.sockets.refresh(admin.user.id)
  await shop.act(made.id, 'start')
  await shop.stands(made.id, 'finalized')
  await until(() => pushes.some(one => one.action === 'refresh' && one.campaign.status === 'finalized'))
  const counted = pushes.flatMap(one => (one.action === 'refresh' ? [] : one.sentCount))
  expect([counted[0], counted.at(-1)]).toEqual([0, 2])
  expect(new Set(listed.map(one => one.campaignId))).toEqual(new Set([made.id]))
  expect([elsewhere, others]).toEqual([[], []])
})

test('everybody of it goes into a spreadsheet', async () => {
  const made = await shop.make({ sendList: [{ number: newNumber(), name: 'Ana' }] })
  const params = { campaignId: made.id }
  const { url } = await admin.get(campaigns.export, { params })
  const file = await admin.fetch(url)
  expect([file.status, file.headers.get('content-type')]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ])
  expect((await stranger.fetch(url)).status).toBe(404)
  // as text, not as codes; and a template without a name
  await app.database.script(`update campaign_dispatches set status = 'sentFail', reason = 'ERR_CAMPAIGN_VARIABLE'
    where campaign_id = ${made.id}`)
  const told = await admin.get(campaigns.export, { params, query: { language: 'en' } })
  const rowsIn = async (at: string) => readSheet(Buffer.from(await (await admin.fetch(at)).arrayBuffer()))
  expect((await rowsIn(told.url))[1]).toEqual(
    expect.arrayContaining(['Failed', 'A variable of the text has no value']),
  )
  expect(await rowsIn((await admin.get(campaigns.template)).url)).toHaveLength(1)
})

test('those who made it and admins change it; others read; another company finds nothing (ROLE-005) [ROLE-005, CAMP-061]', async () => {
  const made = await shop.make({ sendList: numbers(1) })
  const params = { campaignId: made.id }
  expect((await caio.get(campaigns.show, { params })).campaign.id).toBe(made.id)
  expect((await shop.act(made.id, 'start', caio)).body.error).toBe('ERR_NO_PERMISSION')
  expect((await caio.call(campaigns.remove, { params })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await add(made.id, { sendList: numbers(1) }, caio)).body.error).toBe('ERR_NO_PERMISSION')
  const own = await caio.get(campaigns.create, {
    body: { name: 'Minha', campaignSetupId: made.campaignSetupId!, messages: said },
  })
  expect((await caio.call(campaigns.remove, { params: { campaignId: own.id } })).status).toBe(200)
  for (const route of [
    campaigns.show,
    campaigns.remove,
    campaigns.forecast,
    campaigns.dispatches,
    campaigns.report,
  ])
    expect((await stranger.call(route as typeof campaigns.show, { params })).body.error).toBe('ERR_NOT_FOUND')
  expect((await shop.act(made.id, 'start', stranger)).body.error).toBe('ERR_NOT_FOUND')
  const [person] = await shop.people(made.id)
  expect(
    (await stranger.call(campaigns.removeDispatch, { params: { dispatchId: person!.id } })).body.error,
  ).toBe('ERR_NOT_FOUND')
  expect((await stranger.get(campaigns.list)).campaigns).toEqual([])
  const ticketId = await rows.ticket()
  expect((await stranger.call(campaigns.ofTicket, { params: { ticketId } })).body.error).toBe(
    'ERR_NO_TICKET_FOUND',
  )
})

test('where a company has no campaigns nobody gets in, not by the token of a setup either (CAMP-002) [CAMP-002]', async () => {
  const { id } = await shop.setup()
  const headers = { authorization: `Bearer ${id}` }
  await app.database.script(
    `update companies set enable_campaigns = false where id = ${admin.user.companyId}`,
  )
  const body = { name: 'Verão', messages: said, sendList: numbers(1) }
  expect((await admin.call(campaigns.list)).body.error).toBe('ERR_NO_PERMISSION')
  expect((await admin.call(campaignSetups.list)).body.error).toBe('ERR_NO_PERMISSION')
  expect((await app.anonymous.call(campaigns.createWhole, { body, headers })).body.error).toBe(
    'ERR_NO_PERMISSION',
  )
  await app.database.script(`update companies set enable_campaigns = true where id = ${admin.user.companyId}`)
})
