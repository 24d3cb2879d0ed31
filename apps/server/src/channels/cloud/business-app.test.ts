import type { Customer } from '@balcao/cloud-api-server/customer.ts'
import { contactOf } from '@balcao/cloud-api-server/customer-news.ts'
import { samples } from '@balcao/cloud-api-server/samples.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CloudScene, setCloudScene } from '../../../testing/cloud.ts'
import { until } from '../../../testing/test-app.ts'

/** A number that is also used in the WhatsApp Business app of a phone (Meta: "Coexistence"). */

const SECONDS = 20_000
let scene: CloudScene
beforeAll(async () => {
  scene = await setCloudScene({ webhooks: { backOff: [200] }, number: '551130000003' })
  scene.meta.number.coexistence = true
  const importOldMessages = new Date(Date.now() - 200 * 86_400_000).toISOString()
  const params = { whatsappId: scene.whatsappId }
  await scene.admin.get(connections.change, {
    params,
    body: { importOldMessages, closedTicketsPostImported: 1 },
  })
})
afterAll(() => scene.end())

let last = 0
const newNumber = () => `551198${String(1_000_000 + ++last)}`
const app = () => scene.meta.number.businessApp
type Said = Awaited<ReturnType<CloudScene['said']>>[number]
const one = (ticketId: number, fits: (message: Said) => boolean) =>
  until(async () => (await scene.said(ticketId)).find(fits), SECONDS)
const found = async (searchParam: string) =>
  (await scene.admin.get(contacts.list, { query: { searchParam } })).contacts
const ticketOf = (searchParam: string) =>
  until(async () => (await found(searchParam))[0]?.tickets[0]?.id, SECONDS)

const sync = (type: string) =>
  fetch(`${scene.meta.url}/v24.0/${scene.meta.number.id}/smb_app_data`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.meta.token.value}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', sync_type: type }),
  })
/** Another customer writes and is received: what was posted before is processed. */
const isReceived = async () => {
  const number = newNumber()
  scene.meta.addCustomer(number).says('Oi')
  await scene.pending(number)
}
const post = (field: string, value: object) => scene.meta.number.tell(field, value)
const seconds = () => `${Math.floor(Date.now() / 1000)}`
const echoTo = (to: Customer, more: object) => ({
  from: scene.meta.number.digits,
  ...(to.showsNumber && { to: to.number }),
  to_user_id: to.userId(scene.meta.number),
  timestamp: seconds(),
  type: 'text',
  ...more,
})

describe('what the phone sends', () => {
  test('is shown once as sent by the phone, with its file, its change and its deletion, in any order', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const customer = scene.meta.customer(number)
    const held = scene.meta.webhooks.hold()
    const [text, gone] = [app().writes(customer, 'Ja vou'), app().writes(customer, 'Engano')]
    app().writes(customer, { image: { bytes: samples['image/png'], mime: 'image/png', caption: 'Veja' } })
    app().edits(text, 'Já vou')
    app().revokes(gone)
    held.release({ order: 'reversed' })
    await one(ticketId, ({ media }) => media?.state === 'ready')
    await one(ticketId, ({ body }) => body === 'Já vou')
    await one(ticketId, ({ isDeleted }) => isDeleted)
    await scene.meta.settled()
    for (const attempt of scene.meta.webhooks.attempts.slice(-5)) scene.meta.webhooks.replay(attempt)
    await scene.meta.settled()
    const shown = (await scene.said(ticketId)).filter(({ fromMe }) => fromMe)
    expect(shown.map(({ body, source }) => [body, source]).toSorted()).toEqual([
      ['', 'phone'],
      ['Já vou', 'phone'],
      ['Veja', 'phone'],
    ])
  })

  test('also changes and deletes what was sent from here', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    await scene.send(ticketId, 'As 9 horas')
    await scene.send(ticketId, 'Engano')
    const customer = scene.meta.customer(number)
    const [first, second] = await until(
      () => customer.received().length === 2 && customer.received(),
      SECONDS,
    )
    app().edits(first!.id, 'Às 10 horas')
    app().revokes(second!.id)
    await one(ticketId, ({ body, editedAt }) => body === 'Às 10 horas' && editedAt !== null)
    await one(ticketId, ({ isDeleted }) => isDeleted)
    expect((await scene.said(ticketId)).filter(({ fromMe }) => fromMe)).toHaveLength(2)
  })
})

describe('the address book of the phone', () => {
  const named = (number: string, name: string) =>
    until(async () => (await found(number))[0]?.name === name, SECONDS)

  test('names people, also those who write later, and follows its changes, but never a user', async () => {
    const [known, later, own] = [newNumber(), newNumber(), newNumber()]
    app().saves(later, 'Bia do Bairro')
    await scene.conversation(known)
    await named(known, 'Ana')
    app().saves(known, 'Ana Padaria')
    await named(known, 'Ana Padaria')
    app().saves(known, 'Ana Confeitaria')
    await named(known, 'Ana Confeitaria')
    await scene.conversation(later)
    await named(later, 'Bia do Bairro')
    await scene.conversation(own)
    const [contact] = await found(own)
    await scene.admin.get(contacts.change, {
      params: { contactId: contact!.id },
      body: { name: 'Cliente 9' },
    })
    app().saves(own, 'Outra')
    app().forgets(known)
    app().saves(known, 'Ana Atrasada', Date.now() - 3_600_000)
    app().writes(scene.meta.addCustomer(newNumber()), 'marco')
    await until(async () => (await found('551198')).length >= 4, SECONDS)
    expect((await found(own))[0]!.name).toBe('Cliente 9')
    expect((await found(known))[0]!.name).toBe('Ana Confeitaria')
  })
})

describe('the history of the phone', () => {
  const status = async () =>
    (await scene.admin.get(connections.show, { params: { whatsappId: scene.whatsappId } }))
      .statusImportMessages
  const open = async () =>
    (await scene.admin.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.length

  test('is imported with its names and files in any order, twice, and opens and answers nothing', async () => {
    const [ana, bia] = [newNumber(), newNumber()].map(number =>
      scene.meta.addCustomer(number, { name: 'Rui' }),
    )
    app().saves(ana!.number, 'Ana Antiga')
    const before = { open: await open(), sent: scene.meta.sent.length }
    const file = { image: { bytes: samples['image/png'], mime: 'image/png', caption: 'Foto' } }
    app().recalls(ana!, 'Bom dia', { daysAgo: 100 })
    app().recalls(ana!, 'Pois não', { daysAgo: 99, fromMe: true })
    app().recalls(ana!, file, { daysAgo: 3 })
    app().recalls(ana!, { image: { ...file.image, caption: 'Antiga' } }, { daysAgo: 50 })
    app().recalls(ana!, 'Obrigada', { daysAgo: 0.2 })
    app().recalls(bia!, 'Só eu', { daysAgo: 2, fromMe: true })
    const held = scene.meta.webhooks.hold()
    await sync('history')
    await until(() => app().synced.has('history'))
    held.release({ order: 'shuffled' })
    await scene.meta.settled()
    for (const attempt of scene.meta.webhooks.attempts.filter(({ body }) => body.includes('"history"')))
      scene.meta.webhooks.replay({ ...attempt })
    const ticketId = await ticketOf('Ana Antiga')
    const shown = await until(async () => {
      const all = await scene.said(ticketId)
      return all.some(({ mediaType }) => mediaType === 'image') && all.length === 5 && all
    }, SECONDS)
    expect(shown.map(({ body, fromMe, mediaType }) => [body, fromMe, mediaType])).toEqual([
      ['Bom dia', false, null],
      ['Pois não', true, null],
      ['', false, 'media_placeholder'],
      ['Foto', false, 'image'],
      ['Obrigada', false, null],
    ])
    expect(await scene.said(await ticketOf(bia!.number))).toHaveLength(1)
    await until(async () => (await status()) === '' && (await open()) === before.open, SECONDS)
    expect(scene.meta.sent.length).toBe(before.sent)
  })
})

describe('an address book with doubles', () => {
  test('of one person under two spellings of a number is kept, and the later name counts', async () => {
    const number = newNumber()
    await scene.conversation(number)
    const entry = (phone_number: string, full_name: string, timestamp: string) => ({
      type: 'contact',
      contact: { phone_number, full_name },
      action: 'add',
      metadata: { timestamp },
    })
    const short = number.replace(/^(\d{4})9/, '$1')
    post('smb_app_state_sync', {
      state_sync: [entry(number, 'Bia Nova', '1790000002'), entry(short, 'Bia Antiga', '1790000001')],
    })
    await isReceived()
    expect((await found(number))[0]?.name).toBe('Bia Nova')
  })
})

describe('what comes from the phone together, doubled or late', () => {
  test('to several people at once is in the ticket of each, also of one without a number', async () => {
    const shown = scene.meta.addCustomer(newNumber(), { name: 'Mostra' })
    const hidden = scene.meta.addCustomer(newNumber(), {
      name: 'Esconde',
      username: 'esconde',
      showsNumber: false,
    })
    for (const one of [shown, hidden]) one.says('Oi')
    await until(async () => (await found('Esconde')).length + (await found('Mostra')).length === 2, SECONDS)
    post('smb_message_echoes', {
      contacts: [shown, hidden].map(one => contactOf(one, scene.meta.number)),
      message_echoes: [shown, hidden].map(one =>
        echoTo(one, { id: `wamid.E${++last}`, text: { body: `Para ${one.name}` } }),
      ),
    })
    await isReceived()
    for (const { name } of [shown, hidden]) {
      const [contact, ...others] = await found(name)
      expect(others).toEqual([])
      const bodies = (await scene.said(contact!.tickets[0]!.id)).map(({ body }) => body)
      expect(bodies).toEqual(['Oi', `Para ${name}`])
    }
    expect((await found('Esconde'))[0]?.number).toBe('')
  })

  test('is reacted to by the customer and by the owner, on its bubble', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const customer = scene.meta.customer(number)
    const id = app().writes(customer, 'Fechado?')
    customer.reacts(id, '👍', scene.meta.number)
    app().writes(customer, { reaction: { to: id, emoji: '🙏' } })
    await isReceived()
    const shown = (await scene.said(ticketId)).map(({ body, reactions }) => [
      body,
      reactions.map(({ emoji }) => emoji).toSorted(),
    ])
    expect(shown).toEqual([
      ['Oi', []],
      ['Fechado?', ['👍', '🙏'].toSorted()],
    ])
    customer.reacts(id, '👏', scene.meta.number)
    await isReceived()
    const [, again] = await scene.said(ticketId)
    expect(again!.reactions.map(({ emoji }) => emoji)).toContain('👏')
  })

  test('is shown once where Meta also echoes what was sent from here', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    await scene.send(ticketId, 'Daqui')
    const customer = scene.meta.customer(number)
    await until(() => customer.received().length === 1, SECONDS)
    const { id } = customer.received()[0]!
    await until(async () => (await scene.said(ticketId)).some(({ ack }) => ack > 2), SECONDS)
    post('smb_message_echoes', {
      contacts: [contactOf(customer, scene.meta.number)],
      message_echoes: [echoTo(customer, { id, text: { body: 'Daqui' } })],
    })
    await isReceived()
    expect((await scene.said(ticketId)).map(({ body }) => body)).toEqual(['Oi', 'Daqui'])
  })
})

describe('a history that comes beside new messages', () => {
  test('that already has a message does not hide it when it comes live: its ticket is pending', async () => {
    const customer = scene.meta.addCustomer(newNumber(), { name: 'Cedo' })
    const message = {
      from: customer.number,
      from_user_id: customer.userId(scene.meta.number),
      id: `wamid.L${++last}`,
      timestamp: seconds(),
      type: 'text',
      text: { body: 'Tem vaga hoje?' },
    }
    post('history', {
      history: [
        {
          metadata: { phase: 0, chunk_order: 1, progress: 100 },
          threads: [{ id: customer.number, messages: [message] }],
        },
      ],
    })
    await until(async () => (await found(customer.number))[0]?.tickets.length === 1, SECONDS)
    post('messages', { contacts: [contactOf(customer, scene.meta.number)], messages: [message] })
    post('messages', { contacts: [contactOf(customer, scene.meta.number)], messages: [message, message] })
    const ticketId = await scene.pending(customer.number)
    await isReceived()
    expect((await scene.said(ticketId)).map(({ body }) => body)).toEqual(['Tem vaga hoje?'])
  })

  test('that is still being imported does not close the ticket of a customer who writes meanwhile', async () => {
    const customer = scene.meta.addCustomer(newNumber(), { name: 'Durante' })
    const old = (id: string) => ({
      from: customer.number,
      id,
      timestamp: `${Math.floor(Date.now() / 1000) - 86_400}`,
      type: 'text',
      text: { body: id },
    })
    const chunk = (chunk_order: number, progress: number) => ({
      metadata: { phase: 0, chunk_order, progress },
      threads: [{ id: customer.number, messages: [old(`wamid.C${chunk_order}`)] }],
    })
    // begins another import
    post('history', { history: [chunk(1, 50)] })
    await until(async () => (await found(customer.number))[0]?.tickets.length === 1, SECONDS)
    customer.says('Agora')
    const ticketId = await scene.pending(customer.number)
    await until(async () => (await scene.said(ticketId)).length === 2, SECONDS)
    post('history', { history: [chunk(2, 100)] })
    await until(async () => (await scene.said(ticketId)).length === 3, SECONDS)
    const params = { whatsappId: scene.whatsappId }
    await until(
      async () => (await scene.admin.get(connections.show, { params })).statusImportMessages === '',
      SECONDS,
    )
    const { status, unreadMessages } = await scene.admin.get(tickets.show, { params: { ticketId } })
    expect([status, unreadMessages]).toEqual(['pending', 1])
  })
})

test('a status of what another program sent to a stranger, or a stranger’s new number, adds no contact', async () => {
  const stranger = scene.meta.addCustomer(newNumber())
  post('statuses', {
    statuses: [
      {
        id: `wamid.F${++last}`,
        status: 'sent',
        timestamp: seconds(),
        recipient_id: stranger.number,
        recipient_user_id: stranger.userId(scene.meta.number),
      },
    ],
  })
  const next = newNumber()
  const system = { type: 'user_changed_number', wa_id: next, body: 'changed' }
  const moved = {
    from: stranger.number,
    id: `wamid.F${++last}`,
    timestamp: seconds(),
    type: 'system',
    system,
  }
  post('messages', { messages: [moved] })
  await isReceived()
  expect([...(await found(stranger.number)), ...(await found(next))]).toEqual([])
})

test('a card without its numbers is shown all the same', async () => {
  const number = newNumber()
  const customer = scene.meta.addCustomer(number)
  customer.says({ raw: { type: 'contacts', contacts: [{ name: { formatted_name: 'Rui' }, phones: null }] } })
  const ticketId = await scene.pending(number)
  expect((await scene.said(ticketId)).map(({ mediaType }) => mediaType)).toEqual(['vcard'])
})

test('what is written in a group that another program made is in no chat of a person', async () => {
  const number = newNumber()
  const customer = scene.meta.addCustomer(number)
  customer.says({ raw: { type: 'text', text: { body: 'Oi, grupo' }, group_id: 'Y2FwaV9ncm91cA==' } })
  await isReceived()
  expect(await found(number)).toEqual([])
})

test('an answer to a message of a year ago is received', async () => {
  const number = newNumber()
  const ticketId = await scene.conversation(number)
  await scene.send(ticketId, 'Orçamento')
  const customer = scene.meta.customer(number)
  const sent = await until(() => customer.received()[0], SECONDS)
  await until(async () => (await scene.said(ticketId)).some(({ ack }) => ack > 2), SECONDS)
  await scene.world.database.script(`update cloud_sent set asked_at = asked_at - interval '360 days'`)
  customer.says('Aceito', { quotes: sent.id })
  const answer = await until(async () => (await scene.said(ticketId))[2], SECONDS)
  expect([answer.body, answer.quotedMsg?.body]).toEqual(['Aceito', 'Orçamento'])
})

test('a history that the owner does not share is reported to admins', async () => {
  app().synced.clear()
  app().sharesHistory = false
  await sync('history')
  const params = { whatsappId: scene.whatsappId }
  await until(async () => {
    const { cloud } = await scene.admin.get(connections.show, { params })
    return cloud?.health.lastError === 'ERR_WAPP_HISTORY_DECLINED'
  }, SECONDS)
})
