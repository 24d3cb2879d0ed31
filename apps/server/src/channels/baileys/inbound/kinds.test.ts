import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Content } from '@balcao/whatsapp-server/contents.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import type { proto } from 'baileys'
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

test('a film and a document bring the small picture of them, a document its pages; a large one is left out', async () => {
  const part = { url: 'https://mmg.whatsapp.net/x', mediaKey: Buffer.alloc(32), fileSha256: Buffer.alloc(32) }
  const sent = async (message: proto.IMessage) => {
    const id = await scene.ana.send(SHOP, message)
    return until('it', () => scene.host.messages().find(({ externalId }) => externalId === id))
  }
  const thumbnail = jpeg.toString('base64')
  const paper = {
    ...part,
    fileName: 'menu.pdf',
    mimetype: 'application/pdf',
    jpegThumbnail: jpeg,
    pageCount: 3,
  }
  expect((await sent({ documentMessage: paper })).file).toMatchObject({ thumbnail, pages: 3 })
  expect((await sent({ videoMessage: { ...part, jpegThumbnail: jpeg } })).file).toMatchObject({ thumbnail })
  const large = Buffer.concat([jpeg, Buffer.alloc(20_000)])
  const { file } = await sent({
    documentMessage: { ...paper, jpegThumbnail: large, pageCount: 4_000_000_000 },
  })
  expect(file).toMatchObject({ name: 'menu.pdf' })
  expect(file).not.toHaveProperty('thumbnail')
  expect(file).not.toHaveProperty('pages')
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
    { mediaType: 'poll', body: 'Qual?', data: { choices: ['a', 'b'], isMultiple: false, votes: [] } },
  ],
  [
    'an event',
    {
      event: {
        ...{ name: 'Festa', description: 'Traga um prato', place: 'Sede' },
        ...{ startsAt: 1_782_324_000, endsAt: 1_782_331_200 },
      },
    },
    {
      mediaType: 'event',
      body: 'Festa\nTraga um prato',
      data: {
        ...{ name: 'Festa', description: 'Traga um prato', place: 'Sede', isCanceled: false, replies: [] },
        ...{ startsAt: '2026-06-24T18:00:00.000Z', endsAt: '2026-06-24T20:00:00.000Z' },
      },
    },
  ],
  [
    'a form that was filled in',
    {
      flow: {
        ...{ name: 'flow', text: 'Sent' },
        params: { screen_0_Nome_completo_0: 'Ana', screen_0_Turno_1: ['0_Manhã'], flow_token: 'x', nota: 9 },
      },
    },
    {
      mediaType: null,
      body: 'Nome completo: Ana\nTurno: Manhã\nnota: 9',
      data: {
        fields: [
          { label: 'Nome completo', value: 'Ana' },
          { label: 'Turno', value: 'Manhã' },
          { label: 'nota', value: '9' },
        ],
      },
    },
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
    { mediaType: null, body: 'Sim', tapId: 'sim' },
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
  const ad = { title: 'Bolos', body: 'de festa', url: 'https://ad.test/', app: 'instagram' }
  const came = await hear('Quero', { ad: { ...ad, id: '42', clickId: 'Aff', thumbnail: jpeg } })
  const shown = {
    ...{ type: 'ad', sourceId: '42', sourceUrl: ad.url, headline: 'Bolos', body: 'de festa', clickId: 'Aff' },
    ...{ mediaType: 'image', mediaUrl: '', thumbnail: jpeg.toString('base64'), app: 'instagram' },
  }
  expect(came).toMatchObject({ body: 'Quero', referral: { ...shown, catalogId: '' } })
  expect(came.data).toBeUndefined()
  const sealed = await hear({ image: bytes }, { ad: { ...ad, isSealed: true } })
  expect(sealed.referral).toMatchObject({ type: 'ad', sourceId: '', headline: '', app: 'instagram' })
  expect(received.referral).toBeUndefined()
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
  ]
  await until('all of them', () => scene.host.messages().some(({ externalId }) => externalId === ids.at(-1)))
  const received = scene.host.messages().filter(({ externalId }) => ids.includes(externalId))
  expect(received.map(({ mediaType, body }) => [mediaType, body])).toEqual([
    ['chat', ''],
    ['requestPhoneNumberMessage', ''],
    ['sticker', ''],
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

const orderOf = (id: string) => ({
  order: {
    ...{ id, token: 'segredo', title: 'Padaria', count: 3, total: 25_500, currency: 'BRL' },
    text: 'para as 18h',
  },
})
const sum = { note: 'para as 18h', title: 'Padaria', count: 3, total: 25.5, currency: 'BRL' }

test('an order is heard with its items, which the server is asked for; else with their number and the total', async () => {
  scene.server.addOrder('7001', {
    ...{ token: 'segredo', currency: 'BRL' },
    items: [
      { id: 'sonho', name: 'Sonho', quantity: 2, price: 8_500 },
      { id: 'pão', name: 'Pão', quantity: 1, price: 8_500 },
    ],
  })
  const received = await hear(orderOf('7001'))
  expect(received).toMatchObject({ mediaType: 'order', body: 'para as 18h\n2 × Sonho\n1 × Pão' })
  expect(received.data).toEqual({
    ...sum,
    items: [
      { product: 'sonho', name: 'Sonho', quantity: 2, price: 8.5, currency: 'BRL' },
      { product: 'pão', name: 'Pão', quantity: 1, price: 8.5, currency: 'BRL' },
    ],
  })
  expect((await hear(orderOf('7002'))).data).toEqual({ ...sum, items: [] })
})

test('an animated sticker that no browser shows is heard as its still', async () => {
  const still = Buffer.concat([Buffer.from([0x89, 0x50]), randomBytes(60)])
  const sticker = { mimetype: 'application/was', isLottie: true, url: 'https://x.test', mediaKey: bytes }
  const id = await scene.ana.send(SHOP, {
    lottieStickerMessage: { message: { stickerMessage: { ...sticker, pngThumbnail: still } } },
  })
  const received = await until('the sticker', () =>
    scene.host.messages().find(({ externalId }) => externalId === id),
  )
  expect(received).toMatchObject({ mediaType: 'sticker', data: { still: still.toString('base64') } })
  expect(received.file).toBeUndefined()
})

const answers = () => scene.host.heard.filter(one => one.kind === 'answer')
const given = (id: string) => answers().filter(one => one.target.externalId === id)

test('a vote is opened whichever of their addresses both sides are named by, and once more after a restart', async () => {
  scene.phone.goOnline()
  const poll = { poll: { question: 'Qual?', options: ['a', 'b', 'c'] } }
  const id = await scene.phone.write(scene.ana.number, poll)
  await until('the poll', () => scene.ana.received().some(one => one.id === id))
  await until('the copy', () => scene.host.messages().some(({ externalId }) => externalId === id))
  await scene.ana.answers.vote(SHOP, id, ['c', 'a'])
  await scene.ana.answers.vote(SHOP, id, ['b'], ['pn', 'pn'])
  await scene.reopen()
  await scene.ana.answers.vote(SHOP, id, [], ['lid', 'pn'])
  await until('all three', () => given(id).length === 3)
  expect(given(id).map(({ answer }) => answer)).toEqual([
    { to: 'poll', choices: [0, 2] },
    { to: 'poll', choices: [1] },
    { to: 'poll', choices: [] },
  ])
  expect(given(id)[0]).toMatchObject({ fromMe: false, name: 'Ana', target: { fromMe: true } })
  const theirs = await scene.ana.write(SHOP, poll)
  await until('their poll', () => scene.phone.received().some(one => one.id === theirs))
  await scene.phone.answers.vote(scene.ana.number, theirs, ['b'])
  const own = await until('our vote', () => given(theirs)[0])
  expect(own).toMatchObject({ fromMe: true, target: { fromMe: false }, answer: { choices: [1] } })
  scene.phone.goOffline()
})

test('a reply to an event says who comes; an answer to what is not known is only logged', async () => {
  scene.phone.goOnline()
  const id = await scene.phone.write(scene.ana.number, { event: { name: 'Festa', startsAt: 1_782_324_000 } })
  await until('the event', () => scene.ana.received().some(one => one.id === id))
  await scene.ana.answers.reply(SHOP, id, 'maybe', { guests: 2 })
  const reply = await until('the reply', () => given(id)[0])
  expect(reply.answer).toEqual({ to: 'event', reply: 'maybe', guests: 2 })
  const key = { remoteJid: 'x@s.whatsapp.net', id: '3EB0UNKNOWN', fromMe: true }
  const box = { encPayload: randomBytes(40), encIv: randomBytes(12) }
  await scene.ana.send(SHOP, { pollUpdateMessage: { pollCreationMessageKey: key, vote: box } })
  await scene.ana.send(SHOP, { encEventResponseMessage: { eventCreationMessageKey: { ...key, id }, ...box } })
  const why = () => scene.host.heard.flatMap(one => (one.kind === 'strange' ? one.why : []))
  await until('both', () => why().length === 2)
  expect(why()).toEqual([
    'an answer to 3EB0UNKNOWN, which is not known here',
    `an answer to ${id} that cannot be decrypted`,
  ])
  scene.phone.goOffline()
})

test('a live location is heard again with each new place, a pin as a line of the chat', async () => {
  const id = await scene.ana.write(SHOP, { liveLocation: { ...place, sequence: 1 } })
  const next = { ...place, latitude: -23.57, sequence: 2 }
  await scene.ana.write(SHOP, { liveLocation: next }, { id })
  const places = () => scene.host.messages().filter(({ externalId }) => externalId === id)
  await until('both', () => places().length === 2)
  expect(places().map(({ data }) => data)).toMatchObject([
    { latitude: place.latitude, isLive: true, sequence: 1, movedAt: expect.any(String) },
    { latitude: -23.57, isLive: true, sequence: 2 },
  ])
  await scene.ana.answers.pin(SHOP, id)
  const pin = await until('the pin', () =>
    scene.host.messages().find(({ mediaType }) => mediaType === 'chat_event'),
  )
  expect(pin).toMatchObject({ data: { what: 'pinned', people: [] }, quotedExternalId: id })
})

test('what is quoted comes along, shortened; a status of the company is marked as such', async () => {
  const participant = `${scene.phone.account.lid}@lid`
  const quotedMessage = { imageMessage: { caption: 'promoção '.repeat(100) } }
  const context = { stanzaId: '3EB0STATUS', participant, remoteJid: 'status@broadcast', quotedMessage }
  const id = await scene.ana.send(SHOP, { extendedTextMessage: { text: 'Quero', contextInfo: context } })
  const received = await until('the message', () =>
    scene.host.messages().find(({ externalId }) => externalId === id),
  )
  expect(received.quotedCopy).toEqual({
    body: 'promoção '.repeat(100).slice(0, 500),
    ...{ mediaType: 'image', fromMe: true, isStatus: true },
  })
})

test('in a chat whose messages disappear ours carry its timer, also after a restart, until it is turned off', async () => {
  await hear('some', { expires: 604_800 })
  const expires = async () => {
    const { id } = await scene.say('Certo')
    return (await until('it', () => scene.ana.received().find(one => one.id === id))).expires
  }
  expect(await expires()).toBe(604_800)
  await scene.reopen()
  await until('the connection', () => scene.session.ready())
  expect(await expires()).toBe(604_800)
  await scene.ana.answers.setTimer(SHOP, 0)
  await until('the line', () =>
    scene.host
      .messages()
      .some(({ data }) => data !== undefined && 'what' in data && data.what === 'timerOff'),
  )
  await hear('fica')
  expect(await expires()).toBeUndefined()
})
