import { randomUUID } from 'node:crypto'
import { contacts } from '@balcao/contract/contacts.ts'
import { locations } from '@balcao/contract/locations.ts'
import { type Message, messageChannel, messages, typingChannel } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { film, paper, picture, riddle, sound, sticker, voice } from '../../../testing/samples.ts'
import { openWorld, type Person, until, type World } from '../../../testing/world.ts'

let world: World
let marina: Person
let caio: Person
let stranger: Person
let whatsappId: number
beforeAll(async () => {
  world = await openWorld()
  marina = await world.as('atendente@balcao.test')
  caio = await world.as('caio@balcao.test')
  stranger = await world.as('admin@outra.test')
  whatsappId = marina.user.whatsappId!
})
afterAll(() => world.close())

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
const said = async (ticketId: number) => (await marina.get(messages.list, { params: { ticketId } })).messages
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

/** The message as it stands once something holds of it. */
const when = (ticketId: number, id: string, holds: (message: Message) => unknown) =>
  until(async () => {
    const found = (await said(ticketId)).find(message => message.id === id)
    return found && holds(found) ? found : null
  })
const ready = (ticketId: number, mediaType: string) =>
  until(async () =>
    (await said(ticketId)).find(one => one.mediaType === mediaType && one.media?.state === 'ready'),
  )

describe('what a customer sends', () => {
  test.each([
    ['image', picture(), {}],
    ['video', film(), {}],
    ['audio', sound(), {}],
    ['audio', voice(), { isVoice: '1' }],
    ['document', paper(), {}],
    ['document', riddle(), {}],
    ['sticker', sticker(), { isSticker: '1' }],
  ] as const)('is shown with its file, byte for byte: %s', async (mediaType, file, how) => {
    const number = newNumber()
    if (file.type === 'application/x-thing') {
      // nobody recognises it: the phone's network takes only what is known, a real one takes everything
      await hearUnknown(number, file)
    } else await write(number, { body: 'legenda', ...how } as never, [file])
    const { id } = await ticketOf(number)
    const message = await ready(id, mediaType)
    expect(message).toMatchObject({ media: { name: file.name, size: file.bytes.length } })
    expect(message.media!.isVoice).toBe('isVoice' in how)
    expect(await bytesOf(caio, message.mediaUrl!)).toEqual(Buffer.from(file.bytes))
    expect((await stranger.fetch(message.mediaUrl!)).status).toBe(404)
  })

  async function hearUnknown(number: string, file: Sample) {
    const { files } = world.platform
    const { key } = await files.put(marina.user.companyId, file.bytes, { ...file, unknown: 'keep' })
    const media = { state: 'ready' as const, name: file.name, type: file.type, size: 0 }
    const unsaid = { seconds: null, width: null, height: null, isVoice: false }
    const { receiveInbound } = await import('../../channels/inbound.ts')
    await receiveInbound(
      {
        scope: world.platform.scopes.inCompany(marina.user.companyId),
        whatsappId,
        fence: async () => {},
        log: world.platform.log,
      },
      world.platform.secrets,
      [
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
      ],
    )
  }

  test('several files are several messages, in order, the caption on the first', async () => {
    const number = newNumber()
    await write(number, { body: 'duas fotos' }, [picture('a.png'), picture('b.png')])
    const { id } = await ticketOf(number)
    const shown = await until(async () => {
      const all = await said(id)
      return all.length === 2 && all.every(one => one.media?.state === 'ready') && all
    })
    expect(shown.map(one => [one.body, one.media!.name])).toEqual([
      ['duas fotos', 'a.png'],
      ['', 'b.png'],
    ])
  })

  test('a file that is announced is pushed again when it is here', async () => {
    const heard = await caio.hear(messageChannel)
    const number = newNumber()
    await write(number, {}, [picture()])
    const { id } = await ticketOf(number)
    const shown = await ready(id, 'image')
    const push = await until(() =>
      heard.find(one => one.action === 'update' && one.message.id === shown.id && one.message.mediaUrl),
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
      const all = await said(id)
      return all.length === 4 && all
    })
    expect(shown.map(one => one.mediaType)).toEqual(['location', 'vcard', 'orderMessage', 'call_log'])
    expect(JSON.parse(shown[0]!.dataJson!)).toEqual(place)
    expect(JSON.parse(shown[1]!.dataJson!).contacts[0].phones[0].number).toBe('5511988887777')
  })

  test('an answer shows what it answers to; what was passed on says so', async () => {
    const { number, ticketId, send, onPhone } = await conversation()
    await send({ body: { body: 'Qual o tamanho?' } })
    const [asked] = await onPhone(1)
    await write(number, { body: 'M', quotedId: asked!.id, isForwarded: true })
    const answer = await until(async () => (await said(ticketId)).find(one => one.body === 'M'))
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
    const theirs = await until(async () => (await said(ticketId)).find(one => one.body === 'quero dois'))
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
    const heard = await marina.hear(typingChannel)
    const strange = await stranger.hear(typingChannel)
    await marina.get(simulator.type, { params: { whatsappId }, body: { number, state: 'recording' } })
    await until(() => heard.length > 0)
    expect(heard).toEqual([{ contactId, ticketId, state: 'recording' }])
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
    const listed = (await said(ticketId)).slice(-4)
    expect(listed.map(one => one.id)).toEqual([body.id, ...body.also!.map(one => one.id)])
    expect(listed[3]!.media).toMatchObject({ state: 'ready', name: 'orçamento.pdf', type: 'application/pdf' })
  })

  test('a voice recording is one; the same call twice sends it once', async () => {
    const { ticketId, send, onPhone } = await conversation()
    const id = randomUUID()
    const file = voice()
    const first = await send({ body: { id, isVoice: '1' as never }, files: [file, picture()] })
    const second = await send({ body: { id, isVoice: '1' as never }, files: [file, picture()] })
    expect(second.body).toEqual({
      ...first.body,
      version: second.body.version,
      ack: second.body.ack,
      also: second.body.also,
    })
    expect(second.body.also!.map(one => one.id)).toEqual(first.body.also!.map(one => one.id))
    const shown = await onPhone(2)
    expect(shown.map(one => one.media?.isVoice)).toEqual([true, false])
    expect((await said(ticketId)).filter(one => one.fromMe)).toHaveLength(2)
  })

  test('a saved place, a found one and cards', async () => {
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
    await marina.get(locations.remove, { params: { locationId } })
    expect(JSON.parse((await said(ticketId)).at(-3)!.dataJson!).name).toBe('Loja')
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
