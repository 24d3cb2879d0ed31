import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Content } from '@balcao/whatsapp-server/contents.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.end())

const bytes = randomBytes(70_001)
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), randomBytes(100)])
const place = { latitude: -23.5614, longitude: -46.6559, name: 'MASP', address: 'Av. Paulista, 1578' }
const ana = { name: 'Ana Souza', numbers: ['5511911111111'] }
const bia = { name: 'Bia', numbers: ['5511922222222', '551133334444'] }
const onWhatsApp = (number: string) => ({ number, onWhatsApp: true })

/** A customer's message, as the application receives it. */
async function hear(content: Content, options = {}) {
  const id = await scene.ana.write(SHOP, content, options)
  return until('the message', () => scene.host.messages().find(({ externalId }) => externalId === id))
}

test.each<[string, Content, object, object]>([
  [
    'an image',
    { image: bytes, caption: 'o bolo', width: 800, height: 600 },
    { mediaType: 'image', body: 'o bolo' },
    { type: 'image/jpeg', width: 800, height: 600 },
  ],
  [
    'a video',
    { video: bytes, seconds: 7 },
    { mediaType: 'video', body: '' },
    { type: 'video/mp4', seconds: 7 },
  ],
  ['a moving picture', { video: bytes, gif: true }, { mediaType: 'video' }, { seconds: null }],
  ['a round video', { note: bytes }, { mediaType: 'video' }, { type: 'video/mp4' }],
  [
    'a sound',
    { audio: bytes, seconds: 3 },
    { mediaType: 'audio' },
    { type: 'audio/mpeg', isVoice: false, seconds: 3 },
  ],
  [
    'a voice message',
    { voice: bytes, seconds: 4 },
    { mediaType: 'audio' },
    { type: 'audio/ogg; codecs=opus', isVoice: true },
  ],
  [
    'a document',
    { document: bytes, fileName: 'pedido.pdf', mimetype: 'application/pdf' },
    { mediaType: 'document', body: '' },
    { name: 'pedido.pdf', type: 'application/pdf' },
  ],
  [
    'a document with a caption',
    { document: bytes, fileName: 'nota.xml', mimetype: 'text/xml', caption: 'segue' },
    { mediaType: 'document', body: 'segue' },
    { name: 'nota.xml' },
  ],
  ['a sticker', { sticker: bytes }, { mediaType: 'sticker', body: '' }, { type: 'image/webp' }],
])('%s is heard, and its bytes are those that were sent', async (_, content, expected, file) => {
  const received = await hear(content)
  expect(received).toMatchObject({ ...expected, file: { size: bytes.length, ...file } })
  const got = await buffer(await scene.session.download(received.file!.source))
  expect(got.equals(bytes)).toBe(true)
})

test.each<[string, Content, object]>([
  [
    'a place',
    { location: place },
    { mediaType: 'location', body: 'MASP\nAv. Paulista, 1578', data: { ...place, isLive: false } },
  ],
  [
    'where somebody is',
    { liveLocation: { ...place, caption: 'chegando' } },
    { mediaType: 'location', body: 'chegando', data: { latitude: -23.5614, isLive: true } },
  ],
  [
    'a contact',
    { contacts: [ana] },
    {
      mediaType: 'vcard',
      body: 'Ana Souza',
      data: { contacts: [{ name: 'Ana Souza', phones: [onWhatsApp('5511911111111')] }] },
    },
  ],
  [
    'several contacts',
    { contacts: [ana, bia] },
    {
      mediaType: 'vcard',
      body: 'Ana Souza, Bia',
      data: { contacts: [{}, { phones: bia.numbers.map(onWhatsApp) }] },
    },
  ],
  [
    'a link with its preview',
    {
      text: 'veja https://padaria.test/bolo',
      preview: { url: 'https://padaria.test/bolo', title: 'Bolo', description: 'de fubá', thumbnail: jpeg },
    },
    {
      mediaType: null,
      body: 'veja https://padaria.test/bolo',
      data: {
        url: 'https://padaria.test/bolo',
        title: 'Bolo',
        description: 'de fubá',
        thumbnail: jpeg.toString('base64'),
      },
    },
  ],
  [
    'a poll',
    { poll: { question: 'Qual?', options: ['a', 'b'], choices: 1 } },
    { mediaType: 'poll', body: 'Qual?', data: { choices: ['a', 'b'] } },
  ],
  [
    'a pressed button',
    { pressed: { id: 'sim', text: 'Sim, quero' } },
    { mediaType: null, body: 'Sim, quero' },
  ],
  ['a picked row', { picked: { id: '2', title: 'Financeiro' } }, { mediaType: null, body: 'Financeiro' }],
  [
    'a pressed button of an interactive message',
    { flow: { name: 'quick_reply', text: 'Sim', params: { id: 'sim' } } },
    { mediaType: null, body: 'Sim' },
  ],
])('%s is heard', async (_, content, expected) => {
  expect(await hear(content)).toMatchObject(expected)
})

test('choices that a business offers are heard with the words above them', async () => {
  const templates = [
    {
      buttonsMessage: {
        contentText: 'Confirma?',
        buttons: [{ buttonId: '1', buttonText: { displayText: 'Sim' } }],
      },
    },
    {
      listMessage: {
        title: 'Menu',
        description: 'Escolha',
        sections: [{ rows: [{ title: 'Bolo', rowId: '1' }] }],
      },
    },
    {
      templateMessage: {
        hydratedTemplate: {
          hydratedContentText: 'Seu pedido',
          hydratedButtons: [{ urlButton: { displayText: 'Rastrear', url: 'https://a.test' } }],
        },
      },
    },
    {
      interactiveMessage: {
        body: { text: 'Ofertas' },
        nativeFlowMessage: {
          buttons: [
            { name: 'x', buttonParamsJson: '{"display_text":"Ver"}' },
            { name: 'y', buttonParamsJson: '{' },
          ],
        },
      },
    },
  ]
  const ids: string[] = []
  for (const template of templates) ids.push(await scene.ana.send(SHOP, template))
  await until('all of them', () => scene.host.messages().some(({ externalId }) => externalId === ids.at(-1)))
  const received = scene.host.messages().filter(({ externalId }) => ids.includes(externalId))
  expect(received.map(({ body, data }) => [body, data])).toEqual([
    ['Confirma?', { choices: ['Sim'] }],
    ['Menu\nEscolha', { choices: ['Bolo'] }],
    ['Seu pedido', { choices: ['Rastrear'] }],
    ['Ofertas', { choices: ['Ver'] }],
  ])
})

test('what answers, was forwarded or came from an advertisement says so', async () => {
  const quote = await scene.ana.write(SHOP, 'Tem bolo?')
  const received = await hear({ image: bytes }, { quote, forwarded: 5 })
  expect(received).toMatchObject({ quotedExternalId: quote, isForwarded: true })
  const came = await hear('Quero', { ad: { title: 'Bolos', body: 'de festa', url: 'https://ad.test/' } })
  expect(came.data).toEqual({
    url: 'https://ad.test/',
    title: 'Bolos',
    description: 'de festa',
    thumbnail: '',
  })
})

test('messages that disappear are received like all others; what is seen once is received as such', async () => {
  expect(await hear('some', { expires: 86_400 })).toMatchObject({ body: 'some', mediaType: null })
  expect(await hear({ image: bytes }, { viewOnce: true })).toMatchObject({
    mediaType: 'viewOnceMessage',
    body: '',
  })
  const open = await hear({ image: bytes }, { viewOnce: 'everywhere' })
  expect((await buffer(await scene.session.download(open.file!.source))).equals(bytes)).toBe(true)
})

test('a kind that nobody knows here is heard under its own name, inside whatever it is wrapped', async () => {
  const ids = [
    await scene.ana.send(SHOP, { chat: { displayName: '?' } }),
    await scene.ana.send(SHOP, { requestPhoneNumberMessage: {} }),
    await scene.ana.send(SHOP, {
      lottieStickerMessage: { message: { stickerMessage: { mimetype: 'image/webp' } } },
    }),
    await scene.ana.send(SHOP, { eventMessage: { name: 'Festa junina' } }),
  ]
  await until('all of them', () => scene.host.messages().some(({ externalId }) => externalId === ids.at(-1)))
  const received = scene.host.messages().filter(({ externalId }) => ids.includes(externalId))
  expect(received.map(({ mediaType, body }) => [mediaType, body])).toEqual([
    ['chat', ''],
    ['requestPhoneNumberMessage', ''],
    ['sticker', ''],
    ['eventMessage', 'Festa junina'],
  ])
})

test('reactions, edits and deletions name the message that they are about', async () => {
  const from = scene.host.heard.length
  const { id: ours } = await scene.say('Pronto!')
  await until('the message', () => scene.ana.received().some(({ id }) => id === ours))
  await scene.ana.react(SHOP, ours, '👍')
  await scene.ana.react(SHOP, ours, '')
  const text = await scene.ana.write(SHOP, 'um bolo')
  await scene.ana.react(SHOP, text, '🎂')
  await scene.ana.edit(SHOP, text, 'dois bolos')
  const image = await scene.ana.write(SHOP, { image: bytes, caption: 'este' })
  await scene.ana.edit(SHOP, image, 'ou este')
  await scene.ana.revoke(SHOP, text)
  const intake = () =>
    scene.host.heard.slice(from).filter(({ kind }) => ['reaction', 'edit', 'delete'].includes(kind))
  await until('all of them', () => intake().length === 6)
  const chat = { kind: 'lid', value: scene.ana.account.lid, also: { kind: 'phone', value: scene.ana.number } }
  const by = { chat, fromMe: false, at: expect.any(String) }
  const edit = { kind: 'edit', ...by, name: 'Ana', externalId: expect.any(String) }
  expect(intake()).toEqual([
    { kind: 'reaction', ...by, name: 'Ana', target: { externalId: ours, fromMe: true }, emoji: '👍' },
    { kind: 'reaction', ...by, name: 'Ana', target: { externalId: ours, fromMe: true }, emoji: '' },
    { kind: 'reaction', ...by, name: 'Ana', target: { externalId: text, fromMe: false }, emoji: '🎂' },
    { ...edit, target: { externalId: text, fromMe: false }, body: 'dois bolos' },
    { ...edit, target: { externalId: image, fromMe: false }, body: 'ou este' },
    { kind: 'delete', ...by, target: { externalId: text, fromMe: false } },
  ])
})

test('nobody edits or deletes what another wrote', async () => {
  const { id } = await scene.say('o preço é 10')
  await until('the message', () => scene.ana.received().some(one => one.id === id))
  const key = { remoteJid: 'x@s.whatsapp.net', id, fromMe: false }
  await scene.ana.send(SHOP, { protocolMessage: { type: 14, key, editedMessage: { conversation: 'é 1' } } })
  await scene.ana.send(SHOP, { protocolMessage: { type: 0, key } })
  const last = await hear('fim')
  const about = scene.host.heard
    .slice(0, scene.host.heard.indexOf(last))
    .filter(one => (one.kind === 'edit' || one.kind === 'delete') && one.target.externalId === id)
  // It refers to her own message of that id, which does not exist.
  expect(about.map(one => 'target' in one && one.target.fromMe)).toEqual([false, false])
})

test('what the owner does on the phone is ours', async () => {
  scene.phone.goOnline()
  const theirs = await scene.ana.write(SHOP, 'Obrigada')
  await until('the message', () => scene.phone.received().some(({ id }) => id === theirs))
  const id = await scene.phone.write(scene.ana.number, { image: bytes, caption: 'feito' })
  await scene.phone.edit(scene.ana.number, id, 'Feito!')
  await scene.phone.react(scene.ana.number, theirs, '❤️')
  const intake = () => scene.host.heard.filter(one => 'target' in one && 'fromMe' in one && one.fromMe)
  await until('both', () => intake().length === 2)
  expect(intake()).toMatchObject([
    { kind: 'edit', target: { externalId: id, fromMe: true }, body: 'Feito!' },
    { kind: 'reaction', target: { externalId: theirs, fromMe: false }, emoji: '❤️' },
  ])
  const typed = scene.host.messages().find(({ externalId }) => externalId === id)
  expect((await buffer(await scene.session.download(typed!.file!.source))).equals(bytes)).toBe(true)
  scene.phone.goOffline()
})
