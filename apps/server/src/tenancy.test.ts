import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { assignment } from '@balcao/contract/assignment.ts'
import { availabilityChannel } from '@balcao/contract/availability.ts'
import { botConfigs, botSimulator } from '@balcao/contract/botConfigs.ts'
import { bots } from '@balcao/contract/bots.ts'
import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { chat } from '@balcao/contract/chat.ts'
import { closingReasons } from '@balcao/contract/closingReasons.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { contactSheets } from '@balcao/contract/contactSheets.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { drafts } from '@balcao/contract/drafts.ts'
import { flows } from '@balcao/contract/flows.ts'
import { imports } from '@balcao/contract/imports.ts'
import { invitations } from '@balcao/contract/invitations.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { channelName } from '@balcao/contract/kit.ts'
import { marks } from '@balcao/contract/marks.ts'
import { mentions } from '@balcao/contract/mentions.ts'
import { messageLogChannel, messageLogs } from '@balcao/contract/messageLogs.ts'
import { messages } from '@balcao/contract/messages.ts'
import { optOuts } from '@balcao/contract/optOuts.ts'
import { pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { plans } from '@balcao/contract/plans.ts'
import { queues } from '@balcao/contract/queues.ts'
import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { surveys } from '@balcao/contract/surveys.ts'
import { tags } from '@balcao/contract/tags.ts'
import { targets } from '@balcao/contract/targets.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { views } from '@balcao/contract/views.ts'
import { visits } from '@balcao/contract/visits.ts'
import { webhooks } from '@balcao/contract/webhooks.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber, type Rows, rowsOf } from '../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../testing/test-app.ts'
import type { Chat } from './driver.ts'
import { receiveMessage } from './features/messages/inbound/inbound.actions.ts'
import { itemsOf } from './platform/features.ts'
import { rowsFrom, sql as tag } from './platform/postgres/sql.ts'
import { product } from './product.ts'

/** Names of the events that were published to sockets. */
const published = new Set<string>()
const watched = {
  ...product,
  features: product.features.map(feature => ({
    ...feature,
    live: [
      ...itemsOf([feature], 'join'),
      ...itemsOf([feature], 'push').map(one => ({
        ...one,
        send: (...given: Parameters<typeof one.send>) => {
          published.add(one.event.name)
          one.send(...given)
        },
      })),
    ],
  })),
}

let app: TestApp
let admin: Person
let stranger: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp({}, { product: watched })
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
})
afterAll(() => app.close())

describe('sockets', () => {
  test('of another company hear nothing while a company lives through every event [GEN-001, OP-36]', async () => {
    const master = await app.as('master@balcao.test')
    const overheard: unknown[] = []
    const hearing = (channel: string, payload: unknown) => overheard.push([channel, payload])
    // who opens a screen is available, for the own company
    const ofOwn = ({ user }: Person) => channelName(availabilityChannel, user.companyId)
    ;(await stranger.socket()).onAny(
      (channel, payload) => channel === ofOwn(stranger) || hearing(channel, payload),
    )
    // the log of the platform, plans and invoices are for its masters, whatever company they are of
    ;(await master.socket()).onAny(
      (channel, payload) =>
        channel === messageLogChannel.name ||
        channel === ofOwn(master) ||
        /^(plan|invoice)-/.test(channel) ||
        hearing(channel, payload),
    )

    await people()
    await places()
    await conversations()
    await talks()
    await sending()
    await surveyed()
    await becameLate()
    const planId = await rows.plan()
    await admin.get(plans.change, { params: { planId }, body: { recurrence: 'months3' } })
    await master.get(invoices.create, {
      params: { planId },
      body: {
        ...{ startInvoicePeriod: '2026-11-01', endInvoicePeriod: '2026-11-30', dueDate: '2026-11-10' },
        ...{ valueBrl: '99,90', billingType: 'PIX', recurrence: 1 },
      },
    })
    await master.get(visits.start, {
      params: { companyId: await rows.company() },
      body: { reason: 'Chamado', minutes: 15 },
    })
    const all = itemsOf(watched.features, 'push').map(({ event }) => event.name)
    const missing = () => all.filter(name => !published.has(name))
    await until(() => missing().length === 0).catch(() => expect(missing(), 'never announced').toEqual([]))

    const own = await stranger.get(queues.create, { body: { name: 'Nossa', color: '#00aa00' } })
    await until(() => overheard.length > 0)
    expect(overheard).toEqual([[`queue-${stranger.user.companyId}`, { action: 'create', queue: own }]])
  })

  test('are told whether they joined, whatever they asked for [EVENT-022]', async () => {
    const line = await admin.socket()
    const answers = [
      await line.timeout(2_000).emitWithAck('joinNotification'),
      await line.timeout(2_000).emitWithAck('joinTickets', 'pending'),
      await line.timeout(2_000).emitWithAck('joinTickets', 'lost'),
    ]
    expect(answers).toEqual([{ joined: true }, { joined: true }, { joined: false }])
  })

  test('do not enter a room by asking for another company’s ticket [EVENT-024]', async () => {
    const line = await stranger.socket()
    const ticketId = await rows.ticket()
    const answer = (asked: unknown) => line.timeout(2_000).emitWithAck('joinChatBox', asked)
    expect(await answer(ticketId)).toEqual({ joined: false })
    expect(await answer(`company:${admin.user.companyId}:everyone`)).toEqual({ joined: false })
  })
})

/** A target that a ticket misses. */
async function becameLate() {
  const queueId = await rows.queue()
  await admin.get(targets.change, { params: { queueId }, body: { resolutionMinutes: 5, withinHours: false } })
  const ticketId = await rows.ticket()
  await admin.get(tickets.change, { params: { ticketId }, body: { transf: true, queueId } })
  await app.database.script(`update tickets set target_turn_at = now() - interval '1 second', targets = jsonb_set(targets,
    '{resolution,dueAt}', to_jsonb(instant_text(now() - interval '1 minute'))) where id = ${ticketId}`)
}

async function people() {
  const authorizationId = await rows.authorization()
  await admin.get(permissions.change, { params: { authorizationId }, body: { name: 'Outro nome' } })
  await admin.get(permissions.remove, { params: { authorizationId } })
  const userId = await rows.user()
  await admin.get(users.change, { params: { userId }, body: { volume: 7 } })
  await admin.get(users.remove, { params: { userId } })
  await admin.get(invitations.withdraw, { params: { invitationId: await rows.invitation() } })
  const contactId = await rows.contact()
  await admin.get(contacts.change, {
    params: { contactId },
    body: { name: 'Outro nome', ownerId: admin.user.id },
  })
  const categoryId = await rows.category()
  await admin.get(contacts.categorize, { body: { contactId, categoryContacts: [categoryId] } })
  await oneWhoWasTwo()
  await admin.get(schedules.remove, { params: { scheduleId: await rows.schedule() } })
  await admin.get(contactMerges.undo, { params: { mergeId: await rows.merge() } })
  await admin.get(contactSheets.cancel, { params: { sheetId: await rows.sheet() } })
}

/** A bot is switched on, given a conversation, and goes. */
async function talks() {
  const body = { name: 'Robô', whatsapps: [await rows.phone()] }
  const { id: botSetupId } = await admin.get(bots.addSetup, { body })
  await admin.get(bots.giveBack, { params: { ticketId: await rows.ticket() } })
  await admin.get(bots.removeSetup, { params: { botSetupId } })
}

/** A campaign is created and started, with its setup and an opt-out. */
async function sending() {
  const campaignId = await rows.campaign()
  const { campaign } = await admin.get(campaigns.show, { params: { campaignId } })
  await admin.get(campaigns.process, { params: { campaignId, action: 'start' } })
  await admin.get(campaigns.process, { params: { campaignId, action: 'finalized' } })
  await admin.get(campaigns.remove, { params: { campaignId } })
  await admin.get(campaignSetups.remove, { params: { setupId: campaign.campaignSetup!.id } })
  await admin.get(optOuts.remove, { params: { optOutId: await rows.optOut() } })
}

/** A phone and a LID that turn out to be one person: a contact goes. */
async function oneWhoWasTwo() {
  const whatsappId = await rows.phone()
  const phone: Chat = { kind: 'phone', value: newNumber() }
  const lid: Chat = { kind: 'lid', value: '99887766554433' }
  for (const [at, chat] of [
    phone,
    lid,
    { ...lid, also: { kind: 'phone', value: phone.value } } as Chat,
  ].entries())
    await app.platform.scopes.inCompany(admin.user.companyId).transaction(tx =>
      receiveMessage(tx, whatsappId, {
        kind: 'message',
        chat,
        externalId: `TWO${at}`,
        fromMe: false,
        name: 'Ana',
        body: 'Oi',
        mediaType: null,
        at: new Date().toISOString(),
      }),
    )
}

async function places() {
  await admin.get(tags.create, { body: { name: 'Etiqueta' } })
  const { id: roomId } = await admin.get(chat.open, { body: { userIds: [await rows.user()] } })
  await admin.get(chat.send, { params: { roomId }, body: { body: 'Oi' } })
  await admin.get(views.create, { body: { name: 'Visão', filters: {} } })
  await admin.get(flows.create, { body: { name: 'Boas-vindas', type: 'Chat' } })
  await admin.get(apiTokens.create, { body: { name: 'Loja', whatsappId: await rows.connection() } })
  const hook = { name: 'Loja', url: 'https://93.184.215.14/aviso', events: ['ticket.changed' as const] }
  await admin.get(webhooks.create, { body: { ...hook, isActive: false } })
  await admin.get(quickAnswers.create, { body: { shortcut: 'demora', message: 'Dez dias.' } })
  await admin.get(closingReasons.create, { body: { name: 'prazo' } })
  await admin.get(pauseReasons.create, { body: { name: 'prazo' } })
  const { id: botConfigId } = await admin.get(botConfigs.create, { body: { name: 'Vendas' } })
  await admin.get(botSimulator.send, { body: { botConfigId, message: { body: 'Oi' } } })
  const queueId = await rows.queue()
  await admin.get(queues.change, { params: { queueId }, body: { greetingMessage: 'Oi' } })
  await admin.get(assignment.change, { params: { queueId }, body: { mode: 'rotation' } })
  await admin.get(queues.remove, { params: { queueId } })
  const whatsappId = await rows.connection()
  await admin.get(connections.change, { params: { whatsappId }, body: { farewellMessage: 'Até' } })
  await admin.get(connections.remove, { params: { whatsappId } })
}

/** A colleague is mentioned in a note, and reads it. */
async function note(ticketId: number) {
  const colleague = await app.as('atendente@balcao.test')
  const owned = { transf: true, queueId: colleague.user.queues[0]!.id, userId: admin.user.id }
  await admin.get(tickets.change, { params: { ticketId }, body: owned })
  const body = { body: '@Marina', isPrivate: true, mentions: [String(colleague.user.id)] }
  await admin.get(messages.send, { params: { ticketId, companyId: admin.user.companyId }, body })
  await colleague.get(mentions.read, { body: {} })
  await colleague.get(marks.follow, { params: { ticketId }, body: { on: true } })
}

async function conversations() {
  const whatsappId = await rows.phone()
  const { companyId } = admin.user
  const ticketId = await rows.ticket()
  const { contact } = await admin.get(tickets.show, { params: { ticketId } })
  await admin.get(messages.list, { params: { ticketId } }) // the owner reads it
  await admin.get(marks.pin, { params: { ticketId }, body: { on: true } })
  await admin.get(flows.start, { params: { ticketId }, body: { flowId: await rows.flow() } })
  await admin.get(drafts.save, { params: { ticketId }, body: { body: 'Bom', quotedId: null, at: 1 } })
  await admin.get(messages.send, { params: { ticketId, companyId }, body: { body: 'Bom dia' } })
  await note(ticketId)
  const number = contact.number
  await until(
    async () => (await admin.get(simulator.chat, { params: { whatsappId, number } })).length > 0,
    5_000,
  )
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body: 'Oi' } })
  await admin.get(simulator.receipt, { params: { whatsappId }, body: { number, ack: 4 } })
  await until(() => published.has('message.changed'), 5_000)
  await admin.get(simulator.type, { params: { whatsappId }, body: { number, state: 'composing' } })
  await until(() => published.has('customer.typed'), 5_000)
  await takeBack(ticketId)
  await (await app.as('master@balcao.test')).get(messageLogs.removeAll)
  await admin.get(imports.close, { params: { whatsappId } })
  await admin.get(tickets.remove, { params: { ticketId } })
}

/** A customer is asked after a closing, and gives a score. */
async function surveyed() {
  await admin.get(surveys.change, { body: { enabled: true, question: 'Que nota?' } })
  const params = { whatsappId: await rows.phone() }
  const ticketId = await rows.ticket()
  const { contact } = await admin.get(tickets.change, { params: { ticketId }, body: { status: 'closed' } })
  const ask = tag`update surveys set due_at = now() where ticket_id = ${ticketId}`
  await app.database.transaction('', sql => sql.execute(ask))
  const { number } = contact
  const chat = () => admin.get(simulator.chat, { params: { ...params, number } })
  await until(async () => (await chat()).some(({ body }) => body.startsWith('Que nota')), 5_000)
  await admin.get(simulator.write, { params, body: { number, name: 'Ana', body: '5' } })
}

/** What could not leave yet is as if it had never been written. */
async function takeBack(ticketId: number) {
  const params = { whatsappId: await rows.phone() }
  await admin.get(simulator.fault, { params, body: { kind: 'offline' } })
  await until(async () => (await admin.get(connections.show, { params })).status === 'OPENING')
  const place = { ticketId, companyId: admin.user.companyId }
  const { id } = await admin.get(messages.send, { params: place, body: { body: 'Sem linha' } })
  await admin.get(messages.remove, { params: { messageId: id, channel: 'whatsapp' } })
  await admin.get(simulator.fault, { params, body: { kind: 'none' } })
}

describe('the database itself', () => {
  const wall = (companyId: number) =>
    `set local role balcao_tenant; set local app.company_id = '${companyId}'`
  const read = <Row = Record<string, number>>(opening: string, statement: string) =>
    app.database.transaction(opening, sql => rowsFrom<Row>(sql, tag.raw(statement)))
  const refusal = (work: Promise<unknown>) => work.then(String, error => String(error.cause ?? error))
  const tenantTables = () =>
    read<{ name: string }>(
      '',
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attname = 'company_id' and not a.attisdropped order by 1`,
    )

  test('shows a company no row of another in any table, nor takes one from it [GEN-001]', async () => {
    const [mine, foreign] = [stranger.user.companyId, admin.user.companyId]
    const names = (await tenantTables()).map(({ name }) => name)
    expect(names.length).toBeGreaterThan(15)
    for (const name of names) {
      const [seen] = await read(
        wall(mine),
        `select count(*)::int as n from ${name} where company_id <> ${mine}`,
      )
      expect([name, seen!.n]).toEqual([name, 0])
      if (name === 'plans') continue // which no company writes at all
      const moved = await read(
        wall(mine),
        `update ${name} set company_id = ${mine} where company_id = ${foreign} returning 1`,
      )
      expect([name, moved]).toEqual([name, []])
      const gone = await read(wall(mine), `delete from ${name} where company_id = ${foreign} returning 1`)
      expect([name, gone]).toEqual([name, []])
      const insertion = `insert into ${name} select (json_populate_record(null::${name}, '{"company_id": ${foreign}}')).*`
      const refused = await read(wall(mine), insertion).catch(error => String(error.cause ?? error))
      expect(refused).toContain(`row-level security policy for table "${name}"`)
    }
  })

  test('has foreign rows to hide in the tables that matter', async () => {
    for (const name of ['users', 'tickets', 'messages', 'contacts', 'whatsapps', 'queues', 'sessions']) {
      const [there] = await read(
        '',
        `select count(*)::int as n from ${name} where company_id = ${admin.user.companyId}`,
      )
      expect(there!.n, name).toBeGreaterThan(0)
    }
  })

  test('refuses to move an own row into another company', async () => {
    const person = read(
      wall(stranger.user.companyId),
      `update users set company_id = ${admin.user.companyId} where id = ${stranger.user.id}`,
    )
    await expect(person.catch(error => String(error.cause ?? error))).resolves.toContain('row-level security')
  })

  test('shows a company itself alone', async () => {
    const seen = await read(wall(stranger.user.companyId), 'select id from companies')
    expect(seen).toEqual([{ id: stranger.user.companyId }])
  })

  test('shows a company itself alone also in a transaction that the platform begins', async () => {
    const mine = stranger.user.companyId
    const ids = tag`select id from companies`
    const all: unknown[] = []
    const seen = await app.platform.scopes.platform().transactionOf(
      mine,
      async sql => all.push(...(await rowsFrom(sql, ids))),
      tx => rowsFrom(tx.sql, ids),
    )
    expect([all.length > 1, seen]).toEqual([true, [{ id: mine }]])
  })

  test('lets no company change what it pays for, nor whether it is on', async () => {
    const own = wall(stranger.user.companyId)
    for (const change of [
      'status = 1',
      'number_attendants = 999',
      'enable_campaigns = true',
      'leaving_at = now()',
      'suspended_at = null',
      "pay_by = '2099-12-31'",
    ])
      expect(await refusal(read(own, `update companies set ${change}`)), change).toContain(
        'permission denied',
      )
  })

  test('lets a company ask how it stands, which follows from its invoices, and no company about another', async () => {
    const [mine, foreign] = [stranger.user.companyId, admin.user.companyId]
    const ask = (companyId: number) => `select settle_company(${companyId}, now(), 'America/Sao_Paulo') as is`
    const stands = () => read('', `select suspended_at is not null as is from companies where id = ${mine}`)
    await app.database.script(`update settings set value = '1' where key = 'graceDays';
      insert into invoices (company_id, plan_id, start_invoice_period, end_invoice_period, value, billing_type, due_date, recurrence, anchor)
      select company_id, id, '2026-01-01', '2026-01-31', 100, 'PIX', '2026-01-01', 1, 1 from plans where company_id = ${mine}`)
    expect(await read(wall(mine), ask(mine))).toEqual([{ is: true }])
    expect(await stands()).toEqual([{ is: true }])
    expect(await read(wall(mine), ask(mine))).toEqual([{ is: false }])
    expect(await refusal(read(wall(mine), ask(foreign)))).toContain('permission denied')
    expect(await refusal(read(wall(mine), 'select * from settings'))).toContain('permission denied')
    await app.database.script(
      `delete from invoices where company_id = ${mine}; update settings set value = '0' where key = 'graceDays'`,
    )
    expect(await read(wall(mine), ask(mine))).toEqual([{ is: true }])
    expect(await stands()).toEqual([{ is: false }])
  })

  test('lets a company read its own plan and no other, and write none', async () => {
    const own = wall(stranger.user.companyId)
    expect(await read(own, 'select company_id from plans')).toEqual([{ company_id: stranger.user.companyId }])
    for (const change of [
      'update plans set number_attendants = 999',
      'delete from plans',
      "insert into plans (name) values ('X')",
    ])
      expect(await refusal(read(own, change)), change).toContain('permission denied')
  })

  test('lets a company add jobs of its own, and neither read, change nor add those of others', async () => {
    const [mine, foreign] = [wall(stranger.user.companyId), admin.user.companyId]
    for (const asked of [
      'select data from pgboss.job',
      'delete from pgboss.job',
      'update pgboss.job set data = null',
    ])
      expect(await refusal(read(mine, asked)), asked).toContain('permission denied')
    const add = (companyId: number) =>
      `insert into pgboss.job (name, data) select name, '{"companyId": ${companyId}}' from pgboss.queue limit 1 returning id`
    expect(await refusal(read(mine, add(foreign)))).toContain('row-level security')
    const beyond = await read(
      '',
      `select distinct table_name as name, privilege_type as what from information_schema.role_table_grants
        where grantee = 'balcao_tenant' and table_schema = 'pgboss' and privilege_type <> 'INSERT'`,
    )
    expect(beyond).toEqual([{ name: 'queue', what: 'SELECT' }])
  })

  test('shows nothing at all to a transaction without a company', async () => {
    const lost = read('set local role balcao_tenant', 'select id from users')
    await expect(lost).rejects.toThrow()
  })
})
