import { createHash } from 'node:crypto'
import { type Message, messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../../../testing/baileys.ts'
import { encodedPicture, mp3, opus } from '../../../testing/encoded.ts'
import { paper } from '../../../testing/samples.ts'
import { type Person, until } from '../../../testing/test-app.ts'
import { ANA, SHOP } from '../../../testing/whatsapp.ts'

// Metadata of a file: phones and screens need it before they have the bytes.

let shop: Awaited<ReturnType<typeof openShop>>
let admin: Person
let ticketId: number
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.app.as('admin@balcao.test')
  await (await shop.phoneOf(ANA)).write(SHOP, 'Oi')
  const ticket = await until(async () => {
    const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return page.tickets.find(({ contact }) => contact.number === ANA)
  })
  ticketId = ticket.id
  const body = { status: 'open', queueId: admin.user.queues[0]!.id } as const
  await admin.get(tickets.change, { params: { ticketId }, body })
})
afterAll(() => shop.close())

const heard = (holds: (message: Message) => unknown) =>
  until(async () => (await admin.get(messages.list, { params: { ticketId } })).messages.find(holds), 20_000)

async function send(name: string, type: string, bytes: Buffer) {
  const ana = await shop.phoneOf(ANA)
  const before = ana.received().length
  const params = { ticketId, companyId: admin.user.companyId }
  const files = [{ name, type, bytes: new Uint8Array(bytes) }]
  const { media } = await admin.get(messages.send, { params, body: {}, files })
  const received = await until(() => ana.received()[before], 20_000)
  const sha256 = createHash('sha256').update(received.file!.bytes!).digest('hex')
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  return { media: media!, file: received.file! }
}

test.each(['jpeg', 'png', 'webp'] as const)('a %s goes out with its size and a thumbnail', async form => {
  const { media, file } = await send(`foto.${form}`, `image/${form}`, await encodedPicture(form, 720, 360))
  expect(media).toMatchObject({ width: 720, height: 360 })
  expect(file).toMatchObject({ mimetype: `image/${form}`, width: 720, height: 360 })
  const { format, width, height } = await sharp(file.thumbnail).metadata()
  expect([format, width, height]).toEqual(['jpeg', 72, 36])
  expect(file.thumbnail!.length).toBeLessThan(4_000)
})

test('a photo that lies on its side goes out as it stands, its thumbnail too', async () => {
  const { file } = await send(
    'foto.jpg',
    'image/jpeg',
    await encodedPicture('jpeg', 400, 300, { turned: true }),
  )
  expect(file).toMatchObject({ width: 300, height: 400 })
  expect(await sharp(file.thumbnail).metadata()).toMatchObject({ width: 54, height: 72 })
})

test('a picture that breaks off goes out without a thumbnail', async () => {
  const { file } = await send('foto.png', 'image/png', (await encodedPicture('png')).subarray(0, 2_000))
  expect(file).toMatchObject({ width: 320, height: 200 })
  expect(file.thumbnail).toBeUndefined()
})

test('sounds go out with their length, documents with their name', async () => {
  const song = await send('musica.mp3', 'audio/mpeg', mp3(3))
  expect([song.media.seconds, song.file.seconds, song.file.mimetype]).toEqual([3, 3, 'audio/mpeg'])
  const { file: voice } = await send('voz.ogg', 'audio/ogg', await opus(2))
  expect([voice.seconds, voice.mimetype]).toEqual([2, 'audio/ogg; codecs=opus'])
  const { file } = await send('Nota fiscal nº 7.pdf', 'application/pdf', Buffer.from(paper().bytes))
  expect([file.fileName, file.mimetype]).toEqual(['Nota fiscal nº 7.pdf', 'application/pdf'])
})

test('the box of a picture and the length of a voice are known before their bytes are here, and stay', async () => {
  const ana = await shop.phoneOf(ANA)
  // Half of it, and then nothing: the file is on its way until the patience is over.
  shop.server.media.stall(2)
  await ana.write(SHOP, {
    image: await encodedPicture('jpeg', 300, 500),
    width: 600,
    height: 1_000,
    caption: 'o sofá',
  })
  await ana.write(SHOP, { voice: await opus(2), seconds: 2 })
  const waiting = await heard(({ body }) => body === 'o sofá')
  expect(waiting.media).toMatchObject({ state: 'loading', width: 600, height: 1_000 })
  const voice = await heard(({ media }) => media?.isVoice && media.state === 'loading')
  expect(voice.media).toMatchObject({ seconds: 2 })
})

test('what a phone does not say of its file is known when its bytes are here, also while others do not come', async () => {
  const ana = await shop.phoneOf(ANA)
  await ana.write(SHOP, { image: await encodedPicture('jpeg', 300, 500), caption: 'sem medidas' })
  await ana.write(SHOP, { audio: mp3(2) })
  const image = await heard(({ body, media }) => body === 'sem medidas' && media?.state === 'ready')
  expect(image.media).toMatchObject({ width: 300, height: 500 })
  const ready = (message: Message) =>
    message.mediaType === 'audio' && !message.fromMe && !message.media?.isVoice
  const sound = await heard(message => ready(message) && message.media?.state === 'ready')
  expect(sound.media).toMatchObject({ seconds: 2 })
})

test('a dozen files that come at once are all fetched', async () => {
  const ana = await shop.phoneOf(ANA)
  const captions = Array.from({ length: 12 }, (_, at) => `foto ${at}`)
  for (const caption of captions)
    await ana.write(SHOP, { image: await encodedPicture('jpeg', 64, 48), caption, width: 64, height: 48 })
  await until(async () => {
    const { messages: said } = await admin.get(messages.list, { params: { ticketId } })
    const fetched = said.filter(({ body, media }) => captions.includes(body) && media?.state === 'ready')
    return fetched.length === captions.length
  }, 10_000)
})
