import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { connections } from '@balcao/contract/connections.ts'
import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import { messages } from '@balcao/contract/messages.ts'
import { plans } from '@balcao/contract/plans.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../../../testing/campaigns.ts'
import { newNumber, type Rows, rowsOf, unique } from '../../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../../testing/test-app.ts'
import { eq } from '../../../platform/postgres/sql.ts'
import { campaigns as campaignRows } from '../campaigns.table.ts'
import { companyClock } from './run.queries.ts'

let app: TestApp
let admin: Person
let rows: Rows
let shop: Campaigns
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  rows = rowsOf(app, admin)
  shop = await openCampaigns(app, admin, rows)
})
afterAll(() => app.close())

test('a campaign tells everybody once, in turn, its greeting first, and is over then [ENTITY-019 … ENTITY-020, OP-91, OP-92, CAMP-049, CAMP-051 … CAMP-052, CAMP-055]', async () => {
  const sendList = numbers(4).map((number, at) => ({ number, name: `Ana ${at}` }))
  const messages = [
    { greeting: 'Oi {{primeiroNome}}!', body: 'Sofás' },
    { greeting: 'Olá {{nome}}', body: 'Mesas' },
  ]
  const made = await shop.make({ sendList, messages })
  expect(made).toMatchObject({ status: 'created', counts: { total: 4, pending: 4 } })
  const { body: started } = await shop.act(made.id, 'start')
  expect(started.status).toBe('created')
  const done = await shop.stands(made.id, 'finalized')
  expect(done).toMatchObject({
    initialized: expect.any(String),
    finalized: expect.any(String),
    counts: { total: 4, pending: 0, sending: 0, sent: 4, failed: 0 },
  })
  const said = await Promise.all(sendList.map(({ number }) => shop.heard(number)))
  expect(said).toEqual([
    ['Oi Ana!', 'Sofás'],
    ['Olá Ana 1', 'Mesas'],
    ['Oi Ana!', 'Sofás'],
    ['Olá Ana 3', 'Mesas'],
  ])
  const [first] = await shop.people(made.id)
  expect(first).toMatchObject({
    status: 'sent',
    greeting: 'Oi Ana!',
    message: 'Sofás',
    greetingSendAt: expect.any(String),
    messageSendAt: expect.any(String),
  })
  const { tickets: closed } = await admin.get(tickets.list, { query: { status: 'closed', showAll: true } })
  expect(closed.find(({ id }) => id === first!.ticketId)).toMatchObject({ status: 'closed' })
})

test('between the parts and between people it waits as its setup says [OP-89, CAMP-040, CAMP-050]', async () => {
  const line = await rows.connection()
  const setup = await shop.setup({ tMin: 1, tMax: 10, interval: 5, whatsapps: [line] }, false)
  const [one, other] = numbers(2)
  const made = await shop.make(
    { sendList: [one, other], messages: [{ greeting: 'Oi', body: 'Sofás' }] },
    setup.id,
  )
  await shop.act(made.id, 'start')
  const first = await until(async () => {
    const [row] = await shop.people(made.id)
    return row?.greetingSendAt ? row : null
  })
  expect(first.status).toBe('sending')
  const { waits, counts } = await shop.show(made.id)
  expect([counts.sending, counts.pending, waits?.reason]).toEqual([1, 1, 'gap'])
  expect(Date.parse(waits!.until!)).toBeGreaterThan(Date.now() + 5_000)
  // paused: who is under way gets the rest, the other nothing
  await shop.act(made.id, 'pause')
  await until(async () => (await shop.show(made.id)).counts.sent === 1, 15_000)
  expect(await shop.heard(one!, line)).toEqual(['Oi', 'Sofás'])
  expect(await shop.heard(other!, line)).toEqual([])
  expect((await shop.show(made.id)).counts).toMatchObject({ pending: 1, sending: 0 })
  await shop.act(made.id, 'finalized')
})

test('what had not begun to leave is taken back by a pause, and goes out when it goes on [CAMP-040]', async () => {
  const { id: line } = await admin.get(connections.create, {
    body: { name: `Sem sessão ${unique()}`, lib: 'simulator' },
  })
  const params = { whatsappId: line }
  await until(async () => (await admin.get(connections.show, { params })).status === 'CONNECTED')
  await admin.get(connections.disconnect, { params })
  await until(async () => (await admin.get(connections.show, { params })).status === 'DISCONNECTED')
  // no process runs it, which is not detected yet; its session, which closes meanwhile, may report its end once more
  const seems = () =>
    app.database.script(`update whatsapps set status = 'CONNECTED' where id = ${line} and status <> 'CONNECTED';
      update campaign_clocks set look_at = now() where whatsapp_id = ${line} and look_at > now()`)
  await seems()
  const sendList = numbers(3)
  const setup = await shop.setup({ whatsapps: [line] })
  const made = await shop.make({ sendList, messages: [{ greeting: 'Oi', body: 'Sofás' }] }, setup.id)
  await shop.act(made.id, 'start')
  const [first] = await until(async () => {
    await seems()
    const some = await shop.people(made.id, { status: 'sending' })
    return some.length > 0 && some
  })
  expect((await shop.act(made.id, 'pause')).body).toMatchObject({
    status: 'pause',
    counts: { pending: 3, sending: 0, sent: 0 },
  })
  const { messages: left } = await admin.get(messages.list, { params: { ticketId: first!.ticketId! } })
  expect(left).toEqual([])
  await admin.get(connections.start, { params: { whatsappId: line } })
  await shop.act(made.id, 'start')
  await shop.stands(made.id, 'finalized')
  for (const number of sendList) expect(await shop.heard(number, line)).toEqual(['Oi', 'Sofás'])
})

test('the hour of the plan holds for all campaigns together, and says until when [OP-90, CAMP-054]', async () => {
  await app.database.script(
    'update plans set campaign_send_limit_per_hour = 2; delete from campaign_departures',
  )
  const [one, other] = [await shop.make({ sendList: numbers(2) }), await shop.make({ sendList: numbers(2) })]
  await shop.act(one.id, 'start')
  await shop.act(other.id, 'start')
  const capped = await until(async () => {
    const both = [await shop.show(one.id), await shop.show(other.id)]
    const sent = both.reduce((sum, { counts }) => sum + counts.sent, 0)
    return sent === 2 && both.some(({ waits }) => waits?.reason === 'hour') && both
  })
  const waiting = capped.find(({ waits }) => waits?.reason === 'hour')!
  expect(Date.parse(waiting.waits!.until!)).toBeGreaterThan(Date.now() + 3_500_000)
  const third = await shop.make({ sendList: numbers(2) })
  const { endsAt } = await admin.get(campaigns.forecast, { params: { campaignId: third.id } })
  // the two of this hour, and its own
  expect(Date.parse(endsAt!)).toBeGreaterThan(Date.now() + 7_000_000)
  await app.database.script(`update campaign_departures set at = at - interval '1 hour';
    update campaign_clocks set look_at = now() where look_at is not null`)
  for (const { id } of capped) await shop.stands(id, 'finalized')
  await app.database.script('update plans set campaign_send_limit_per_hour = 0')
})

test('what it waits for follows a shorter pause and a lifted limit of the plan at once', async () => {
  await app.database.script(
    'update plans set campaign_send_limit_per_hour = 1; delete from campaign_departures',
  )
  const setup = await shop.setup({ tMin: 10, tMax: 60, interval: 60 }, false)
  const made = await shop.make({ sendList: numbers(3) }, setup.id)
  await shop.act(made.id, 'start')
  const waits = () =>
    until(async () => {
      const campaign = await shop.show(made.id)
      return campaign.counts.sent === 1 && campaign.waits
    })
  expect(Date.parse((await waits()).until!)).toBeGreaterThan(Date.now() + 60_000)
  const pace = { tMin: 1, tMax: 10, interval: 5 } as const
  await admin.get(campaignSetups.change, { params: { setupId: setup.id }, body: pace })
  expect(Date.parse((await waits()).until!)).toBeLessThan(Date.now() + 15_500)
  await app.database.script(
    `update campaign_clocks set free_at = now(), look_at = now() where look_at is not null`,
  )
  await until(async () => (await waits()).reason === 'hour')
  const master = await app.as('master@balcao.test')
  const planId = await rows.plan()
  await master.get(plans.change, { params: { planId }, body: { campaignSendLimitPerHour: 0 } })
  await until(async () => (await shop.show(made.id)).counts.sent === 2)
  await admin.get(campaigns.remove, { params: { campaignId: made.id } })
})

test('it sends within its hours and days only', async () => {
  const { shown } = await app.platform.scopes.inCompany(admin.user.companyId).read(companyClock)
  // an hour of two hours ago, by the company's clock
  const hour = String((Number(shown.slice(11, 13)) + 22) % 24).padStart(2, '0')
  const [number] = numbers(1)
  const setup = await shop.setup({ dailyFrom: `${hour}:00`, dailyUntil: `${hour}:59` })
  const made = await shop.make({ sendList: [number] }, setup.id)
  await shop.act(made.id, 'start')
  const waiting = await until(async () => {
    const campaign = await shop.show(made.id)
    return campaign.waits?.reason === 'window' && campaign
  })
  expect(Date.parse(waiting.waits!.until!)).toBeGreaterThan(Date.now() + 3_600_000)
  expect(await shop.heard(number!)).toEqual([])
  await shop.act(made.id, 'finalized')
  expect((await shop.show(made.id)).counts.pending).toBe(1)
})

test('one that is planned begins at its time; a finalized one never again [OP-93, CAMP-041, CAMP-045]', async () => {
  const [number] = numbers(1)
  const made = await shop.make({
    sendList: [number],
    schedule: new Date(Date.now() + 3_600_000).toISOString(),
  })
  expect(made.status).toBe('scheduled')
  await app.database.script(`update campaigns set schedule = now() where id = ${made.id}`)
  await shop.stands(made.id, 'finalized')
  expect(await shop.heard(number!)).toEqual(['Novidades da loja'])
  expect(await shop.act(made.id, 'start')).toMatchObject({
    status: 409,
    body: { error: 'ERR_CAMPAIGN_FINALIZED' },
  })
})

test('one that says nothing, or to nobody, rests with that reason when its time comes, and holds up no other on its number', async () => {
  const { id: campaignSetupId } = await shop.setup()
  const empty = async (sendList: string[]) => {
    const schedule = new Date(Date.now() + 3_600_000).toISOString()
    const body = { name: 'Vazia', campaignSetupId, schedule }
    const { id: campaignId } = await admin.get(campaigns.create, { body })
    if (sendList.length > 0)
      await admin.get(campaigns.addRecipients, { params: { campaignId }, body: { sendList } })
    await app.database.script(`update campaigns set schedule = now() where id = ${campaignId}`)
    return campaignId
  }
  for (const sendList of [numbers(1), []]) {
    const silent = await shop.stands(await empty(sendList), 'pause')
    expect(silent.pauseReason).toBe('empty')
  }
  // where all recipients had opted out it is complete, and subscribers of its end are notified
  const [gone] = numbers(1)
  await app.database.script(`insert into opt_outs (company_id, key, number, source)
    values (${admin.user.companyId}, '${phoneKey(gone!)}', '${gone}', 'person')`)
  const schedule = new Date(Date.now() + 3_600_000).toISOString()
  const through = await shop.make({ sendList: [gone], schedule }, campaignSetupId)
  await app.database.script(`update campaigns set schedule = now() where id = ${through.id}`)
  expect((await shop.stands(through.id, 'finalized')).counts).toMatchObject({ failed: 1, sent: 0 })
  // one whose messages go while it runs
  const robbed = await shop.make({ sendList: numbers(2) }, campaignSetupId)
  await app.database.script(`delete from campaign_messages where campaign_id = ${robbed.id}`)
  await app.database.script(`update campaigns set status = 'start' where id = ${robbed.id}`)
  const [number] = numbers(1)
  const made = await shop.make({ sendList: [number] }, campaignSetupId)
  await shop.act(made.id, 'start')
  await shop.stands(made.id, 'finalized')
  expect((await shop.show(robbed.id)).pauseReason).toBe('empty')
})

test('one of a company whose plan has no campaigns any more stops by itself [CAMP-002]', async () => {
  const setup = await shop.setup({ tMin: 1, tMax: 10, interval: 5 }, false)
  const made = await shop.make({ sendList: numbers(3) }, setup.id)
  await shop.act(made.id, 'start')
  await until(async () => (await shop.show(made.id)).counts.sent === 1)
  const turn = (isOn: boolean) =>
    app.database.script(`update companies set enable_campaigns = ${isOn} where id = ${admin.user.companyId}`)
  await turn(false)
  await app.database.script('update campaign_clocks set look_at = now(), free_at = now()')
  const paused = async () => {
    const [row] = await app.platform.scopes
      .inCompany(admin.user.companyId)
      .read(tx => tx.sql.select().from(campaignRows).where(eq(campaignRows.id, made.id)))
    return row!.status === 'pause' && row
  }
  expect(await until(paused, 15_000)).toMatchObject({ pauseReason: 'plan', sent: 1 })
  await turn(true)
})

test('without a schedule it begins as its setup says [OP-93, CAMP-058]', async () => {
  const setup = await shop.setup({ autoStart: true })
  const [number] = numbers(1)
  const made = await shop.make({ sendList: [number] }, setup.id)
  await shop.stands(made.id, 'finalized')
  expect(await shop.heard(number!)).toEqual(['Novidades da loja'])
})

test('a number that is away pauses it with the reason', async () => {
  const line = await rows.connection()
  const setup = await shop.setup({ whatsapps: [line] })
  const made = await shop.make({ sendList: numbers(2) }, setup.id)
  await app.database.script(`update whatsapps set status = 'DISCONNECTED', wanted = 'off' where id = ${line}`)
  expect(await shop.act(made.id, 'start')).toMatchObject({
    status: 409,
    body: { error: 'ERR_WAPP_NOT_INITIALIZED' },
  })
  await app.database.script(`update whatsapps set status = 'OPENING' where id = ${line}`)
  await shop.act(made.id, 'start')
  await until(async () => (await shop.show(made.id)).waits?.reason === 'connection')
  await app.database.script(`update whatsapps set status = 'DISCONNECTED' where id = ${line}`)
  expect(await shop.stands(made.id, 'pause')).toMatchObject({
    pauseReason: 'disconnected',
    pauseDetail: expect.stringContaining('Linha'),
    counts: { pending: 2 },
  })
})

test('refusals in a row pause it, and the rest never leaves', async () => {
  const line = await rows.connection()
  const setup = await shop.setup({ whatsapps: [line] })
  const made = await shop.make({ sendList: numbers(8) }, setup.id)
  await shop.fault('reject', line)
  await shop.act(made.id, 'start')
  expect(await shop.stands(made.id, 'pause')).toMatchObject({
    pauseReason: 'refused',
    counts: { failed: 5, pending: 3, sent: 0 },
  })
  const { reasons } = await admin.get(campaigns.report, { params: { campaignId: made.id } })
  expect(reasons).toEqual([{ reason: expect.any(String), count: 5 }])
})

test('who cannot be told everything is told nothing, and says why', async () => {
  const [one, other] = numbers(2)
  const sendList = [{ number: one, cidade: 'Recife' }, { number: other }]
  const made = await shop.make({ sendList, messages: [{ body: 'Frete grátis em {{Cidade}}' }] })
  await shop.act(made.id, 'start')
  const done = await shop.stands(made.id, 'finalized')
  expect(done.counts).toMatchObject({ sent: 1, failed: 1 })
  expect(await shop.heard(one!)).toEqual(['Frete grátis em Recife'])
  expect(await shop.heard(other!)).toEqual([])
  expect((await shop.people(made.id, { status: 'sentFail' }))[0]).toMatchObject({
    reason: 'ERR_CAMPAIGN_VARIABLE',
  })
})

test('an answer is counted, and its ticket knows the campaign', async () => {
  const number = newNumber()
  const made = await shop.make({ sendList: [number] })
  await shop.act(made.id, 'start')
  await shop.stands(made.id, 'finalized')
  await shop.writes(number, 'Quanto custa?')
  await until(async () => (await shop.show(made.id)).counts.answered === 1)
  const { tickets: found } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
  const ticketId = found.find(one => one.contact.number === number)!.id
  expect(await admin.get(campaigns.ofTicket, { params: { ticketId } })).toEqual({
    campaign: { id: made.id, name: made.name },
  })
})
