import { apiTokens, TicketCreateOrUpdate, TicketSetStatus } from '@balcao/contract/apiTokens.ts'
import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { publicApi } from '@balcao/contract/publicApi.ts'
import { MOST_USES, secretUses } from '@balcao/contract/secretUses.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { askPasswordLength } from '../../platform/access/passwords.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

/** Whose token it is: an admin, an attendant of the queue of the ticket, one of another queue. */
type Owner = 'admin' | 'member' | 'outsider'
type Named = 'number' | 'contactId' | 'ticketId'

let app: TestApp
let admin: Person
let rows: ReturnType<typeof rowsOf>
let ids: Record<Owner, number>
let outsidersQueue: number
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script('update companies set enable_campaigns = true')
  admin = await app.as('admin@balcao.test')
  rows = rowsOf(app, admin)
  const [member, outsider] = [await rows.user(), await rows.user()]
  outsidersQueue = await rows.queue()
  await app.database.script(`update users set user_authorization_id = null where id in (${member}, ${outsider});
    delete from user_queues where user_id = ${outsider};
    insert into user_queues (company_id, user_id, queue_id)
    values (${admin.user.companyId}, ${outsider}, ${outsidersQueue})`)
  ids = { admin: admin.user.id, member, outsider }
})
afterAll(() => app.close())

const scope = () => app.platform.scopes.inCompany(admin.user.companyId)

/** A colleague's ticket in the admin's queue. */
async function colleaguesTicket() {
  const ticketId = await rows.ticket()
  const [row] = await scope().read(tx =>
    rowsFrom<{ contactId: number; number: string; whatsappId: number }>(
      tx.sql,
      tag`select t.contact_id as "contactId", c.number, t.whatsapp_id as "whatsappId" from tickets t
        join contacts c on c.company_id = t.company_id and c.id = t.contact_id where t.id = ${ticketId}`,
    ),
  )
  return { ticketId, ...row! }
}

/** Tickets that the company ever opened, some of which are destroyed as soon as they were sent, and the messages of the colleague's. */
const heldOf = ({ ticketId }: { ticketId: number }) =>
  scope().read(async tx => {
    const [held] = await rowsFrom<{ tickets: number; messages: number }>(
      tx.sql,
      tag`select (select last_protocol from companies where id = ${tx.companyId}) as tickets,
        (select count(*)::int from messages where ticket_id = ${ticketId}) as messages`,
    )
    return held!
  })

const owners: Owner[] = ['admin', 'member', 'outsider']
const names: Named[] = ['number', 'contactId', 'ticketId']
const cases = owners.flatMap(owner =>
  TicketCreateOrUpdate.options.flatMap(how =>
    TicketSetStatus.options.map(status => [owner, how, status] as const),
  ),
)

describe('a program writes to the customer of a colleague exactly where its user reads the ticket', () => {
  test.each(cases)('token of %s, %s, %s', async (owner, how, status) => {
    const there = await colleaguesTicket()
    const fields = { userId: ids[owner], ticketCreateOrUpdate: how, ticketSetStatus: status }
    const body = { name: 'Loja', whatsappId: there.whatsappId, ...fields }
    const { id: token } = await admin.get(apiTokens.create, { body })
    for (const name of names) {
      const before = await heldOf(there)
      const given = { [name]: there[name], body: 'Oi' }
      const headers = { authorization: `Bearer ${token}` }
      const answer = await app.anonymous.call(publicApi.text, { body: given, headers })
      const { tickets, messages } = await heldOf(there)
      const goesOn = how === 'update' || name === 'ticketId'
      const seen = [answer.status, answer.body.error, tickets - before.tickets, messages - before.messages]
      const no = name === 'ticketId' ? [404, 'ERR_NO_TICKET_FOUND'] : [409, 'ERR_OTHER_OPEN_TICKET']
      const yes = [200, undefined, goesOn ? 0 : 1, goesOn ? 1 : 0]
      expect([name, ...seen]).toEqual([name, ...(owner === 'outsider' ? [...no, 0, 0] : yes)])
    }
  })
})

test('a token places no ticket where its user might not: in a queue of others', async () => {
  const caio = await app.as('caio@balcao.test')
  const queueId = await rows.queue()
  const body = { name: 'Loja', whatsappId: admin.user.whatsappId!, queueId }
  const refused = await caio.call(apiTokens.create, { body })
  expect([refused.status, refused.body.error, refused.body.field]).toEqual([
    404,
    'ERR_NO_QUEUE_FOUND',
    'queueId',
  ])
  // also where an admin chooses it
  const chosen = { ...body, userId: ids.outsider }
  expect((await admin.call(apiTokens.create, { body: chosen })).body.field).toBe('queueId')
  // and where its user has left the queue since
  const { id } = await admin.get(apiTokens.create, { body: { ...chosen, queueId: outsidersQueue } })
  await app.database.script(`delete from user_queues where user_id = ${ids.outsider}`)
  const send = { body: { number: '5511988880001', body: 'Oi' }, headers: { authorization: `Bearer ${id}` } }
  expect((await app.anonymous.call(publicApi.text, send)).body.error).toBe('ERR_NO_QUEUE_FOUND')
})

describe('a new password of an account', () => {
  const forgotten = async (endSecrets?: boolean) => {
    const body = { name: 'Loja', whatsappId: admin.user.whatsappId!, userId: ids.member }
    const { id: token } = await admin.get(apiTokens.create, { body })
    const setup = { name: `Noite ${token}`, whatsapps: [await rows.line()], userId: ids.member }
    const { id: setupId, handle } = await admin.get(campaignSetups.create, { body: setup })
    const { id: campaignId } = await admin.get(campaigns.create, {
      body: { name: 'Natal', campaignSetupId: setupId },
    })
    const call = async () => {
      const message = { number: newNumber(), body: 'Oi' }
      const sent = await app.anonymous.call(publicApi.text, { body: message, ...bearer(token) })
      const whole = { name: 'Natal', messages: [{ body: 'Oi' }], sendList: [newNumber()] }
      const made = await app.anonymous.call(campaigns.createWhole, { body: whole, ...bearer(setupId) })
      return [sent.status, made.status]
    }
    expect(await call()).toEqual([200, 200])
    const changed = {
      password: `nova-senha-${token}`.slice(0, 40),
      ...(endSecrets !== undefined && { endSecrets }),
    }
    await admin.get(users.change, { params: { userId: ids.member }, body: changed })
    return { call, handle, campaignId, setupId }
  }
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  test('ends the tokens and the ids of campaign setups of its user, unless the caller keeps them; the setup stays with its campaigns; none act for a user who rests', async () => {
    const kept = await forgotten(false)
    expect(await kept.call()).toEqual([200, 200])
    // nor do programs act for a user who rests, since the company has more users than its plan
    const rest = (since: string) =>
      app.database.script(`update users set resting_since = ${since} where id = ${ids.member}`)
    await rest('now()')
    expect(await kept.call()).toEqual([401, 401])
    await rest('null')
    expect(await kept.call()).toEqual([200, 200])
    const { call, handle, campaignId, setupId } = await forgotten()
    expect(await call()).toEqual([401, 401])
    const { id: renewed } = await admin.get(campaignSetups.show, { params: { setupId: handle } })
    expect(renewed).not.toBe(setupId)
    const { campaign } = await admin.get(campaigns.show, { params: { campaignId } })
    expect(campaign.campaignSetupId).toBe(renewed)
  })

  test('admins read what was called with them: what, from where, how often, since when; others do not', async () => {
    const { uses } = await admin.get(secretUses.list, { params: { userId: ids.member } })
    expect(uses).toContainEqual({
      ...{ kind: 'apiToken', name: 'Loja', call: 'send', network: '127.0.0.1', times: 3 },
      ...{ since: expect.any(String), lastAt: expect.any(String) },
    })
    expect(uses.map(({ kind, call }) => `${kind} ${call}`)).toContain('campaignSetup campaign')
    expect(JSON.stringify(uses)).not.toMatch(/nova-senha/)
    const stranger = await app.as('admin@outra.test')
    const theirs = await stranger.call(secretUses.list, { params: { userId: ids.member } })
    expect([theirs.status, theirs.body.error]).toEqual([404, 'ERR_NO_USER_FOUND'])
  })

  test('the first call with a secret is in the record before it is answered, further ones follow by themselves', async () => {
    const body = { name: 'Prazo', whatsappId: admin.user.whatsappId!, userId: ids.admin }
    const { id: token } = await admin.get(apiTokens.create, { body })
    const call = () => app.anonymous.call(publicApi.text, { body: { number: 'x' }, ...bearer(token) })
    const recorded = () =>
      app.database.transaction('', sql =>
        rowsFrom<{ times: number }>(sql, tag`select times from secret_uses where name = 'Prazo'`),
      )
    await call()
    expect(await recorded()).toEqual([{ times: 1 }])
    for (let time = 0; time < 2; time++) await call()
    await until(async () => (await recorded())[0]!.times === 3)
  })

  test('beyond so many records of one user further networks share one', async () => {
    const { companyId } = admin.user
    await app.database.script(`insert into secret_uses (company_id, user_id, kind, secret, name, call, network)
      select ${companyId}, ${ids.outsider}, 'apiToken', 'x', 'x', 'send', at::text from generate_series(1, ${MOST_USES}) at`)
    const body = { name: 'Loja', whatsappId: admin.user.whatsappId!, userId: ids.outsider }
    const { id: token } = await admin.get(apiTokens.create, { body })
    for (let time = 0; time < 2; time++)
      await app.anonymous.call(publicApi.text, { body: { number: 'x' }, ...bearer(token) })
    const { uses } = await admin.get(secretUses.list, { params: { userId: ids.outsider } })
    expect(uses[0]).toMatchObject({ network: '*', times: 2 })
  })
})

test('a password is eight characters at least, or what the operator asks for, and none of those that are tried first', async () => {
  const change = async (password: string) => {
    const { status, body } = await admin.call(users.change, {
      params: { userId: ids.member },
      body: { password },
    })
    return [status, body.error, body.field]
  }
  expect(await change('a1b2c3d')).toEqual([400, 'ERR_BAD_REQUEST', 'password'])
  for (const common of ['12345678', 'Password1', 'senha1234', 'FLAMENGO', 'flamengoflamengo', 'brasil2024'])
    expect([common, ...(await change(common))]).toEqual([common, 400, 'ERR_PASSWORD_COMMON', 'password'])
  expect((await change('cadeira azul na chuva'))[0]).toBe(200)
  askPasswordLength(app.platform, 5)
  expect((await change('k9#xz'))[0]).toBe(200)
  expect((await change('12345'))[1]).toBe('ERR_PASSWORD_COMMON')
  expect((await change('k9#x'))[1]).toBe('ERR_BAD_REQUEST')
})

test('the webhook of a campaign setup is set by who has the right to webhooks', async () => {
  const caio = await app.as('caio@balcao.test')
  const body = { name: 'Noite', whatsapps: [await rows.line()] }
  const webhookUrlConcluded = 'https://loja.test/fim'
  const no = { status: 403, body: { error: 'ERR_NO_PERMISSION', field: 'webhookUrlConcluded' } }
  expect(await caio.call(campaignSetups.create, { body: { ...body, webhookUrlConcluded } })).toMatchObject(no)
  const { id: setupId } = await caio.get(campaignSetups.create, { body })
  const params = { setupId }
  expect(await caio.call(campaignSetups.change, { params, body: { webhookUrlConcluded } })).toMatchObject(no)
  await admin.get(campaignSetups.change, { params, body: { webhookUrlConcluded } })
  // what an admin set stays, and may be taken off
  await caio.get(campaignSetups.change, { params, body: { name: 'Dia', webhookUrlConcluded } })
  await caio.get(campaignSetups.change, { params, body: { webhookUrlConcluded: '' } })
})
