import { readFileSync } from 'node:fs'
import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { bots } from '@balcao/contract/bots.ts'
import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { contactSheets } from '@balcao/contract/contactSheets.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { drafts } from '@balcao/contract/drafts.ts'
import { flows } from '@balcao/contract/flows.ts'
import { messages } from '@balcao/contract/messages.ts'
import { optOuts } from '@balcao/contract/optOuts.ts'
import { publicApi } from '@balcao/contract/publicApi.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { webhooks } from '@balcao/contract/webhooks.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBuffer } from 'yauzl'
import { newNumber, type Rows, rowsOf, unique } from '../testing/rows.ts'
import { picture } from '../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../testing/test-app.ts'
import { placesWith, textColumns } from '../testing/traces.ts'
import { exportPerson } from './features/contacts/contacts.export.ts'
import { examineDatabase, groupsOf } from './features/systemControl/doctor/doctor.worker.ts'
import { databasePart, packetOf } from './features/systemControl/doctor/packet.export.ts'
import { features } from './features.ts'
import { rowsFrom, sql as tag } from './platform/postgres/sql.ts'

const lines: string[] = []
let app: TestApp
let admin: Person
let marina: Person
let rows: Rows
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp({ LOG_LEVEL: 'debug' }, { logTo: { write: line => lines.push(line) } })
  await app.database.script('update companies set enable_campaigns = true')
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  rows = rowsOf(app, admin)
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const table = readFileSync(new URL('../../../docs/personal-data.md', import.meta.url), 'utf8')

/** The page's entry of each column: `table.column` and, for a personal one, what remains of it. */
function told() {
  const lines = table.split('\n').filter(line => /^\| `[\w.]+` \|/.test(line))
  return lines.flatMap(line => {
    const [, name, personal, , , plain] = line.split('|').map(cell => cell.trim())
    const of = (cell: string | undefined) => [...(cell ?? '').matchAll(/`(\w+)`/g)].map(found => found[1]!)
    const named = name!.replaceAll('`', '')
    return [
      ...of(personal).map(column => `${named}.${column}`),
      ...of(plain).map(column => `${named}.${column}`),
    ]
  })
}

test('every column that can hold words is named in docs/personal-data.md, as personal or not, and no other', async () => {
  const live = (await textColumns(app)).map(({ table, column }) => `${table}.${column}`)
  const page = told()
  expect(live.filter(column => !page.includes(column))).toEqual([])
  expect(page.filter(column => !live.includes(column))).toEqual([])
  expect(page.filter((column, at) => page.indexOf(column) !== at)).toEqual([])
})

/** A person with data in every table of personal data, each with a unique text. */
async function somebody() {
  const stamp = `mzq${unique()}`
  const number = newNumber()
  const said = (what: string) => `${what} ${stamp}`
  const { id: webhookId } = await admin.get(webhooks.create, {
    body: {
      name: 'Loja',
      url: 'https://x.test/',
      events: ['message.received', 'message.status', 'ticket.changed'],
    },
  })
  const contact = await admin.get(contacts.create, {
    body: {
      name: said('Zila'),
      number,
      email: `${stamp}@rua.test`,
      extraInfo: [{ name: 'CPF', value: said('123') }],
    },
  })
  const params = { contactId: contact.id }
  // a bot and a flow use the name
  const bot = await admin.get(bots.addSetup, { body: { name: 'Bia' } })
  await app.database.script(`
    insert into bot_calls (company_id, id, bot_setup_id, command_id, number, url, body, ticket_id)
    select company_id, gen_random_uuid(), ${bot.id}, 1, '1', 'https://x.test/', '{"name": "${said('Zila')}"}', null from contacts where id = ${contact.id}`)
  const write = (body: string) =>
    admin.get(simulator.write, { params: { whatsappId }, body: { number, name: said('Zi'), body } })
  await write(said('quero saber'))
  const file = picture('x.png')
  const form = new FormData()
  for (const [name, value] of Object.entries({ number, name: said('Zi'), body: said('foto') }))
    form.append(name, value)
  form.append('medias', new File([...[file.bytes], said('dentro')], `${stamp}.png`, { type: 'image/png' }))
  await fetch(`${app.url}/simulator/${whatsappId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  })
  const find = async () =>
    (await admin.get(tickets.list, { query: { tab: 'search', searchContactId: contact.id, showAll: true } }))
      .tickets[0]
  const ticket = await until(find)
  const ticketId = ticket.id
  await app.database.script(`update bot_calls set ticket_id = ${ticketId} where bot_setup_id = ${bot.id}`)
  await until(async () =>
    (await admin.get(messages.list, { params: { ticketId } })).messages.some(one => one.mediaUrl !== null),
  )
  const queueId = marina.user.queues[0]!.id
  await marina.get(tickets.change, { params: { ticketId }, body: { status: 'open', queueId } })
  const place = { ticketId, companyId: admin.user.companyId }
  const { id: messageId } = await marina.get(messages.send, {
    params: place,
    body: { body: said('respondo') },
  })
  await until(async () =>
    (await admin.get(messages.list, { params: { ticketId } })).messages.some(
      one => one.id === messageId && one.ack >= 2,
    ),
  )
  await marina.get(drafts.save, {
    params: { ticketId },
    body: { body: said('escrevo'), quotedId: null, at: 1 },
  })
  await marina.get(messages.edit, { params: { messageId }, body: { body: said('corrijo') } })
  await until(async () =>
    (await admin.get(messages.list, { params: { ticketId } })).messages.some(one =>
      one.body.includes('corrijo'),
    ),
  )
  const flowId = await rows.flow()
  await admin.get(flows.start, { params: { ticketId }, body: { flowId } })
  await admin.get(schedules.create, {
    params: { companyId: admin.user.companyId },
    body: {
      contactId: contact.id,
      body: said('amanhã'),
      sendAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
  })
  const setup = await admin.get(campaignSetups.create, {
    body: { name: `Onda ${unique()}`, whatsapps: [await rows.line()] },
  })
  const campaign = await admin.get(campaigns.create, {
    body: { name: 'Natal', campaignSetupId: setup.id, messages: [{ greeting: '', body: 'Oi {{name}}' }] },
  })
  await admin.get(campaigns.addRecipients, {
    params: { campaignId: campaign.id },
    body: { sendList: [{ number, nome: said('Zila'), cidade: said('Salvador') }, newNumber()] },
  })
  const token = await admin.get(apiTokens.create, { body: { name: `Loja ${unique()}`, whatsappId } })
  await app.anonymous.get(publicApi.send, {
    body: { number, body: said('pela api') },
    headers: { authorization: `Bearer ${token.id}`, 'idempotency-key': unique() },
  })
  const other = await admin.get(contacts.create, { body: { name: said('Zilá'), number: newNumber() } })
  await admin.get(contactMerges.merge, { body: { into: contact.id, from: other.id } })
  await admin.get(optOuts.add, { body: { contactId: contact.id } })
  const sheet = new FormData()
  sheet.append(
    'file',
    new File([`nome;numero;nota\n${said('Zila')};${number};${said('deve')}`], 'lista.csv', {
      type: 'text/csv',
    }),
  )
  await fetch(`${app.url}/contacts/sheets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: sheet,
  })
  await until(async () => (await admin.get(contactSheets.current)).sheet?.state === 'ready')
  const key = number.replace(/^(55\d\d)9/, '$1')
  return {
    stamp,
    number,
    contact,
    params,
    marks: [stamp, number, key, other.number],
    campaignId: campaign.id,
    webhookId,
  }
}

test('of a contact that is removed nothing is left, in any column, any file or the log; a support packet never had it', async () => {
  const { marks, stamp, number, params, campaignId, contact, webhookId } = await somebody()
  const before = await placesWith(app, marks)
  for (const place of [
    ...[
      'contacts.name',
      'contacts.number',
      'contacts.email',
      'contact_identifiers.value',
      'contact_extra_info.value',
    ],
    ...[
      'messages.body',
      'message_versions.body',
      'tickets.last_message',
      'inbound_events.heard',
      'schedules.body',
    ],
    ...[
      'campaign_dispatches.name',
      'campaign_dispatches.row_values',
      'campaign_dispatches.key',
      'bot_calls.body',
    ],
    ...['webhook_deliveries.body', 'api_sends.answer', 'contact_merges.gone', 'contact_sheet_rows.cells'],
    ...['contact_sheets.sample', 'opt_outs.number', 'simulator_messages.body', 'files'],
  ])
    expect(before, place).toContain(place)

  const { url } = await admin.get(contacts.data, { params })
  const archive = await opened(Buffer.from(await (await admin.fetch(url)).arrayBuffer()))
  const person = JSON.parse(archive.get('person.json')!.toString())
  for (const word of ['quero saber', 'respondo', 'corrijo', 'amanhã', 'Salvador', 'foto', '123'])
    expect(JSON.stringify(person)).toContain(`${word} ${stamp}`)
  expect(person.contact).toMatchObject({ id: contact.id, number, email: `${stamp}@rua.test` })
  expect([...archive.values()].some(bytes => bytes.includes(`dentro ${stamp}`))).toBe(true)
  const { companyId } = admin.user
  const { files, scopes } = app.platform
  const short = await exportPerson(scopes.inCompany(companyId), files, contact.id, 1)
  const shortened = await opened(Buffer.from(await (await admin.fetch(short.url)).arrayBuffer()))
  const left = JSON.parse(shortened.get('person.json')!.toString()).filesLeftOut as string[]
  expect([shortened.size, left.length, person.filesLeftOut]).toEqual([1, archive.size - 1, []])
  expect((await admin.fetch(left[0]!)).status).toBe(200)
  // what was made to be fetched goes after a day by itself
  for (const one of [url, short.url]) await files.remove(companyId, one.replace('/media/', ''))

  await expectNoPeopleInPacket(marks)
  await admin.get(contacts.remove, { params })
  await until(async () => (await placesWith(app, marks)).length === 0, 15_000).catch(async () =>
    expect(await placesWith(app, marks)).toEqual([]),
  )
  expect(lines.filter(line => marks.some(mark => line.includes(mark)))).toEqual([])
  const { campaignDispatches } = await admin.get(campaigns.dispatches, { params: { campaignId }, query: {} })
  expect(campaignDispatches.map(({ name, status, reason }) => [name, status, reason])).toContainEqual([
    '',
    'sentFail',
    'ERR_NO_CONTACT_FOUND',
  ])
  expect((await admin.get(campaigns.show, { params: { campaignId } })).campaign).toMatchObject({
    counts: { total: 2, failed: 1, pending: 1 },
  })

  // who opted out is still not written to, though the number is no longer stored
  await admin.get(campaigns.addRecipients, { params: { campaignId }, body: { sendList: [number] } })
  const { campaignDispatches: again } = await admin.get(campaigns.dispatches, {
    params: { campaignId },
    query: {},
  })
  expect(again.find(one => one.number === number)).toMatchObject({
    status: 'sentFail',
    reason: 'ERR_OPTED_OUT',
  })
  await admin.get(webhooks.remove, { params: { webhookId } })
}, 60_000)

/** What a support packet holds (`npm run doctor -- --packet`), while every feature has data of people. */
async function expectNoPeopleInPacket(marks: string[]) {
  const { config } = app.platform
  const findings = await examineDatabase(app.database, { config, env: process.env, features })
  const part = await databasePart(app.database, groupsOf(features))
  const packet = JSON.stringify(packetOf(config, process.env, findings, part))
  const people = await app.database.transaction('', sql =>
    rowsFrom<{ word: string }>(
      sql,
      tag`select word from (
        select name from contacts union select number from contacts union select email from users union select name from users
        union select name from companies union select email from companies union select name from whatsapps
        union select name from webhooks union select url from webhooks) found (word) where length(word) > 7`,
    ),
  )
  expect(people.length).toBeGreaterThan(10)
  const words = [...marks, ...people.map(({ word }) => word), config.jwtSecret!, config.dataDir]
  expect(words.filter(word => packet.includes(word))).toEqual([])
}

test('of a user that is removed the name stays where others must know who it was, and nothing else', async () => {
  const stamp = `uzq${unique()}`
  const email = `${stamp}@balcao.test`
  const group = marina.user.userAuthorization!
  const queueIds = marina.user.queues.map(({ id }) => id)
  const body = {
    name: `Nilo ${stamp}`,
    email,
    password: 'balcao-demo',
    whatsappId,
    queueIds,
    userAuthorizationId: group.id,
  }
  const { id: userId } = await admin.get(users.create, { body })
  const nilo = await app.as(email)
  const ticketId = await rows.ticket()
  await admin.get(tickets.change, { params: { ticketId }, body: { status: 'open', userId } })
  const params = { ticketId, companyId: admin.user.companyId }
  await nilo.get(messages.send, { params, body: { body: 'Bom dia' } })
  await nilo.get(flows.start, { params: { ticketId }, body: { flowId: await rows.flow() } })
  await app.database.script(`insert into mails (company_id, cause, recipient, letter, state)
    values (${admin.user.companyId}, '${stamp}', '${email}', '{}', 'sent')`)
  const places = ['users.email', 'users.name', 'flow_runs.user_name', 'mails.recipient']
  expect(await placesWith(app, [stamp])).toEqual(expect.arrayContaining(places))
  await admin.get(users.remove, { params: { userId } })
  expect(await placesWith(app, [stamp])).toEqual(staysOfUser)
  expect(lines.filter(line => line.includes(stamp))).toEqual([])
})

/** Who began a flow, and who acted on tickets: docs/personal-data.md. */
const staysOfUser = ['flow_runs.user_name', 'former_users.name']

const opened = (bytes: Buffer) =>
  new Promise<Map<string, Buffer>>((done, fail) => {
    const found = new Map<string, Buffer>()
    fromBuffer(bytes, { lazyEntries: true }, (error, archive) => {
      if (error) return fail(error)
      archive.on('end', () => done(found))
      archive.on('entry', entry =>
        archive.openReadStream(entry, async (broken, stream) => {
          if (broken) return fail(broken)
          const parts: Buffer[] = []
          for await (const part of stream) parts.push(part as Buffer)
          found.set(entry.fileName, Buffer.concat(parts))
          archive.readEntry()
        }),
      )
      archive.readEntry()
    })
  })
