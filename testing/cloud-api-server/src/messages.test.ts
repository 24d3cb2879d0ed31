import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, idOf, type Scene, setScene } from './scene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

test('a text is accepted under an id, arrives, and its statuses come back in order', async () => {
  const { send, ana, receiver, server } = scene
  const data = 'b7f1'
  const reply = await send({
    type: 'text',
    text: { body: 'Bom dia', preview_url: true },
    biz_opaque_callback_data: data,
  })
  const id = idOf(reply)
  expect(reply.status).toBe(200)
  expect(reply.body).toEqual({
    messaging_product: 'whatsapp',
    contacts: [{ input: ANA, wa_id: ANA }],
    messages: [{ id: expect.stringMatching(/^wamid\.[A-Za-z0-9+/=]{40,}$/) }],
  })
  expect(ana.received()).toMatchObject([{ id, type: 'text', text: 'Bom dia', status: 'delivered' }])
  ana.reads(id)
  await server.settled()
  const at = `${server.clock.seconds()}`
  const pricing = {
    billable: false,
    pricing_model: 'PMP',
    type: 'free_customer_service',
    category: 'service',
  }
  const who = { recipient_id: ANA, recipient_user_id: ana.userId(), biz_opaque_callback_data: data }
  expect(receiver.statuses()).toEqual([
    { id, status: 'sent', timestamp: at, ...who, pricing },
    { id, status: 'delivered', timestamp: at, ...who, pricing },
    { id, status: 'read', timestamp: at, ...who },
  ])
})

test('a customer who is offline gets it later; one who blocked the company never', async () => {
  const { say, ana, receiver, server } = scene
  ana.goesOffline()
  const id = await say('Está aí?')
  expect(ana.received()).toEqual([])
  ana.goesOnline()
  await server.settled()
  expect(receiver.statuses().map(({ status }) => status)).toEqual(['sent', 'delivered'])
  expect(ana.received()).toMatchObject([{ id }])
  ana.blocks()
  await say('Última chance')
  expect(receiver.statuses().at(-1)).toMatchObject({ status: 'sent' })
})

test('a number is found under its other spelling, and answered as WhatsApp spells it', async () => {
  const { server, send } = scene
  const bia = server.addCustomer('551188887777', { name: 'Bia', aliases: ['5511988887777'] })
  bia.says('Oi')
  const { body } = await send({ to: '+55 (11) 98888-7777', type: 'text', text: { body: 'Olá' } })
  expect(body.contacts).toEqual([{ input: '+55 (11) 98888-7777', wa_id: '551188887777' }])
  expect(bia.received()).toHaveLength(1)
})

test.each([
  ['image', 'image/png', { caption: 'Pão' }],
  ['image', 'image/jpeg', {}],
  ['video', 'video/mp4', { caption: 'Forno' }],
  ['audio', 'audio/mpeg', {}],
  ['audio', 'audio/ogg; codecs=opus', { voice: true }],
  ['document', 'application/pdf', { caption: 'Nota', filename: 'nota.pdf' }],
  ['sticker', 'image/webp', {}],
] as const)('%s of %s is sent by the id of its upload', async (type, mime, more) => {
  const { upload, send, ana } = scene
  const id = await upload(mime)
  const { status, body } = await send({ type, [type]: { id, ...more } })
  expect([status, body.error]).toEqual([200, undefined])
  expect(ana.received()).toMatchObject([{ type, text: 'caption' in more ? more.caption : '' }])
  expect(ana.received()[0]!.content.attached).toMatchObject([{ kind: type, media: { id } }])
})

test.each([
  [
    'location',
    { latitude: -23.55, longitude: '-46.63', name: 'Padaria', address: 'Rua A, 1' },
    'Padaria\nRua A, 1',
  ],
  [
    'contacts',
    [{ name: { formatted_name: 'Bia Souza', first_name: 'Bia' }, phones: [{ phone: '+55 11' }] }],
    'Bia Souza',
  ],
])('%s is sent', async (type, content, text) => {
  const { send, ana } = scene
  expect(await send({ type, [type]: content })).toMatchObject({ status: 200 })
  expect(ana.received()).toMatchObject([{ type, text }])
})

test('a reaction is put on a message and taken off again', async () => {
  const { send, ana } = scene
  const id = ana.says('Adorei')
  await send({ type: 'reaction', reaction: { message_id: id, emoji: '❤️' } })
  await send({ type: 'reaction', reaction: { message_id: id, emoji: '' } })
  expect(ana.received().map(({ content }) => content.reaction)).toEqual([
    { to: id, emoji: '❤️' },
    { to: id, emoji: '' },
  ])
})

test('buttons are tapped, and the answer names the message it answers', async () => {
  const { send, ana, receiver, server } = scene
  const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } })
  const answer = await send({
    type: 'interactive',
    interactive: {
      type: 'button',
      header: { type: 'text', text: 'Pedido' },
      body: { text: 'Confirma?' },
      footer: { text: 'Padaria' },
      action: { buttons: [reply('s', 'Sim'), reply('n', 'Não')] },
    },
  })
  const id = idOf(answer)
  expect(ana.received()[0]!.text).toBe('Pedido\nConfirma?\nPadaria')
  ana.taps(id, 'Sim')
  await server.settled()
  expect(receiver.messages().at(-1)).toMatchObject({
    type: 'interactive',
    context: { from: server.number.digits, id },
    interactive: { type: 'button_reply', button_reply: { id: 's', title: 'Sim' } },
  })
})

test('a row of a list is chosen', async () => {
  const { send, ana, receiver, server } = scene
  const sections = [
    { title: 'Doces', rows: [{ id: '1', title: 'Sonho', description: 'Com creme' }] },
    { title: 'Pães', rows: [{ id: '2', title: 'Francês' }] },
  ]
  const answer = await send({
    type: 'interactive',
    interactive: { type: 'list', body: { text: 'O que vai ser?' }, action: { button: 'Ver', sections } },
  })
  ana.taps(idOf(answer), 'Sonho')
  await server.settled()
  expect(receiver.messages().at(-1)!.interactive).toEqual({
    type: 'list_reply',
    list_reply: { id: '1', title: 'Sonho', description: 'Com creme' },
  })
  expect(() => ana.taps(idOf(answer), 'Pizza')).toThrow('there is nothing called "Pizza" to tap')
})

test('a button opens a page', async () => {
  const { send, ana } = scene
  const parameters = { display_text: 'Cardápio', url: 'https://padaria.test/cardapio' }
  const action = { name: 'cta_url', parameters }
  const answer = await send({
    type: 'interactive',
    interactive: { type: 'cta_url', body: { text: 'Veja' }, action },
  })
  expect(answer.status).toBe(200)
  expect(ana.received()).toMatchObject([{ text: 'Veja' }])
})

test('a message quotes another; one that Meta does not find is sent without its bubble', async () => {
  const { send, ana } = scene
  const id = ana.says('Tem pão?')
  const text = { type: 'text', text: { body: 'Tem' } }
  await send({ ...text, context: { message_id: id } })
  await send({ ...text, context: { message_id: 'wamid.HBgMNTU=' } })
  expect(ana.received().map(({ quotes }) => quotes)).toEqual([id, undefined])
})

test('what the customer wrote is marked read with all before it, and the company seems to type for 25 seconds', async () => {
  const { graph, server, ana, say } = scene
  const ids = [ana.says('Oi'), ana.says('Tudo bem?')]
  const path = `/${server.number.id}/messages`
  const read = { messaging_product: 'whatsapp', status: 'read', message_id: ids[1] }
  expect(await graph('POST', path, { ...read, typing_indicator: { type: 'text' } })).toEqual({
    status: 200,
    body: { success: true },
  })
  expect(ana.wrote.map(({ status }) => status)).toEqual(['read', 'read', 'read'])
  expect(ana.seesTyping()).toBe(true)
  await server.clock.advance(25_000)
  expect(ana.seesTyping()).toBe(false)
  await graph('POST', path, { ...read, typing_indicator: { type: 'text' } })
  await say('Tudo!')
  expect(ana.seesTyping()).toBe(false)
})

test('the voice note that was listened to is told as played', async () => {
  const { upload, send, ana, receiver, server } = scene
  const answer = await send({
    type: 'audio',
    audio: { id: await upload('audio/ogg; codecs=opus'), voice: true },
  })
  ana.plays(idOf(answer))
  await server.settled()
  expect(receiver.statuses().at(-1)).toMatchObject({ status: 'played' })
})
