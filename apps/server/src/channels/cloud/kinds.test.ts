import { samples } from '@balcao/cloud-api-server/samples.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { orderIn } from '@balcao/contract/kinds.rules.ts'
import { formIn } from '@balcao/contract/media.rules.ts'
import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CloudScene, setCloudScene } from '../../../testing/cloud.ts'
import { until } from '../../../testing/test-app.ts'

const SECONDS = 20_000
let scene: CloudScene
beforeAll(async () => {
  scene = await setCloudScene({ webhooks: { backOff: [200] }, number: '551130000002' })
})
afterEach(() => scene.meta.faults.clear())
afterAll(() => scene.end())

let last = 0
const newNumber = () => `551199${String(1_000_000 + ++last)}`
const one = (ticketId: number, fits: (message: Said) => boolean) =>
  until(async () => (await scene.said(ticketId)).find(fits), SECONDS)
type Said = Awaited<ReturnType<CloudScene['said']>>[number]
const place = () => ({ companyId: scene.admin.user.companyId })
const fetched = async (message: Said) =>
  Buffer.from(await (await scene.admin.fetch(message.mediaUrl!)).arrayBuffer())

describe('what a customer sends', () => {
  test('comes with its file, whose bytes are the ones that were sent', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const customer = scene.meta.customer(number)
    customer.says({ image: { bytes: samples['image/png'], mime: 'image/png', caption: 'Veja' } })
    customer.says({
      document: { bytes: samples['application/pdf'], mime: 'application/pdf', filename: 'nota.pdf' },
    })
    const image = await one(ticketId, ({ media }) => media?.type === 'image/png' && media.state === 'ready')
    expect(image).toMatchObject({ body: 'Veja', mediaType: 'image' })
    expect((await fetched(image)).equals(samples['image/png'])).toBe(true)
    const document = await one(ticketId, ({ media }) => media?.state === 'ready' && media.name === 'nota.pdf')
    expect((await fetched(document)).equals(samples['application/pdf'])).toBe(true)
  })

  test('as a text that is longer than a message may be is cut, and goes on in a file', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const text = 'linha longa 🙂\n'.repeat(6_000)
    scene.meta.customer(number).says({ text })
    const long = await one(ticketId, ({ media }) => media?.state === 'ready')
    expect(long).toMatchObject({ mediaType: 'document', media: { type: 'text/plain', name: 'mensagem.txt' } })
    expect(long.body.length).toBeLessThanOrEqual(MAX_BODY)
    expect(long.body + (await fetched(long)).toString()).toBe(text)
  })

  test('is fetched again when its address ran out or its bytes were spoilt, and failed when it is gone', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const customer = scene.meta.customer(number)
    scene.meta.faults.downloads.next({ status: 404 }, { pass: true })
    customer.says({ image: { bytes: samples['image/png'], mime: 'image/png', caption: 'velha' } })
    await one(ticketId, ({ body, media }) => body === 'velha' && media?.state === 'ready')
    scene.meta.faults.downloads.next({ spoil: 'bytes' })
    customer.says({ image: { bytes: samples['image/jpeg'], mime: 'image/jpeg', caption: 'torta' } })
    const mended = await one(ticketId, ({ body, media }) => body === 'torta' && media?.state === 'ready')
    expect((await fetched(mended)).equals(samples['image/jpeg'])).toBe(true)
    const gone = scene.meta.webhooks.hold()
    customer.says({ image: { bytes: samples['image/png'], mime: 'image/png', caption: 'sumiu' } })
    for (const node of scene.meta.state.nodes.values()) if ('expire' in node && 'bytes' in node) node.expire()
    gone.release()
    await one(ticketId, ({ body, media }) => body === 'sumiu' && media?.state === 'failed')
  })

  test('may be a place, a card, a tap, a form, an order, or nothing that is known here', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const customer = scene.meta.customer(number)
    customer.says({ location: { latitude: -12.9, longitude: -38.5, name: 'Pelourinho' } })
    customer.says({
      contacts: [{ name: { formatted_name: 'Rui' }, phones: [{ phone: '+5571', wa_id: '5571' }] }],
    })
    customer.says({ tap: { as: 'button_reply', id: 'x', title: 'Sim' } })
    customer.says({ form: { cidade: 'Salvador', flow_token: 'x' } })
    const items = [
      { product_retailer_id: 'sonho', quantity: 2, item_price: 8.5, currency: 'BRL' },
      { product_retailer_id: 'pão', quantity: '1', item_price: '', currency: 'reais' },
    ]
    customer.says({ order: { catalog_id: '1', text: 'Dois sonhos', product_items: items } })
    customer.says({ unsupported: { type: 'poll_creation' } })
    customer.says({ unreadable: true })
    customer.says({ raw: { type: 'something_new', something_new: { a: 1 } } })
    await one(ticketId, ({ mediaType }) => mediaType === 'something_new')
    const heard = (await scene.said(ticketId)).map(({ mediaType, body }) => [mediaType, body])
    expect(heard).toEqual([
      [null, 'Oi'],
      ['location', 'Pelourinho'],
      ['vcard', 'Rui'],
      [null, 'Sim'],
      [null, 'cidade: Salvador'],
      ['order', 'Dois sonhos\n2 × sonho\n1 × pão'],
      ['unsupported', ''],
      ['interactive', ''],
      ['something_new', ''],
    ])
    const order = await one(ticketId, ({ mediaType }) => mediaType === 'order')
    expect(orderIn(order)).toMatchObject({
      note: 'Dois sonhos',
      items: [
        { product: 'sonho', quantity: 2, price: 8.5, currency: 'BRL' },
        { product: 'pão', quantity: 1, price: null, currency: '' },
      ],
    })
    const form = await one(ticketId, ({ body }) => body === 'cidade: Salvador')
    expect(formIn(form)).toEqual([{ label: 'cidade', value: 'Salvador' }])
    const unsupported = await one(ticketId, ({ mediaType }) => mediaType === 'unsupported')
    expect(JSON.parse(unsupported.dataJson!)).toEqual({
      kind: 'poll_creation',
      code: 131051,
      reason: 'Message type is currently not supported.',
    })
  })

  test('may be changed or taken back where Meta tells so, and is told raw where it does not', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const customer = scene.meta.customer(number)
    scene.meta.number.coexistence = true
    const [typo, gone] = [customer.says('Cualquer'), customer.says('Foi engano')]
    await one(ticketId, ({ body }) => body === 'Foi engano')
    customer.edits(typo, 'Qualquer')
    customer.revokes(gone)
    await one(ticketId, ({ body, editedAt }) => body === 'Qualquer' && editedAt !== null)
    await one(ticketId, ({ isDeleted }) => isDeleted)
    scene.meta.number.coexistence = false
    customer.edits(typo, 'Tanto faz')
    const line = await one(ticketId, ({ mediaType }) => mediaType === 'chat_event')
    expect(JSON.parse(line.dataJson!)).toEqual({ what: 'undelivered', people: [] })
    const bodies = (await scene.said(ticketId)).map(({ body }) => body)
    expect(bodies).toContain('Qualquer')
  })

  test('is a line where it changes another one: it opens no closed conversation, and nothing greets', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const customer = scene.meta.customer(number)
    const typo = customer.says('Ola')
    await one(ticketId, ({ body }) => body === 'Ola')
    const said = await scene.said(ticketId)
    await scene.admin.get(tickets.change, { params: { ticketId }, body: { status: 'closed' } })
    const acts = [
      'edit',
      'pin',
      'unpin',
      'poll_update',
      'keep_in_chat',
      'reaction',
      'revoke',
      'newer',
    ] as const
    for (const type of acts) customer.says({ unsupported: { type } })
    customer.edits(typo, 'Olá')
    customer.says({
      raw: { type: 'edit', edit: { original_message_id: 'wamid.x', message: { type: 'newer' } } },
    })
    const lines = async () =>
      (await scene.said(ticketId)).filter(({ mediaType }) => mediaType === 'chat_event')
    await until(async () => (await lines()).length === acts.length + 2, SECONDS)
    expect((await lines()).map(({ dataJson }) => JSON.parse(dataJson!).what)).toEqual([
      ...['changed', 'pinned', 'unpinned', 'voted', 'kept', 'reacted', 'withdrew', 'undelivered'],
      ...['undelivered', 'changed'],
    ])
    const ticket = await scene.admin.get(tickets.show, { params: { ticketId } })
    expect([ticket.status, ticket.unreadMessages]).toEqual(['closed', 0])
    expect((await scene.said(ticketId)).filter(({ source }) => source === 'greeting')).toHaveLength(
      said.filter(({ source }) => source === 'greeting').length,
    )
    customer.says({ unsupported: { type: 'poll_creation' } })
    await scene.pending(number)
  })

  test('reacts to a message of ours, and takes it back', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const customer = scene.meta.customer(number)
    await scene.send(ticketId, 'Pronto')
    const [received] = await until(() => customer.received().length > 0 && customer.received(), SECONDS)
    customer.reacts(received!.id, '👍')
    await one(ticketId, ({ body, reactions }) => body === 'Pronto' && reactions[0]?.emoji === '👍')
    customer.reacts(received!.id, '')
    await one(ticketId, ({ body, reactions }) => body === 'Pronto' && reactions.length === 0)
  })
})

describe('what the company sends', () => {
  const received = (number: string, count = 1) =>
    until(() => {
      const shown = scene.meta.customer(number).received()
      return shown.length >= count && shown
    }, SECONDS)

  test('arrives as picture, document, place and card', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const params = { ticketId, ...place() }
    const files = [
      { name: 'foto.png', type: 'image/png', bytes: new Uint8Array(samples['image/png']) },
      { name: 'nota.pdf', type: 'application/pdf', bytes: new Uint8Array(samples['application/pdf']) },
    ]
    await scene.admin.get(messages.send, { params, body: { body: 'Segue' }, files })
    await scene.admin.get(messages.send, {
      params,
      body: { location: { latitude: 1, longitude: 2, name: 'Loja' } },
    })
    const card = await scene.admin.get(contacts.create, { body: { name: 'Zeca', number: newNumber() } })
    await scene.admin.get(messages.send, { params, body: { contactIds: [card.id] } })
    const shown = await received(number, 4)
    expect(shown.map(({ type, text }) => [type, text])).toEqual([
      ['image', 'Segue'],
      ['document', ''],
      ['location', 'Loja'],
      ['contacts', 'Zeca'],
    ])
    const uploads = scene.meta.calls.filter(({ path }) => path.endsWith('/media'))
    expect(uploads.map(({ status }) => status)).toEqual([200, 200])
  })

  test('may be a template with its variables; one that rests fails with its reason', async () => {
    const template = scene.meta.account.addTemplate({
      name: 'aviso',
      format: 'NAMED',
      components: [{ type: 'BODY', text: 'Oi {{nome}}, até {{quando}}.' }],
    })
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const send = () =>
      scene.admin.get(messages.send, {
        params: { ticketId, ...place() },
        body: {
          body: 'Oi Ana, até amanhã.',
          template: { name: 'aviso', language: 'pt_BR', variables: ['Ana', 'amanhã\n cedo'] },
        },
      })
    await send()
    expect((await received(number))[0]?.text).toBe('Oi Ana, até amanhã cedo.')
    template.decide('PAUSED')
    await scene.meta.settled()
    const { id } = await send()
    const failed = await one(ticketId, message => message.id === id && message.ack === 0)
    expect(failed.failReason).toBe('ERR_WAPP_TEMPLATE')
  })

  test('may be a reaction; what cannot be taken back or changed says so', async () => {
    const number = newNumber()
    const ticketId = await scene.conversation(number)
    const [first] = await scene.said(ticketId)
    await scene.admin.get(messages.react, { params: { messageId: first!.id }, body: { emoji: '❤️' } })
    await until(() => scene.meta.sent.some(({ content }) => content.reaction?.emoji === '❤️'), SECONDS)
    const sent = await scene.send(ticketId, 'fica')
    await one(ticketId, ({ id, ack }) => id === sent.id && ack >= 3)
    await scene.admin.call(messages.remove, { params: { messageId: sent.id, channel: 'whatsapp' } })
    await scene.meta.settled()
    expect((await scene.said(ticketId)).find(({ id }) => id === sent.id)?.isDeleted).toBe(false)
  })

  test('after a day of silence is a template or nothing, and says so before Meta does', async () => {
    const number = newNumber()
    const contact = await scene.admin.get(contacts.create, { body: { name: 'Nunca escreveu', number } })
    const ticket = await scene.admin.get(tickets.open, {
      body: { contactId: contact.id, queueId: scene.admin.user.queues[0]!.id, whatsappId: scene.whatsappId },
    })
    expect(Date.parse(ticket.repliesUntil!)).toBeLessThanOrEqual(Date.now() + 1_000)
    await scene.world.database.script(
      `update tickets set replies_until = now() - interval '10 minutes' where id = ${ticket.id}`,
    )
    const { status, body } = await scene.admin.call(messages.send, {
      params: { ticketId: ticket.id, ...place() },
      body: { body: 'Oi' },
    })
    expect([status, body.error]).toEqual([409, 'ERR_WAPP_WINDOW_CLOSED'])
  })
})
