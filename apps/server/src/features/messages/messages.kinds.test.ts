import { randomUUID } from 'node:crypto'
import { contacts } from '@balcao/contract/contacts.ts'
import { locations } from '@balcao/contract/locations.ts'
import {
  MAX_FORWARDED,
  type Message,
  messageChannel,
  messages,
  typingChannel,
} from '@balcao/contract/messages.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionOf } from '../../../testing/connection.ts'
import { film, paper, picture, riddle, sound, sticker, voice } from '../../../testing/samples.ts'
import { openTestApp, type Person, removalsDone, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let marina: Person
let caio: Person
let stranger: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  marina = await app.as('atendente@balcao.test')
  caio = await app.as('caio@balcao.test')
  stranger = await app.as('admin@outra.test')
  whatsappId = marina.user.whatsappId!
})
afterAll(() => app.close())

let last = 0
const newNumber = () => `55119${String(82_000_000 + ++last)}`
type Sample = ReturnType<typeof picture>
type Written = Parameters<typeof marina.get<typeof simulator.write>>[1]
const write = (
  number: string,
  body: NonNullable<Written>['body'] extends infer B ? Partial<B> : never,
  files?: Sample[],
) =>
  marina.get(simulator.write, {
    params: { whatsappId },
    body: { number, name: 'Renata', ...(body as object) },
    ...(files && { files }),
  })
const ticketOf = (number: string) =>
  until(async () => {
    const found = await marina.get(tickets.list, { query: { status: 'pending' } })
    return found.tickets.find(ticket => ticket.contact.number === number)
  })
const messagesOf = async (ticketId: number) =>
  (await marina.get(messages.list, { params: { ticketId } })).messages
const phoneOf = (number: string) => marina.get(simulator.chat, { params: { whatsappId, number } })
const bytesOf = async (person: Person, path: string) =>
  Buffer.from(await (await person.fetch(path)).arrayBuffer())

async function conversation() {
  const number = newNumber()
  await write(number, { body: 'Oi' })
  const { id: ticketId, contactId } = await ticketOf(number)
  await marina.get(tickets.change, {
    params: { ticketId },
    body: { status: 'open', queueId: marina.user.queues[0]!.id },
  })
  const send = (
    body: Parameters<typeof marina.get<typeof messages.send>>[1] extends infer G ? NonNullable<G> : never,
  ) => marina.call(messages.send, { params: { ticketId, companyId: marina.user.companyId }, ...body })
  const onPhone = (id: number) =>
    until(async () => {
      const shown = (await phoneOf(number)).filter(message => message.fromMe)
      return shown.length >= id && shown
    })
  return { number, ticketId, contactId, send, onPhone }
}

/** The message once a condition holds for it. */
const when = (ticketId: number, id: string, holds: (message: Message) => unknown) =>
  until(async () => {
    const found = (await messagesOf(ticketId)).find(message => message.id === id)
    return found && holds(found) ? found : null
  })
const ready = (ticketId: number, mediaType: string) =>
  until(async () =>
    (await messagesOf(ticketId)).find(one => one.mediaType === mediaType && one.media?.state === 'ready'),
  )

describe('what a customer sends', () => {
  test.each([
    ['image', picture(), {}],
    ['video', film(), {}],
    ['audio', sound(), {}],
    ['audio', voice(), { isVoice: 1 }],
    ['document', paper(), {}],
    ['document', riddle(), {}],
    ['sticker', sticker(), { isSticker: 1 }],
  ] as const)('is shown with its file, byte for byte: %s [OP-82]', async (mediaType, file, how) => {
    const number = newNumber()
    if (file.type === 'application/x-thing') {
      // an unknown type of file: the simulated network refuses it, a real one sends it
      await receiveUnknown(number, file)
    } else await write(number, { body: 'legenda', ...how }, [file])
    const { id } = await ticketOf(number)
    const message = await ready(id, mediaType)
    expect(message).toMatchObject({ media: { name: file.name, size: file.bytes.length } })
    expect(message.media!.isVoice).toBe('isVoice' in how)
    expect(await bytesOf(caio, message.mediaUrl!)).toEqual(Buffer.from(file.bytes))
    expect((await stranger.fetch(message.mediaUrl!)).status).toBe(404)
  })

  async function receiveUnknown(number: string, file: Sample) {
    const { files } = app.platform
    const { key } = await files.put(marina.user.companyId, file.bytes, { ...file, unknown: 'keep' })
    const media = { state: 'ready' as const, name: file.name, type: file.type, size: 0 }
    const unsaid = { seconds: null, width: null, height: null, isVoice: false }
    const { receiveInbound } = await import('../../channels/inbound.ts')
    await receiveInbound(connectionOf(app.platform, { companyId: marina.user.companyId, whatsappId }), [
      [
        {
          kind: 'message',
          chat: { kind: 'phone', value: number },
          externalId: randomUUID(),
          fromMe: false,
          name: 'Renata',
          body: '',
          mediaType: 'document',
          file: { ...media, ...unsaid, source: key },
          at: new Date().toISOString(),
        },
      ],
    ])
  }

  test('several files are several messages, in order, the caption on the first', async () => {
    const number = newNumber()
    await write(number, { body: 'duas fotos' }, [picture('a.png'), picture('b.png')])
    const { id } = await ticketOf(number)
    const shown = await until(async () => {
      const all = await messagesOf(id)
      return all.length === 2 && all.every(one => one.media?.state === 'ready') && all
    })
    expect(shown.map(one => [one.body, one.media!.name])).toEqual([
      ['duas fotos', 'a.png'],
      ['', 'b.png'],
    ])
  })

  test('a file that is announced is pushed again when it is here', async () => {
    const pushes = await caio.subscribe(messageChannel)
    const number = newNumber()
    await write(number, {}, [picture()])
    const { id } = await ticketOf(number)
    const shown = await ready(id, 'image')
    const push = await until(() =>
      pushes.find(one => one.action === 'update' && one.message.id === shown.id && one.message.mediaUrl),
    )
    expect(push.action === 'update' && push.message).toEqual(shown)
  })

  test('a place, cards and a kind that nobody knows are kept with what they say', async () => {
    const number = newNumber()
    const place = { latitude: -23.5505, longitude: -46.6333, name: 'Sé', address: '', isLive: false }
    await write(number, { location: place })
    await write(number, { contacts: [{ name: 'Rui', number: '5511988887777' }] })
    await write(number, { mediaType: 'orderMessage', body: 'Pedido 12' })
    await write(number, { mediaType: 'call_log' })
    const { id } = await ticketOf(number)
    const shown = await until(async () => {
      const all = await messagesOf(id)
      return all.length === 4 && all
    })
    expect(shown.map(one => one.mediaType)).toEqual(['location', 'vcard', 'orderMessage', 'call_log'])
    expect(JSON.parse(shown[0]!.dataJson!)).toEqual(place)
    expect(JSON.parse(shown[1]!.dataJson!).contacts[0].phones[0].number).toBe('5511988887777')
  })

  test('an answer shows what it answers to; what was passed on says so [MSG-018]', async () => {
    const { number, ticketId, send, onPhone } = await conversation()
    await send({ body: { body: 'Qual o tamanho?' } })
    const [asked] = await onPhone(1)
    await write(number, { body: 'M', quotedId: asked!.id, isForwarded: true })
    const answer = await until(async () => (await messagesOf(ticketId)).find(one => one.body === 'M'))
    expect(answer.quotedMsg).toMatchObject({ body: 'Qual o tamanho?', fromMe: true })
    expect(answer.isForwarded).toBe(true)
  })
})

describe('what a customer does to a message', () => {
  test('reacts, thinks better of it, edits and deletes', async () => {
    const { number, ticketId, send, onPhone } = await conversation()
    const { body: ours } = await send({ body: { body: 'Chega amanhã' } })
    const [shown] = await onPhone(1)
    const at = { whatsappId, messageId: shown!.id }
    await marina.get(simulator.react, { params: at, body: { number, emoji: '❤️' } })
    const loved = await when(ticketId, ours.id, one => one.reactions.length === 1)
    expect(loved.reactions).toEqual([{ emoji: '❤️', fromMe: false, name: '' }])
    await marina.get(simulator.react, { params: at, body: { number, emoji: '👍' } })
    await when(ticketId, ours.id, one => one.reactions[0]?.emoji === '👍')
    await marina.get(simulator.react, { params: at, body: { number, emoji: '' } })
    await when(ticketId, ours.id, one => one.reactions.length === 0)

    const { id: messageId } = await write(number, { body: 'quero dois' })
    const theirs = await until(async () =>
      (await messagesOf(ticketId)).find(one => one.body === 'quero dois'),
    )
    await marina.get(simulator.edit, {
      params: { whatsappId, messageId },
      body: { number, body: 'quero três' },
    })
    const edited = await when(ticketId, theirs.id, one => one.editedAt)
    expect(edited.body).toBe('quero três')
    const list = () => marina.get(tickets.show, { params: { ticketId } })
    expect((await list()).lastMessage).toBe('quero três')
    await marina.get(simulator.remove, { params: { whatsappId, messageId }, query: { number } })
    await when(ticketId, theirs.id, one => one.isDeleted)
    expect(await list()).toMatchObject({ lastMessage: '', lastMessageType: 'deleted' })
  })

  test('shows as writing to those who may see the ticket, and to nobody else', async () => {
    const { number, ticketId, contactId } = await conversation()
    const pushes = await marina.subscribe(typingChannel)
    const strange = await stranger.subscribe(typingChannel)
    await marina.get(simulator.type, { params: { whatsappId }, body: { number, state: 'recording' } })
    await until(() => pushes.length > 0)
    expect(pushes).toEqual([{ contactId, ticketId, state: 'recording' }])
    expect(strange).toEqual([])
  })
})

describe('what an attendant sends', () => {
  test('files reach the phone byte for byte, one message each, in order', async () => {
    const { ticketId, send, onPhone } = await conversation()
    const files = [picture(), film(), sound(), paper('orçamento.pdf')]
    const { status, body } = await send({ body: { body: 'segue' }, files })
    expect([status, body.also?.length]).toEqual([200, 3])
    const shown = await onPhone(4)
    expect(shown.map(one => one.mediaType)).toEqual(['image', 'video', 'audio', 'document'])
    expect(shown.map(one => one.body)).toEqual(['segue', '', '', ''])
    for (const [at, { mediaUrl }] of shown.entries())
      expect(await bytesOf(marina, mediaUrl!)).toEqual(Buffer.from(files[at]!.bytes))
    const listed = (await messagesOf(ticketId)).slice(-4)
    expect(listed.map(one => one.id)).toEqual([body.id, ...body.also!.map(one => one.id)])
    expect(listed[3]!.media).toMatchObject({ state: 'ready', name: 'orçamento.pdf', type: 'application/pdf' })
  })

  test('a voice recording is one; the same call twice sends it once [MSG-038]', async () => {
    const { ticketId, send, onPhone } = await conversation()
    const id = randomUUID()
    const file = voice()
    const first = await send({ body: { id, isVoice: 1 }, files: [file, picture()] })
    const second = await send({ body: { id, isVoice: 1 }, files: [file, picture()] })
    expect(second.body).toEqual({
      ...first.body,
      version: second.body.version,
      ack: second.body.ack,
      also: second.body.also,
    })
    expect(second.body.also!.map(one => one.id)).toEqual(first.body.also!.map(one => one.id))
    const shown = await onPhone(2)
    expect(shown.map(one => one.media?.isVoice)).toEqual([true, false])
    expect((await messagesOf(ticketId)).filter(one => one.fromMe)).toHaveLength(2)
  })

  test('a saved place, a found one and cards [MSG-039, LOC-013, OP-106]', async () => {
    const { ticketId, contactId, send, onPhone } = await conversation()
    const { id: locationId } = await marina.get(locations.create, {
      body: { name: 'Loja', latitude: -23.5, longitude: -46.6 },
    })
    await send({ body: { locationId } })
    await send({ body: { location: { latitude: 1.5, longitude: 2.5, name: 'Aqui' } } })
    await send({ body: { contactIds: [contactId] } })
    const shown = await onPhone(3)
    const [shop, here, card] = shown.map(one => JSON.parse(one.dataJson!))
    expect(shop).toMatchObject({ latitude: -23.5, longitude: -46.6, name: 'Loja' })
    expect(here).toMatchObject({ latitude: 1.5, name: 'Aqui' })
    expect(card.contacts[0]).toMatchObject({ name: 'Renata' })
    const admin = await app.as('admin@balcao.test')
    await admin.get(locations.remove, { params: { locationId } })
    expect(JSON.parse((await messagesOf(ticketId)).at(-3)!.dataJson!).name).toBe('Loja')
    expect((await send({ body: { locationId } })).status).toBe(404)
  })

  test('nothing at all, or what belongs to others, is refused with the field', async () => {
    const { send } = await conversation()
    const refusal = async (given: Parameters<typeof send>[0]) => {
      const { status, body } = await send(given)
      return [status, body.error, body.field]
    }
    const required = [400, 'ERR_BAD_REQUEST', 'body']
    expect(await refusal({ body: {} })).toEqual(required)
    expect(await refusal({ body: { body: '  \n' } })).toEqual(required)
    const place = { name: 'Fora', latitude: 1, longitude: 1 }
    const theirs = await stranger.get(locations.create, { body: place })
    expect(await refusal({ body: { locationId: theirs.id } })).toEqual([404, 'ERR_NOT_FOUND', 'locationId'])
    const other = await stranger.get(contacts.create, { body: { name: 'Zé', number: newNumber() } })
    expect(await refusal({ body: { contactIds: [other.id] } })).toEqual([
      404,
      'ERR_NO_CONTACT_FOUND',
      'contactIds',
    ])
    const template = { name: 'oi', language: 'pt_BR', variables: [] }
    expect(await refusal({ body: { template } })).toEqual([400, 'ERR_BAD_REQUEST', 'template'])
    const page = { name: 'x.html', type: 'text/html', bytes: new Uint8Array(Buffer.from('<html>oi</html>')) }
    expect((await refusal({ body: {}, files: [page] })).slice(0, 2)).toEqual([415, 'ERR_FILE_TYPE'])
  })

  test('typing shows on that phone', async () => {
    const { number, ticketId } = await conversation()
    await marina.get(messages.type, { params: { ticketId }, body: { state: 'composing' } })
    const typing = async () =>
      (await marina.get(simulator.chats, { params: { whatsappId } })).find(one => one.number === number)!
        .typing
    await until(async () => (await typing()) === 'composing')
    await marina.get(messages.type, { params: { ticketId }, body: { state: 'paused' } })
    await until(async () => (await typing()) === 'paused')
  })
})

describe('forwarding', () => {
  type Forwarding = { from: number; messages: { id: string; messageId: string }[] }
  const forward = (person: Person, ticketId: number, body: Forwarding) =>
    person.call(messages.forward, { params: { ticketId }, body })
  const copies = (...messageIds: string[]) => messageIds.map(messageId => ({ id: randomUUID(), messageId }))

  test('sends several to another contact in their order, marked, with the same stored file; asked twice it is once', async () => {
    const [source, target] = [await conversation(), await conversation()]
    const file = picture()
    await write(source.number, { body: 'a foto' }, [file])
    const photo = await ready(source.ticketId, 'image')
    await write(source.number, { location: { latitude: 1, longitude: 2, name: 'Sé' } })
    const { body: ours } = await source.send({ body: { body: 'Chega amanhã' } })
    const place = await until(async () =>
      (await messagesOf(source.ticketId)).find(one => one.mediaType === 'location'),
    )
    const body = { from: source.ticketId, messages: copies(place.id, photo.id, ours.id) }
    const [first, second] = await Promise.all([
      forward(marina, target.ticketId, body),
      forward(marina, target.ticketId, body),
    ])
    expect([first.status, second.status]).toEqual([200, 200])
    const shown = await target.onPhone(3)
    expect(shown.map(one => [one.mediaType, one.body, one.isForwarded])).toEqual([
      ['location', '', true],
      ['image', 'a foto', true],
      [null, 'Chega amanhã', true],
    ])
    expect(await bytesOf(marina, shown[1]!.mediaUrl!)).toEqual(Buffer.from(file.bytes))
    const there = (await messagesOf(target.ticketId)).filter(one => one.isForwarded)
    expect(there.map(one => one.id)).toEqual(body.messages.map(({ id }) => id))
    expect(there[1]!.mediaUrl).toBe(photo.mediaUrl)
    expect(there.every(one => one.fromMe && one.user?.id === marina.user.id)).toBe(true)

    // the file stays as long as one of them is there
    const admin = await app.as('admin@balcao.test')
    await admin.get(tickets.remove, { params: { ticketId: source.ticketId } })
    await removalsDone(app)
    expect((await marina.fetch(photo.mediaUrl!)).status).toBe(200)
    await admin.get(tickets.remove, { params: { ticketId: target.ticketId } })
    await until(async () => (await marina.fetch(photo.mediaUrl!)).status === 404)
  })

  test('of another company, of a queue out of sight, deleted ones and calls are refused; the whole call is', async () => {
    const [source, target] = [await conversation(), await conversation()]
    const { body: ours } = await source.send({ body: { body: 'Chega amanhã' } })
    const refusal = async (person: Person, ticketId: number, from: number, ...ids: string[]) => {
      const { status, body } = await forward(person, ticketId, { from, messages: copies(...ids) })
      return [status, body.error]
    }
    const unknown = [404, 'ERR_NO_TICKET_FOUND']
    expect(await refusal(stranger, target.ticketId, source.ticketId, ours.id)).toEqual(unknown)
    const reserved = await conversation()
    await hide(reserved.ticketId)
    expect(await refusal(marina, reserved.ticketId, source.ticketId, ours.id)).toEqual(unknown)
    expect(await refusal(marina, target.ticketId, reserved.ticketId, ours.id)).toEqual(unknown)
    const gone = [404, 'ERR_FETCH_WAPP_MSG']
    expect(await refusal(marina, target.ticketId, source.ticketId, ours.id, randomUUID())).toEqual(gone)
    expect(await refusal(marina, source.ticketId, target.ticketId, ours.id)).toEqual(gone)
    await write(source.number, { mediaType: 'call_log' })
    const call = await until(async () =>
      (await messagesOf(source.ticketId)).find(one => one.mediaType === 'call_log'),
    )
    expect(await refusal(marina, target.ticketId, source.ticketId, call.id)).toEqual(gone)
    const { id: messageId } = await write(source.number, { body: 'engano' })
    const mistake = await until(async () =>
      (await messagesOf(source.ticketId)).find(one => one.body === 'engano'),
    )
    await marina.get(simulator.remove, {
      params: { whatsappId, messageId },
      query: { number: source.number },
    })
    await when(source.ticketId, mistake.id, one => one.isDeleted)
    expect(await refusal(marina, target.ticketId, source.ticketId, mistake.id)).toEqual(gone)
    const tooMany = copies(...Array.from({ length: MAX_FORWARDED + 1 }, () => ours.id))
    const { status } = await forward(marina, target.ticketId, { from: source.ticketId, messages: tooMany })
    expect(status).toBe(400)
    expect((await messagesOf(target.ticketId)).some(one => one.isForwarded)).toBe(false)
    await marina.get(tickets.change, { params: { ticketId: target.ticketId }, body: { status: 'closed' } })
    expect((await refusal(marina, target.ticketId, source.ticketId, ours.id))[1]).toBe('ERR_TICKET_NOT_OPEN')
  })

  test('keeps what only looks like a signature, and a place that moved stands where it was', async () => {
    const [source, target, last] = [await conversation(), await conversation(), await conversation()]
    const body = '*Prazo:*\n10 dias úteis'
    await write(source.number, { body })
    await write(source.number, { location: { latitude: 1, longitude: 2, name: 'Sé' } })
    const theirs = await until(async () => {
      const found = (await messagesOf(source.ticketId)).slice(-2)
      return found[1]?.mediaType === 'location' && found[0]?.body === body && found
    })
    await app.database.script(
      `update messages set data_json = replace(data_json, '"isLive":false', '"isLive":true') where id = '${theirs[1]!.id}'`,
    )
    const first = copies(...theirs.map(({ id }) => id))
    const { body: once } = await forward(marina, target.ticketId, { from: source.ticketId, messages: first })
    expect(once.messages[0]!.body).toBe(body)
    expect(JSON.parse(once.messages[1]!.dataJson!)).toMatchObject({ latitude: 1, isLive: false })
    const again = { from: target.ticketId, messages: copies(first[0]!.id) }
    expect((await forward(marina, last.ticketId, again)).body.messages[0]!.body).toBe(body)
  })

  test('an id names one copy, however it is written, wherever it goes, and however often', async () => {
    const [source, one, other] = [await conversation(), await conversation(), await conversation()]
    const { body: ours } = await source.send({ body: { body: 'Chega amanhã' } })
    const [copy] = copies(ours.id)
    const body = { from: source.ticketId, messages: [copy!] }
    const answers = await Promise.all([one, other].map(({ ticketId }) => forward(marina, ticketId, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const refused = answers.find(({ status }) => status !== 200)!.body
    expect(refused).toMatchObject({ error: 'ERR_CREATING_MESSAGE', field: 'messages' })
    const where = answers[0]!.status === 200 ? one : other
    const shouted = { id: copy!.id.toUpperCase(), messageId: ours.id.toUpperCase() }
    const repeated = await forward(marina, where.ticketId, { ...body, messages: [shouted] })
    expect([repeated.status, repeated.body.messages?.[0]?.id]).toEqual([200, copy!.id])
    const twice = { ...body, messages: [copy!, { ...copy!, messageId: randomUUID() }] }
    expect((await forward(marina, where.ticketId, twice)).status).toBe(400)

    const id = randomUUID()
    const sent = await Promise.all([one, other].map(({ send }) => send({ body: { id, body: 'Oi' } })))
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  /** Into a queue that the attendant is not in. */
  async function hide(ticketId: number) {
    const admin = await app.as('admin@balcao.test')
    const { id: queueId } = await admin.get(queues.create, { body: { name: 'Reservada', color: '#123456' } })
    await admin.get(tickets.change, {
      params: { ticketId },
      body: { transf: true, queueId, userId: admin.user.id },
    })
  }
})
