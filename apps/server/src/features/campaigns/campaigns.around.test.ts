import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { optOutChannel, optOuts } from '@balcao/contract/optOuts.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Campaigns, numbers, openCampaigns } from '../../../testing/campaigns.ts'
import { type HookListener, openListener, signedAs } from '../../../testing/listener.ts'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let stranger: Person
let rows: Rows
let shop: Campaigns
let listener: HookListener
beforeAll(async () => {
  listener = await openListener('/fim', 500)
  app = await openTestApp({ OUTBOUND_ALLOW: '127.0.0.1' })
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
  shop = await openCampaigns(app, admin, rows)
})
afterAll(async () => {
  await app.close()
  listener.close()
})

async function told(sendList: object[] | string[], setupId?: string) {
  const made = await shop.make({ sendList }, setupId)
  await shop.act(made.id, 'start')
  return shop.stands(made.id, 'finalized')
}

test('who answers with a stop word is answered once, and no campaign writes to him again', async () => {
  const [pushes, elsewhere] = [await admin.subscribe(optOutChannel), await stranger.subscribe(optOutChannel)]
  const number = newNumber()
  const first = await told([{ number, name: 'Ana' }])
  const waiting = await shop.make({ sendList: [number, ...numbers(1)] })
  await shop.writes(number, ' Quero sair! ')
  await until(async () => (await shop.show(first.id)).counts.optedOut === 1)
  expect((await shop.show(first.id)).counts.answered).toBe(1)
  await until(async () => (await shop.heard(number)).length === 2)
  expect((await shop.heard(number))[1]).toBe('Tudo bem, você não receberá mais campanhas nossas.')
  const [person] = await shop.people(first.id)
  const contactId = person!.contactId!
  const { optOut } = await admin.get(optOuts.ofContact, { params: { contactId } })
  const { tickets: pending } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
  expect(pending.filter(one => one.contactId === contactId)).toEqual([])
  expect(optOut).toMatchObject({ source: 'word', word: 'Quero sair!', contact: { id: contactId } })
  expect((await stranger.call(optOuts.ofContact, { params: { contactId } })).body.error).toBe(
    'ERR_NO_CONTACT_FOUND',
  )
  expect((await stranger.get(optOuts.list)).optOuts).toEqual([])
  await until(() => pushes.length > 0)
  expect([pushes, elsewhere]).toEqual([[{ action: 'create', contactId }], []])

  // one with the contact already in its list, and one that would add the contact now
  await shop.act(waiting.id, 'start')
  expect((await shop.stands(waiting.id, 'finalized')).counts).toMatchObject({ sent: 1, failed: 1 })
  expect(await shop.people(waiting.id, { status: 'sentFail' })).toMatchObject([
    { number, reason: 'ERR_OPTED_OUT' },
  ])
  const later = await shop.make({ sendList: [number, ...numbers(1)] })
  expect(later.counts).toMatchObject({ total: 2, pending: 1, failed: 1 })
  expect(await shop.heard(number)).toHaveLength(2)

  await admin.get(optOuts.remove, { params: { optOutId: optOut!.id } })
  expect((await shop.make({ sendList: [number] })).counts.pending).toBe(1)
})

test('who asks for no more between the greeting and the text gets no text, and the number goes on', async () => {
  const setup = await shop.setup({ tMin: 10, tMax: 10 }, false)
  await app.database.script(`update campaign_setups set interval_seconds = 0 where id = '${setup.id}'`)
  const [number, next] = numbers(2)
  const messages = [{ greeting: 'Oi', body: 'Sofás' }]
  const made = await shop.make({ sendList: [number, next], messages }, setup.id)
  await shop.act(made.id, 'start')
  await until(async () => (await shop.heard(number!)).length === 1, 15_000)
  await shop.writes(number!, 'sair')
  const [person] = await until(async () => {
    const failed = await shop.people(made.id, { status: 'sentFail' })
    return failed.length > 0 && failed
  })
  expect(person).toMatchObject({ number, reason: 'ERR_OPTED_OUT', optedOut: true })
  expect((await shop.show(made.id)).counts).toMatchObject({ failed: 1, optedOut: 1, sent: 0 })
  await app.database.script(`update campaign_setups set t_min = 0, t_max = 0 where id = '${setup.id}';
    update campaign_clocks set look_at = now(), free_at = now()`)
  await shop.stands(made.id, 'finalized')
  expect(await shop.heard(number!)).toEqual(['Oi', 'Tudo bem, você não receberá mais campanhas nossas.'])
  expect(await shop.heard(next!)).toEqual(['Oi', 'Sofás'])
})

test('a stop word is one only as an answer to a campaign; a company writes its own, or switches them off', async () => {
  const number = newNumber()
  await shop.writes(number, 'SAIR')
  const ticket = await until(async () => {
    const { tickets: found } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return found.find(one => one.contact.number === number)
  })
  const ofIt = () => admin.get(optOuts.ofContact, { params: { contactId: ticket.contactId } })
  expect(await ofIt()).toEqual({ optOut: null })
  const body = { isOn: true, words: ['chega'], reply: '' }
  expect(await admin.get(optOuts.changeSettings, { body })).toEqual(body)
  expect(await stranger.get(optOuts.showSettings)).toMatchObject({ words: ['SAIR'] })
  await told([number])
  await shop.writes(number, 'sair')
  await shop.writes(number, 'Chega já')
  await shop.writes(number, 'CHEGA, por favor')
  await until(async () => (await ofIt()).optOut?.word === 'CHEGA, por favor')
  expect(await shop.heard(number)).toEqual(['Novidades da loja'])
  await admin.get(optOuts.changeSettings, { body: { ...body, isOn: false } })
})

test('somebody of the company notes it too', async () => {
  const number = newNumber()
  const noted = await admin.get(optOuts.add, { body: { number } })
  expect(noted).toMatchObject({ number, source: 'person', user: { id: admin.user.id } })
  expect((await admin.get(optOuts.add, { body: { number } })).id).toBe(noted.id)
  expect((await admin.call(optOuts.add, { body: { number: '12' } })).body).toMatchObject({ field: 'number' })
  expect((await stranger.call(optOuts.remove, { params: { optOutId: noted.id } })).body.error).toBe(
    'ERR_NOT_FOUND',
  )
})

test('how far the messages got is counted, whatever comes of the greeting', async () => {
  const number = newNumber()
  const greeted = await shop.make({ sendList: [number], messages: [{ greeting: 'Oi', body: 'Sofás' }] })
  await shop.act(greeted.id, 'start')
  const made = await shop.stands(greeted.id, 'finalized')
  const read = { params: { whatsappId: shop.line }, body: { number, ack: 4 } }
  await admin.get(simulator.receipt, read)
  await until(async () => (await shop.show(made.id)).counts.read === 1)
  expect((await shop.show(made.id)).counts).toMatchObject({ sent: 1, delivered: 1, read: 1 })
})

test('a ticket on which only the campaign spoke stands as the setup says (CAMP-053) [CAMP-053]', async () => {
  const queueId = await rows.queue()
  for (const ticketSetStatus of ['pending', 'open'] as const) {
    const setup = await shop.setup({ ticketSetStatus, queueId })
    const made = await told(numbers(1), setup.id)
    const [person] = await shop.people(made.id)
    const ticket = await until(async () => {
      const { tickets: found } = await admin.get(tickets.list, {
        query: { status: ticketSetStatus, showAll: true },
      })
      return found.find(one => one.id === person!.ticketId)
    })
    expect(ticket).toMatchObject({ queueId, userId: ticketSetStatus === 'open' ? admin.user.id : null })
  }
})

test('when it is over its webhook is told once, signed, tried again, in the documents’ words (CAMP-056, CAMP-057) [API-029, ENTITY-031, OP-95, CSETUP-018, CAMP-056 … CAMP-057]', async () => {
  const setup = await shop.setup({ webhookUrlConcluded: listener.url })
  const [one, other] = numbers(2)
  const made = await shop.make(
    {
      sendList: [{ number: one, name: 'Ana' }, { number: other }],
      messages: [{ body: 'Oi {{nome}}' }],
      myId: 'pedido 7',
    },
    setup.id,
  )
  await shop.act(made.id, 'start')
  await shop.stands(made.id, 'finalized')
  const params = { campaignId: made.id }
  const [failed] = await until(async () => {
    const { calls: log } = await admin.get(campaigns.listCalls, { params })
    return log[0]?.status === 500 && log
  })
  expect(failed).toMatchObject({ state: 'waiting', attempts: 1, url: listener.url })
  listener.status = 204
  await app.database.script('update campaign_calls set due_at = now() where due_at is not null')
  await until(async () => (await admin.get(campaigns.listCalls, { params })).calls[0]!.state === 'done')
  expect(listener.heard).toHaveLength(2)
  const call = listener.heard[1]!
  expect(JSON.parse(call.body)).toEqual({
    campaignId: made.id,
    campaingnName: made.name,
    campaignDispatchs: [
      { number: one, name: 'Ana', status: 'sent' },
      { number: other, name: '', status: 'sentFail' },
    ],
    myDetails: { campaignSetup: setup.name, company: expect.any(String) },
    myId: 'pedido 7',
  })
  const { secret } = await admin.get(campaignSetups.showSecret, { params: { setupId: setup.id } })
  expect(call.headers['webhook-signature']).toBe(signedAs(call, secret))
  expect(call.headers['webhook-id']).toBe(failed!.id)
  expect((await stranger.call(campaigns.callAgain, { params: { callId: failed!.id } })).body.error).toBe(
    'ERR_NOT_FOUND',
  )
  await admin.get(campaigns.callAgain, { params: { callId: failed!.id } })
  await until(() => listener.heard.length === 3)
})

test('an address in a private range is never called, and the log says so [OP-95]', async () => {
  const setup = await shop.setup({ webhookUrlConcluded: 'http://10.0.0.1/fim' })
  const made = await told(numbers(1), setup.id)
  const [call] = await until(async () => {
    const { calls: log } = await admin.get(campaigns.listCalls, { params: { campaignId: made.id } })
    return log[0]?.state === 'failed' && log
  })
  expect(call).toMatchObject({ error: 'forbidden', status: null, attempts: 1 })
})

test('a conversation that is deleted while it waits to be told something keeps nobody waiting', async () => {
  const line = await rows.connection()
  const setup = await shop.setup({ whatsapps: [line], tMin: 10, tMax: 10, interval: 5 }, false)
  const sendList = numbers(1)
  const made = await shop.make({ sendList, messages: [{ greeting: 'Oi', body: 'Sofás' }] }, setup.id)
  await shop.act(made.id, 'start')
  const person = await until(async () => {
    const [row] = await shop.people(made.id)
    return row?.greetingSendAt ? row : null
  })
  await admin.get(tickets.remove, { params: { ticketId: person.ticketId! } })
  await app.database.script('update campaign_clocks set look_at = now() where look_at is not null')
  expect((await shop.stands(made.id, 'finalized')).counts).toMatchObject({ failed: 1, sending: 0 })
})
