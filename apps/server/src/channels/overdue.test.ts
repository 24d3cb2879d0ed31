import { randomUUID } from 'node:crypto'
import { messages } from '@balcao/contract/messages.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Campaigns, openCampaigns } from '../../testing/campaigns.ts'
import { newNumber, rowsOf } from '../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../testing/test-app.ts'
import { post } from '../features/messages/messages.actions.ts'
import { rowsFrom, sql as tag } from '../platform/postgres/sql.ts'

const SECONDS = 15_000

let app: TestApp
let admin: Person
let whatsappId: number
let shop: Campaigns
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
  shop = await openCampaigns(app, admin, rowsOf(app, admin))
})
afterAll(() => app.close())

const connection = (status: 'CONNECTED' | 'OPENING') =>
  until(async () => {
    const [row] = await app.platform.scopes
      .platform()
      .transaction(sql =>
        rowsFrom<{ status: string }>(sql, tag`select status from whatsapps where id = ${whatsappId}`),
      )
    return row!.status === status
  }, SECONDS)
async function line(kind: 'offline' | 'none') {
  await admin.get(simulator.fault, { params: { whatsappId }, body: { kind } })
  await connection(kind === 'none' ? 'CONNECTED' : 'OPENING')
}
async function conversation() {
  const number = newNumber()
  await shop.writes(number, 'Oi', whatsappId)
  return until(async () => {
    const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return page.tickets.find(ticket => ticket.contact.number === number)
  }, SECONDS)
}
const messagesOf = async (ticketId: number) =>
  (await admin.get(messages.list, { params: { ticketId } })).messages
const suspend = (at: 'now()' | 'null') =>
  app.database.script(`update companies set suspended_at = ${at} where id = ${admin.user.companyId}`)

test('what speaks by itself and is a day late rests with the reason, and leaves when a person says so; what a person wrote leaves', async () => {
  const { id: ticketId, contactId, contact } = await conversation()
  await line('offline')
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const fields = { ticketId, contactId, whatsappId, userId: null, createdAt: new Date().toISOString() }
  await scope.transaction(async tx => {
    await post(tx, [{ ...fields, id: randomUUID(), source: 'bot', body: 'Sua consulta é hoje' }])
    await post(tx, [{ ...fields, id: randomUUID(), source: 'bot', body: 'Até logo' }])
    await post(tx, [{ ...fields, id: randomUUID(), source: 'person', body: 'De Marina' }])
  })
  await app.database.script(
    `update messages set leaves_until = now() - interval '1 minute' where body = 'Sua consulta é hoje'`,
  )
  // failed while the connection is still down
  const resting = await until(
    async () =>
      (await messagesOf(ticketId)).find(({ body, ack }) => body === 'Sua consulta é hoje' && ack === 0),
    SECONDS,
  )
  expect(resting.failReason).toBe('ERR_TOO_LATE')
  await line('none')
  await until(async () => (await shop.heard(contact.number, whatsappId)).length === 2, SECONDS)
  expect(await shop.heard(contact.number, whatsappId)).toEqual(['Até logo', 'De Marina'])
  await admin.get(messages.resend, { params: { messageId: resting.id } })
  await until(
    async () => (await shop.heard(contact.number, whatsappId)).includes('Sua consulta é hoje'),
    SECONDS,
  )
})

test('a schedule waits for a line that is on its way back, and is marked late', async () => {
  const { contactId, contact } = await conversation()
  await line('offline')
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const params = { companyId: admin.user.companyId }
  const { id } = await admin.get(schedules.create, {
    params,
    body: { contactId, body: 'Lembrete', sendAt, whatsappId },
  })
  await app.database.script(
    `update schedules set next_at = now() - interval '2 hours', send_at = now() - interval '2 hours' where id = ${id}`,
  )
  const last = async () => (await admin.get(schedules.show, { params: { scheduleId: id } })).last
  for (const end = Date.now() + 2_000; Date.now() < end; ) expect(await last()).toBe(null)
  await line('none')
  await until(async () => (await shop.heard(contact.number, whatsappId)).includes('Lembrete'), SECONDS)
  await until(async () => (await last())?.state === 'sent', SECONDS)
  expect((await last())!.late).toBe(true)
})

test('a campaign of a company that was suspended for weeks does not go out at once: it rests with the reason', async () => {
  const people = Array.from({ length: 2 }, () => ({ number: newNumber() }))
  const planned = await shop.make({
    sendList: people,
    schedule: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const running = await shop.make({ sendList: people })
  await suspend('now()')
  try {
    await app.database.script(
      `update campaigns set schedule = now() - interval '3 weeks', status = 'scheduled' where id = ${planned.id};
        update campaigns set status = 'start', waits_until = now() - interval '3 weeks' where id = ${running.id};
        insert into campaign_clocks (company_id, whatsapp_id, look_at) values (${admin.user.companyId}, ${shop.line}, now())
          on conflict (company_id, whatsapp_id) do update set look_at = now()`,
    )
  } finally {
    await suspend('null')
  }
  for (const { id } of [planned, running]) expect((await shop.stands(id, 'pause')).pauseReason).toBe('late')
  for (const { number } of people) expect(await shop.heard(number)).toEqual([])
})
