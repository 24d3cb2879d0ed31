import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs } from '../testing/documents.ts'
import { newNumber, type Rows, rowsOf, unique } from '../testing/rows.ts'
import { picture, sticker } from '../testing/samples.ts'
import { openTestApp, type Person, type TestApp } from '../testing/test-app.ts'

/** The calls as the documents write them, by their own words and not by the contract's. */
let app: TestApp
let admin: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  rows = rowsOf(app, admin)
})
afterAll(() => app.close())

async function call(method: string, path: string, body?: object, who: Person | null = admin) {
  const answer = await callAs(app, who, method, path, body)
  // biome-ignore lint/suspicious/noExplicitAny: the tests search it for whatever the documents contain
  const said = (await answer.json()) as any
  return { status: answer.status, ...said, list: Array.isArray(said) ? said : [] }
}
const refused = (status: number, error: string) => ({ status, error })

describe('messages', () => {
  test('are listed by pages, sent as text, place and file, fetched and deleted (API-007) [MSG-037, MSG-038, MSG-039, ERR-024, API-007, OP-81]', async () => {
    const ticketId = await rows.ticket()
    const at = `/messages/${ticketId}/${admin.user.companyId}`
    const text = await call('POST', at, {
      read: 1,
      fromMe: true,
      mediaUrl: '',
      body: 'Bom dia',
      quotedMsg: null,
    })
    expect(text).toMatchObject({ status: 200, body: 'Bom dia', fromMe: true })
    const { id: locationId } = await call('POST', '/locations', { name: 'Loja', latitude: 1, longitude: 2 })
    expect(await call('POST', at, { locationId, ticketId, quotedMsg: null })).toMatchObject({
      mediaType: 'location',
    })
    const form = new FormData()
    form.append('fromMe', 'true')
    form.append('body', 'A nota')
    form.append('medias', new Blob(['%PDF-1.7\n'.padEnd(500, 'linha ')]), 'nota.pdf')
    const file = await call('POST', at, form)
    expect(file).toMatchObject({ status: 200, body: 'A nota', mediaType: 'document' })
    const bytes = await admin.fetch(file.mediaUrl)
    expect([bytes.status, bytes.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const page = await call('GET', `/messages/${ticketId}?pageNumber=1&searchTerm=`)
    expect(page).toMatchObject({ status: 200, hasMore: false })
    expect(page.messages.at(-1).id).toBe(file.id)
    expect(await call('DELETE', `/messages/${crypto.randomUUID()}/whatsapp`)).toMatchObject(
      refused(404, 'ERR_FETCH_WAPP_MSG'),
    )
  })

  test('that cannot be deleted, made or fetched say so (ERR-014, ERR-016, ERR-023) [ERR-014, ERR-016, ERR-023]', async () => {
    const lost = await rows.failedMessage()
    await call('DELETE', `/messages/${lost}/whatsapp`)
    expect(await call('DELETE', `/messages/${lost}/whatsapp`)).toMatchObject(
      refused(400, 'ERR_DELETE_WAPP_MSG'),
    )
    const [one, other] = [await rows.ticket(), await rows.ticket()]
    const draft = { id: crypto.randomUUID(), body: 'Oi' }
    await call('POST', `/messages/${one}/${admin.user.companyId}`, draft)
    expect(await call('POST', `/messages/${other}/${admin.user.companyId}`, draft)).toMatchObject(
      refused(400, 'ERR_CREATING_MESSAGE'),
    )
    const gone = await rows.lostFile()
    await app.database.script(`update messages set media_source = null where id = '${gone}'`)
    expect(await call('POST', `/messages/${gone}/media`)).toMatchObject(
      refused(502, 'ERR_WAPP_DOWNLOAD_MEDIA'),
    )
  })
})

test('contacts are listed, shown, made under both spellings, changed, imported and deleted (API-008) [CONTACT-019, API-002, API-008]', async () => {
  const number = newNumber()
  const made = await call('POST', '/contact', {
    name: 'Rita Prado',
    number,
    email: 'rita@x.test',
    extraInfo: [],
  })
  expect(made).toMatchObject({ status: 200, name: 'Rita Prado', number })
  expect(await call('POST', '/contacts', { name: 'Rita', number })).toMatchObject(
    refused(409, 'ERR_DUPLICATED_CONTACT'),
  )
  const list = await call(
    'GET',
    '/Contacts/?searchParam=rita%20prado&pageNumber=1&selectedContactCategories=[]',
  )
  expect(list).toMatchObject({ status: 200, hasMore: false, count: 1, contacts: [{ id: made.id }] })
  expect(await call('PUT', `/contact/${made.id}`, { name: 'Rita Lee' })).toMatchObject({ name: 'Rita Lee' })
  expect(await call('GET', `/contacts/${made.id}`)).toMatchObject({ name: 'Rita Lee', email: 'rita@x.test' })
  for (const path of ['/contacts/import', '/contactsImport'])
    expect((await call('POST', path, { name: 'De fora', number: newNumber(), email: '' })).status).toBe(200)
  expect((await call('DELETE', `/contacts/${made.id}`)).status).toBe(200)
  expect(await call('GET', `/contacts/${made.id}`)).toMatchObject(refused(404, 'ERR_NO_CONTACT_FOUND'))
})

test('categories of contacts answer under both spellings, alone and on a contact (API-009, API-022) [CONTACT-014, API-009, API-022, ENTITY-009, CATEGORY-004, CATEGORY-005]', async () => {
  const given = { name: `Rua ${unique()}`, color: '#1273de', userId: admin.user.id }
  const made = await call('POST', '/categorycontacts/', given)
  expect(made).toMatchObject({ status: 200, ...given })
  const found = { id: made.id, ...given }
  for (const spelling of ['categorycontacts', 'categoryContacts']) {
    const list = await call('GET', `/${spelling}/?searchParam=${given.name.toLowerCase()}&pageNumber=1`)
    expect(list).toMatchObject({ status: 200, hasMore: false, categoryContact: [found] })
    expect(await call('GET', `/${spelling}/${made.id}`)).toMatchObject(found)
    expect((await call('GET', `/${spelling}/list`)).list).toContainEqual(found)
    const contactId = await rows.contact()
    const synced = await call('POST', `/${spelling}/sync`, { contactId, categoryContacts: [found] })
    const { userId: _maker, ...label } = found
    expect(synced).toMatchObject({ categoryContacts: [label], categoriesContactsAssociates: [label] })
  }
  expect(await call('PUT', `/categoryContacts/${made.id}`, { color: 'red' })).toMatchObject({ color: 'red' })
  expect((await call('DELETE', `/categorycontacts/${made.id}`)).status).toBe(200)
  expect(await call('GET', `/categorycontacts/${made.id}`)).toMatchObject(refused(404, 'ERR_NOT_FOUND'))
})

test('campaigns and their setups are made, shown, run and deleted as the documents write it (API-016, API-017) [API-016 … API-017, ENTITY-018, CSETUP-021, CAMP-037 … CAMP-038, CAMP-060]', async () => {
  const { companyId, id: userId, queues } = admin.user
  await app.database.script('update companies set enable_campaigns = true')
  const fields = {
    name: 'Divulgação',
    ticketSetStatus: 'closed',
    tMax: 10,
    tMin: 2,
    interval: 30,
    autoStart: false,
    queueId: queues[0]!.id,
    userId,
    companyId,
    whatsapps: [await rows.connection()],
    jsonButtonOrList: null,
    webhookUrlConcluded: '',
    messageFooterType: 'none',
  }
  const setup = await call('POST', '/CampaignSetup', fields)
  expect(setup).toMatchObject({ status: 200, ...fields, whatsapps: [{ id: fields.whatsapps[0] }] })
  const listed = await call('GET', '/CampaignSetup/?searchParam=&pageNumber=1&user=1')
  expect(listed).toMatchObject({ hasMore: false, campaignSetups: [{ id: setup.id }] })
  expect(await call('PUT', `/campaignSetup/${setup.id}`, { name: 'Outra' })).toMatchObject({ name: 'Outra' })
  expect(await call('GET', `/campaignSetup/${setup.id}`)).toMatchObject({ tMax: 10 })
  expect((await call('GET', '/contactsall?selectedContactCategories=[]')).contacts.length).toBeGreaterThan(0)
  const tagged = '/tagcontacts?tags=[1]&dateInitial=2026-01-01T00:00&dateFinal=2026-02-01T00:00'
  expect(await call('GET', tagged)).toMatchObject({ status: 200, uniqueContacts: [] })

  const empty = await call('POST', '/Campaign', { name: 'Vazia', campaignSetupId: setup.id })
  expect(empty).toMatchObject({ status: 'created' })
  const form = new FormData()
  const sendList = [{ number: newNumber(), name_opcional: 'Rita', email_opcional: '' }]
  const messages = [{ greeting: 'Oi', body: 'Foto', typeMessage: 'media' }]
  form.append('campaign', JSON.stringify({ name: 'Inteira', schedule: null, messages, sendList }))
  form.append('messageMedias', new Blob([picture().bytes]), 'sofa.png')
  const answer = await fetch(`${app.url}/api/campaign/v1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${setup.id}` },
    body: form,
  })
  const { id } = (await answer.json()) as { id: number }
  const shown = await call('GET', `/Campaign/${id}`)
  expect(shown.campaign).toMatchObject({ name: 'Inteira', campaignSetupId: setup.id, status: 'created' })
  expect(shown.dispatchs).toMatchObject([{ name: 'Rita', number: sendList[0]!.number, status: 'pending' }])
  expect(shown.campaign.campaignDispatchs).toEqual(shown.dispatchs)
  const whole = { ...shown.campaign, schedule: null }
  expect(await call('PUT', `/campaign/${id}`, whole)).toMatchObject({ schedule: null })
  expect(await call('GET', `/CampaignDispatch/${id}?pageNumber=1`)).toMatchObject({
    hasMore: false,
    count: 1,
    sentCount: 0,
    failCount: 0,
  })
  expect(await call('POST', `/CampaignProcess/${id}/start`)).toMatchObject({ status: 'created' })
  expect(await call('POST', `/CampaignProcess/${id}/pause`)).toMatchObject({ status: 'pause' })
  expect(await call('POST', `/CampaignProcess/${id}/finalized`)).toMatchObject({ status: 'finalized' })
  expect((await call('GET', '/Campaign/?searchParam=inteira&pageNumber=1')).campaigns).toMatchObject([{ id }])
  expect((await call('DELETE', `/CampaignDispatch/${shown.dispatchs[0].id}`)).status).toBe(200)
  for (const one of [id, empty.id]) expect((await call('DELETE', `/campaign/${one}`)).status).toBe(200)
  expect((await call('DELETE', `/campaignSetup/${setup.id}`)).status).toBe(200)
})

test('schedules are planned with their file, listed, shown, changed and deleted, one or many (API-015)', async () => {
  const { companyId, id: user, whatsappId, queues } = admin.user
  const fields = {
    body: 'Até amanhã',
    contactId: await rows.contact(),
    queueId: queues[0]!.id,
    whatsappId,
    userId: user,
    sendAt: new Date(Date.now() + 3_600_000).toISOString(),
    hour: '',
    repeatCounter: '',
    typeMessage: 'Mídia',
    typeSchedule: 'Recorrente Semanal',
    mediaUrl: '',
  }
  const form = new FormData()
  form.append('body', JSON.stringify(fields))
  form.append('media', new Blob([picture().bytes]), 'convite.png')
  form.append('mediaName', 'convite.png')
  const made = await call('POST', `/schedules/${companyId}`, form)
  const { hour: _hour, mediaUrl: _url, ...kept } = fields
  expect(made).toMatchObject({ status: 'PENDENTE', ...kept, repeatCounter: null, mediaName: 'convite.png' })
  const query = `?status=PENDENTE&user=${user}&contactId=${fields.contactId}&searchParam=at%C3%A9&pageNumber=1`
  for (const path of ['/schedules', '/schedules/'])
    expect(await call('GET', path + query)).toMatchObject({ hasMore: false, schedules: [{ id: made.id }] })
  expect(await call('GET', `/schedules/${made.id}`)).toMatchObject({ id: made.id })
  const changed = new FormData()
  changed.append('body', JSON.stringify({ ...fields, body: 'Até logo mais', mediaUrl: made.mediaUrl }))
  expect(await call('PUT', `/schedules/${made.id}/${companyId}`, changed)).toMatchObject({
    body: 'Até logo mais',
    mediaUrl: made.mediaUrl,
  })
  expect(await call('DELETE', `/schedules/${made.id}`)).toMatchObject({ status: 200 })
  const many = await call('POST', '/schedulesDelete', { status: 'ENVIADA', mySchedule: true, user })
  expect(many).toMatchObject({ status: 200, deleted: expect.any(Number) })
})

test('a lead asks, is shown and completed, and plans are shown to anybody, as the documents write it (API-032, API-033) [API-032, API-033, ENTITY-034, OP-120]', async () => {
  const { plans } = await call('GET', '/publicplan', undefined, null)
  const planId = plans[0].id
  const given = {
    name: 'Ana Prado',
    email: `l${unique()}@x.test`,
    whatsAppNumber: '5511999990000',
    planId,
    origin: 'myStore',
    status: 'aguardando completar o cadastro',
    recurrence: 'months3',
  }
  const lead = await call('POST', '/lead', given, null)
  expect({ ...lead, status: given.status }).toMatchObject({ id: expect.any(String), ...given })
  const shown = await call('GET', `/lead/${lead.id}`, undefined, null)
  expect(Object.keys(shown)).toEqual(expect.arrayContaining(['id', ...Object.keys(given)]))
  const body = {
    ...{ leadId: lead.id, documentNumber: '11222333000181', name: 'Loja', companyName: 'Loja Ltda' },
    ...{ cep: '01310100', street: 'Rua', numberAddress: '1', complement: '', district: 'Centro' },
    ...{ city: 'Santos', state: 'SP', country: 'Brasil', contacts: [], password: 'uma-senha-boa' },
  }
  expect(await call('POST', '/subscription', body, null)).toMatchObject({ status: 200, email: given.email })
  expect(await call('POST', '/subscription', body, null)).toMatchObject(refused(409, 'ERR_LEAD_COMPLETED'))
  for (const path of ['/helper/cnpj/11222333000181', '/helper/whatsapp/5511999990000'])
    expect((await call('GET', path, undefined, null)).status, path).toBe(409)
})

test('users are listed, shown, made within their limits, keep their preferences and are deleted (API-011) [USER-023, CONST-010, API-011]', async () => {
  expect(await call('GET', '/users/?searchParam=&pageNumber=1')).toMatchObject({
    status: 200,
    hasMore: false,
  })
  expect((await call('GET', '/users/list')).list.map(({ id }: { id: number }) => id)).toContain(admin.user.id)
  expect(await call('GET', '/users/2000000000')).toMatchObject(refused(404, 'ERR_NO_USER_FOUND'))
  const { whatsappId, userAuthorizationId, queues } = admin.user
  const wanted = {
    name: 'Nova',
    email: `n${unique()}@x.test`,
    password: 'uma-senha-boa',
    profile: 'user',
    whatsappId,
  }
  const given = { ...wanted, userAuthorizationId, queueIds: queues.map(({ id }) => id), greetingMessage: '' }
  const made = await call('POST', '/users/', given)
  expect(made).toMatchObject({ status: 200, name: 'Nova', profile: 'user' })
  expect(made).not.toHaveProperty('password')
  const own = await call('GET', `/users/${admin.user.id}`)
  const { status: _status, list: _list, ...whole } = own
  const kept = await call('PUT', `/users/${admin.user.id}`, {
    ...whole,
    volume: 40,
    signMessage: !own.signMessage,
  })
  expect(kept).toMatchObject({ status: 200, volume: 40, signMessage: !own.signMessage })
  expect((await call('DELETE', `/users/${made.id}`)).status).toBe(200)
})

test('permission groups are listed, made, changed and deleted (API-012) [PERM-004, API-012]', async () => {
  const group = {
    name: 'Da manhã',
    allowNoQueue: 0,
    allowMultipleTickets: 1,
    viewMessagesByTicket: 2,
    disableGreeting: true,
  }
  const made = await call('POST', '/usersAuthorizations/', group)
  expect(made).toMatchObject({ status: 200, ...group })
  expect(await call('PUT', `/usersAuthorizations/${made.id}`, { ...made, name: 'Da tarde' })).toMatchObject({
    name: 'Da tarde',
  })
  const list = await call('GET', '/usersAuthorizations/?searchParam=da%20tarde&pageNumber=1')
  expect(list).toMatchObject({
    hasMore: false,
    userAuthorizations: [{ id: made.id, viewMessagesByTicket: 2 }],
  })
  expect((await call('DELETE', `/usersAuthorizations/${made.id}`)).status).toBe(200)
})

test('the description of every call is for masters alone (IDOC-001, OP-110) [IDOC-001, API-041, OP-110]', async () => {
  const people = [null, await app.as('atendente@balcao.test'), admin, await app.as('admin@outra.test')]
  const statuses = await Promise.all(
    people.map(async who => (await call('GET', '/api/internalDocs', undefined, who)).status),
  )
  expect(statuses).toEqual([401, 403, 403, 403])
  const master = await app.as('master@balcao.test')
  const docs = await call('GET', '/api/internalDocs', undefined, master)
  expect(docs).toMatchObject({ status: 200, openapi: '3.1.0' })
  expect(Object.keys(docs.paths)).toEqual(
    expect.arrayContaining(['/tickets/{ticketId}', '/api/internalDocs']),
  )
})

test('sign-up that a master switched off says so (AUTH-016, ERR-019, ENTITY-003) [AUTH-016, ERR-019, ENTITY-003]', async () => {
  const master = await app.as('master@balcao.test')
  const setting = { key: 'userCreation', value: 'disabled' }
  expect(await call('PUT', '/settings/userCreation', { value: 'disabled' }, admin)).toMatchObject(
    refused(403, 'ERR_NO_PERMISSION'),
  )
  expect(await call('PUT', '/settings/userCreation', { value: 'disabled' }, master)).toMatchObject(setting)
  expect((await call('GET', '/settings', undefined, master)).list).toContainEqual(setting)
  expect(await call('GET', '/branding', undefined, null)).toMatchObject({ userCreation: 'disabled' })
  const account = { name: 'Loja', email: 'x@loja.test', password: 'uma-senha-boa' }
  expect(await call('POST', '/auth/signup', account, null)).toMatchObject(
    refused(403, 'ERR_USER_CREATION_DISABLED'),
  )
})

test('the platform’s look and its hours come from the environment (GEN-016, GEN-018) [GEN-016, GEN-018]', async () => {
  expect(await call('GET', '/branding', undefined, null)).toMatchObject({
    platformName: 'Balcão',
    icon: '',
    logoFile: '',
    primaryColour: '',
    hoursToAutoCloseTickets: null,
  })
  const folder = mkdtempSync(join(tmpdir(), 'brand-'))
  const own = await openTestApp({
    BACKEND_URL: 'https://api.exemplo.test/',
    PLATFORM_NAME: 'Minha mesa',
    PLATFORM_ICON: onDisk(folder, picture('icon.png')),
    LOGO_FILE: onDisk(folder, sticker()),
    PRIMARY_COLOR: '#123456',
    INTERNAL_CHAT: '1',
    HOURS_CLOSE_TICKETS_AUTO: '48',
  })
  const look = (await (await fetch(`${own.url}/branding`)).json()) as { icon: string; logoFile: string }
  expect(look).toMatchObject({
    backendUrl: 'https://api.exemplo.test',
    platformName: 'Minha mesa',
    primaryColour: '#123456',
    internalChatFlag: true,
    hoursToAutoCloseTickets: 48,
  })
  const types = await Promise.all(
    [look.icon, look.logoFile].map(async at => {
      const answer = await fetch(own.url + at)
      // an answer that is not read keeps its connection, and the server waits for it
      await answer.arrayBuffer()
      return answer.headers.get('content-type')
    }),
  )
  expect(types).toEqual(['image/png', 'image/webp'])
  const manifest = await fetch(`${own.url}/branding/manifest`)
  expect(manifest.headers.get('content-type')).toContain('application/manifest+json')
  expect(await manifest.json()).toMatchObject({
    ...{ name: 'Minha mesa', start_url: '/', display: 'standalone' },
    icons: [{ src: look.icon, type: 'image/png', sizes: 'any' }],
  })
  await own.close()
  rmSync(folder, { recursive: true })
})

function onDisk(folder: string, { name, bytes }: ReturnType<typeof picture>) {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}
