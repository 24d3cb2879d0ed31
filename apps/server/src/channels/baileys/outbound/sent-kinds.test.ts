import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { Mp3Encoder } from '@breezystack/lamejs'
import { parseBuffer } from 'music-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANA, owned, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'
import type { OutgoingContent } from '../../../driver.content.ts'
import type { Outgoing } from '../../../driver.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.end())

type FileContent = Extract<OutgoingContent, { kind: 'file' }>

const bytes = randomBytes(300_001)

/** A file that the application sends. */
function file(
  as: FileContent['as'],
  media: Partial<FileContent['media']> = {},
  content = bytes,
): FileContent {
  return {
    kind: 'file',
    as,
    media: {
      state: 'ready',
      name: '',
      type: 'application/octet-stream',
      size: content.length,
      seconds: null,
      width: null,
      height: null,
      isVoice: false,
      ...media,
    },
    key: createHash('sha256').update(content).digest('hex'),
    open: async () => Readable.from([content.subarray(0, 1_000), content.subarray(1_000)]),
  }
}

/** What goes out, as the customer's phone shows it. */
async function show(message: Partial<Outgoing>) {
  const { id, outcome } = await scene.send(message)
  expect(outcome).toEqual({ is: 'sent' })
  return until('the message', () => scene.ana.received().find(one => one.id === id))
}

test.each<[string, FileContent, string, object, object]>([
  [
    'an image with its caption',
    file('image', { type: 'image/png', width: 800, height: 600 }),
    'o bolo',
    { kind: 'image', text: 'o bolo' },
    { mimetype: 'image/png', width: 800, height: 600 },
  ],
  [
    'a film with its caption, in its own resolution',
    file('video', { type: 'video/mp4', seconds: 7, width: 1_920, height: 1_080 }),
    'a loja',
    { kind: 'video', text: 'a loja' },
    { seconds: 7, width: 1_920, height: 1_080 },
  ],
  [
    'a sound',
    file('audio', { type: 'audio/mpeg', seconds: 3 }),
    '',
    { kind: 'audio' },
    { mimetype: 'audio/mpeg' },
  ],
  [
    'a voice message that is one already',
    file('audio', { type: 'audio/ogg', seconds: 3, isVoice: true }),
    '',
    { kind: 'voice' },
    { mimetype: 'audio/ogg; codecs=opus', seconds: 3 },
  ],
  [
    'a recording in no known form, as a sound',
    file('audio', { type: 'audio/x-new', seconds: 3, isVoice: true }),
    '',
    { kind: 'audio' },
    { mimetype: 'audio/x-new' },
  ],
  [
    'a recording that is no MP3, as a sound',
    file('audio', { type: 'audio/mpeg', seconds: 3, isVoice: true }, Buffer.from('no sound at all')),
    '',
    { kind: 'audio' },
    { mimetype: 'audio/mpeg' },
  ],
  [
    'a document with its name and caption',
    file('document', { type: 'application/pdf', name: 'nota fiscal.pdf' }),
    'segue',
    { kind: 'document', text: 'segue' },
    { mimetype: 'application/pdf', fileName: 'nota fiscal.pdf' },
  ],
  [
    'a sound with words, as a document that carries both',
    file('audio', { type: 'audio/mpeg', name: 'jingle.mp3' }),
    'ouça',
    { kind: 'document', text: 'ouça' },
    { mimetype: 'audio/mpeg', fileName: 'jingle.mp3' },
  ],
  ['a sticker', file('sticker', { type: 'image/webp' }), '', { kind: 'sticker' }, { mimetype: 'image/webp' }],
  [
    'an empty document',
    file('document', { name: 'vazio.txt' }, Buffer.alloc(0)),
    '',
    { kind: 'document' },
    {},
  ],
])('%s arrives, byte for byte', async (_, content, body, expected, about) => {
  const shown = await show({ body, content })
  expect(shown).toMatchObject({ from: SHOP, ...expected, file: about })
  const sha256 = createHash('sha256').update(shown.file!.bytes!).digest('hex')
  expect(sha256).toBe(content.key)
})

test('a place and contacts arrive', async () => {
  const place = { latitude: -23.5, longitude: -46.6, name: 'MASP', address: 'Av. Paulista', isLive: false }
  const { latitude, longitude, name, address } = place
  expect(await show({ content: { kind: 'location', place } })).toMatchObject({
    kind: 'location',
    location: { latitude, longitude, name, address },
  })
  const bia = { name: 'Bia; a "padeira"\nEND:VCARD', phones: [{ number: '5511922222222', onWhatsApp: true }] }
  const caio = { name: 'Caio', phones: [{ number: '+55 11 3333-4444', onWhatsApp: false }] }
  expect(await show({ content: { kind: 'contacts', cards: { contacts: [bia] } } })).toMatchObject({
    kind: 'contacts',
    contacts: [{ name: 'Bia; a "padeira" END:VCARD', numbers: ['5511922222222'] }],
  })
  expect(await show({ content: { kind: 'contacts', cards: { contacts: [bia, caio] } } })).toMatchObject({
    contacts: [{}, { name: 'Caio', numbers: [] }],
  })
})

const votes = (id: string) =>
  scene.host.heard.flatMap(one =>
    one.kind === 'answer' && one.target.externalId === id && one.target.fromMe ? [one.answer] : [],
  )

test('a poll arrives, and its votes are opened without a row, also after a restart', async () => {
  const one = { kind: 'poll' as const, options: ['Sim', 'Não'], isMultiple: false }
  const asked = await show({ body: 'Confirma?', content: one })
  expect(asked).toMatchObject({ poll: { question: 'Confirma?', options: ['Sim', 'Não'], choices: 1 } })
  const several = { ...one, options: ['Pão', 'Bolo', 'Café'], isMultiple: true }
  const { id } = await show({ body: 'O quê?', content: several })
  await scene.ana.answers.vote(SHOP, asked.id, ['Não'])
  await scene.ana.answers.vote(SHOP, id, ['Café', 'Pão'], ['pn', 'lid'])
  await until('both votes', () => votes(asked.id).length + votes(id).length === 2)
  await scene.reopen()
  await scene.ana.answers.vote(SHOP, id, [], ['lid', 'pn'])
  await until('the vote after the restart', () => votes(id).length === 2)
  expect([...votes(asked.id), ...votes(id)]).toEqual([
    { to: 'poll', choices: [1] },
    { to: 'poll', choices: [0, 2] },
    { to: 'poll', choices: [] },
  ])
})

test('a template is refused: it exists on the official API only', async () => {
  const content: OutgoingContent = { kind: 'template', name: 'boas_vindas', language: 'pt_BR', variables: [] }
  expect((await scene.send({ content })).outcome).toEqual({ is: 'refused', reason: 'ERR_SENDING_WAPP_MSG' })
})

test('choices are refused: no phone is sure to show them', async () => {
  const content: OutgoingContent = { kind: 'choices', choices: { kind: 'buttons', buttons: ['Sim', 'Não'] } }
  expect((await scene.send({ content })).outcome).toEqual({ is: 'refused', reason: 'ERR_WAPP_UNSUPPORTED' })
})

test('any kind quotes what it answers', async () => {
  const question = await scene.ana.write(SHOP, 'Qual?')
  await until('the question', () => scene.host.messages().some(({ externalId }) => externalId === question))
  const quoted = { externalId: question, fromMe: false, body: 'Qual?' }
  for (const content of [file('image', { type: 'image/png' }), file('audio', { type: 'audio/mpeg' })])
    expect((await show({ content, quoted })).quotes).toBe(question)
})

test('a recording becomes a voice message with its length and its waveform, and so does one that is Ogg/Opus', async () => {
  // Two seconds, loud at first and then silent.
  const sound = Int16Array.from({ length: 88_200 }, (_, at) =>
    at < 44_100 ? 16_000 * Math.sin((at * 2 * Math.PI * 440) / 44_100) : 0,
  )
  const encoder = new Mp3Encoder(1, 44_100, 128)
  const mp3 = Buffer.concat([encoder.encodeBuffer(sound), encoder.flush()].map(part => Buffer.from(part)))
  const content = file('audio', { type: 'audio/mpeg', isVoice: true, seconds: 2 }, mp3)
  const { kind, file: voice } = await show({ content })
  expect([kind, voice!.mimetype, voice!.seconds]).toEqual(['voice', 'audio/ogg; codecs=opus', 2])
  const { format } = await parseBuffer(voice!.bytes!)
  expect(format).toMatchObject({ container: 'Ogg', codec: 'Opus', numberOfChannels: 1 })
  expect(format.duration).toBeCloseTo(2, 0)
  const opus = { type: 'audio/ogg', isVoice: true, seconds: null }
  const { file: again } = await show({ content: file('audio', opus, Buffer.from(voice!.bytes!)) })
  expect(again!.seconds).toBe(2)
  for (const bars of [[...voice!.waveform!], [...again!.waveform!]]) {
    expect(bars).toHaveLength(64)
    expect(Math.min(...bars.slice(4, 28))).toBeGreaterThan(60)
    expect(Math.max(...bars.slice(38))).toBeLessThan(10)
  }
})

test('a file that could not be uploaded or opened is tried again under its id, and uploaded once', async () => {
  const { media } = scene.server
  const content = file('image', { type: 'image/png' })
  media.refuseUploads(500, 10)
  await expect(scene.send({ content })).rejects.toThrow()
  media.refuseUploads(500, 0)
  const broken = {
    ...content,
    async open(): Promise<Readable> {
      throw new Error('the storage is away')
    },
  }
  await expect(scene.send({ content: broken })).rejects.toThrow('the storage is away')
  const before = media.uploads.length
  const { id } = await show({ content })
  const chat = { kind: 'lid' as const, value: scene.ana.account.lid }
  const again = { chat, externalId: id, body: '', content, again: true }
  expect(await scene.session.send(again, owned)).toEqual({ is: 'sent' })
  await until('the second copy', () => scene.ana.received().find(one => one.id === id)!.times === 2)
  expect(media.uploads.length - before).toBe(1)
})

test('a file that the customer could not decrypt is given again, also after a restart', async () => {
  scene.server.faults.corrupt(ANA)
  const first = await show({ content: file('image', { type: 'image/png' }), body: 'este' })
  expect(first).toMatchObject({ text: 'este', times: 1 })
  expect(first.file!.bytes!.equals(bytes)).toBe(true)
  scene.ana.goOffline()
  const { id } = await scene.send({ content: file('document', { name: 'a.pdf' }) })
  await scene.reopen()
  scene.server.faults.corrupt(ANA)
  scene.ana.goOnline()
  const again = await until('the repetition', () => scene.ana.received().find(one => one.id === id))
  expect(again.file).toMatchObject({ fileName: 'a.pdf' })
  expect(again.file!.bytes!.equals(bytes)).toBe(true)
})

test('our messages are edited, deleted and reacted to; a caption is changed on its picture', async () => {
  const { id: text } = await show({ body: 'Temm' })
  const { id: image } = await show({ body: 'o bolo', content: file('image', { type: 'image/png' }) })
  const theirs = await scene.ana.write(SHOP, 'Quero')
  await until('the answer', () => scene.host.messages().some(({ externalId }) => externalId === theirs))
  const done = { is: 'sent' }
  const own = (externalId: string) => ({ externalId, fromMe: true })
  expect(await scene.act({ what: 'edit', body: 'Tem', target: own(text) })).toEqual(done)
  expect(await scene.act({ what: 'edit', body: 'O bolo', target: own(image) })).toEqual(done)
  const target = { externalId: theirs, fromMe: false }
  expect(await scene.act({ what: 'react', emoji: '👍', target })).toEqual(done)
  expect(await scene.act({ what: 'react', emoji: '', target })).toEqual(done)
  expect(await scene.act({ what: 'delete', target: own(text) })).toEqual(done)
  const intake = () => scene.ana.received().filter(({ about }) => about)
  await until('all of them', () => intake().length === 5)
  expect(intake().map(({ kind, about, text }) => [kind, about, text])).toEqual([
    ['edit', text, 'Tem'],
    ['edit', image, 'O bolo'],
    ['reaction', theirs, '👍'],
    ['reaction', theirs, ''],
    ['deletion', text, undefined],
  ])
  expect(intake()[1]!.message.protocolMessage?.editedMessage?.imageMessage?.caption).toBe('O bolo')
})

test('a message of either side is pinned for its time, and not any more', async () => {
  const { id } = await show({ body: 'Rua do Sol, 5' })
  const theirs = await scene.ana.write(SHOP, 'Portão azul')
  await until('their message', () => scene.host.messages().some(({ externalId }) => externalId === theirs))
  for (const [target, seconds] of [
    [{ externalId: id, fromMe: true }, 86_400],
    [{ externalId: theirs, fromMe: false }, 604_800],
    [{ externalId: id, fromMe: true }, 0],
  ] as const)
    expect(await scene.act({ what: 'pin', seconds, target })).toEqual({ is: 'sent' })
  const pins = () =>
    scene.ana.received().flatMap(({ message }) => {
      const { pinInChatMessage: pin, messageContextInfo: info } = message
      return pin ? [[pin.key?.id, pin.type, info?.messageAddOnDurationInSecs]] : []
    })
  await until('all three', () => pins().length === 3)
  expect(pins()).toEqual([
    [id, 1, 86_400],
    [theirs, 1, 604_800],
    [id, 2, 0],
  ])
})

test('an edit mentions members by their address', async () => {
  const { id } = await show({ body: 'Oi' })
  const mentions = [{ name: 'Bia', kind: 'lid' as const, value: '799' }]
  await scene.act({ what: 'edit', body: 'Oi @Bia', mentions, target: { externalId: id, fromMe: true } })
  const edit = await until('the edit', () => scene.ana.received().find(({ about }) => about === id))
  const edited = edit.message.protocolMessage?.editedMessage?.extendedTextMessage
  expect([edited?.text, edited?.contextInfo?.mentionedJid]).toEqual(['Oi @799', ['799@lid']])
})

test('an operation that WhatsApp refuses is refused, and one on a broken line is not known', async () => {
  const { id } = await show({ body: 'Oi' })
  scene.server.faults.failAcks(479, 1)
  const target = { externalId: id, fromMe: true }
  expect(await scene.act({ what: 'delete', target })).toEqual({ is: 'refused', reason: '479' })
  const acks = scene.server.faults.holdAcks()
  const doing = scene.act({ what: 'delete', target })
  await until('the deletion', () => scene.ana.received().some(({ about }) => about === id))
  acks.forget()
  scene.server.dropSockets(SHOP)
  expect(await doing).toMatchObject({ is: 'unknown' })
  await until('the connection', () => scene.session.ready())
})

test('a link goes out with the preview that its page gives', async () => {
  const url = 'https://loja.test/sofa'
  scene.host.previews.set(url, { matched: url, title: 'Sofá', description: 'De couro', thumbnail: '' })
  expect((await scene.say(url)).outcome).toEqual({ is: 'sent' })
  const received = await until('the link', () => scene.ana.received().find(({ text }) => text === url))
  expect(received.preview).toMatchObject({ url, title: 'Sofá', description: 'De couro' })
})
