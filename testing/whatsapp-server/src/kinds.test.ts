import { createHash, randomBytes } from 'node:crypto'
import {
  decryptEventResponse,
  decryptPollVote,
  downloadMediaMessage,
  normalizeMessageContent,
  proto,
  type WAMessage,
} from 'baileys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Content } from './contents.ts'
import { type Scene, SHOP, setScene } from './scene.ts'
import { openEdit } from './secrets.ts'
import { until } from './wait.ts'

const { AssociationType } = proto.MessageAssociation
let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})

afterAll(() => scene.end())

const bytes = randomBytes(5_003)
const thumbnail = randomBytes(200)
const place = { latitude: -23.5614, longitude: -46.6559, name: 'MASP', address: 'Av. Paulista, 1578' }
const ana = { name: 'Ana Souza', numbers: ['5511911111111'] }
const bia = { name: 'Bia', numbers: ['5511922222222', '551133334444'] }

/** What the customer sends, as the client has it. */
async function hear(content: Content, options = {}): Promise<WAMessage> {
  return withId(await scene.ana.write(SHOP, content, options))
}

const withId = (id: string): Promise<WAMessage> =>
  until('the message', () => scene.client.messages.find(({ key, message }) => key.id === id && message))

test.each<[string, Content, object]>([
  ['an image', { image: bytes, caption: 'o bolo' }, { imageMessage: { caption: 'o bolo' } }],
  ['a video', { video: bytes, seconds: 7, thumbnail }, { videoMessage: { seconds: 7 } }],
  ['a moving picture', { video: bytes, gif: true }, { videoMessage: { gifPlayback: true } }],
  ['a round video', { note: bytes }, { ptvMessage: { mimetype: 'video/mp4' } }],
  ['a sound', { audio: bytes, seconds: 3 }, { audioMessage: { mimetype: 'audio/mpeg', seconds: 3 } }],
  [
    'a voice note',
    { voice: bytes, seconds: 4, waveform: thumbnail.subarray(0, 64) },
    { audioMessage: { ptt: true, mimetype: 'audio/ogg; codecs=opus' } },
  ],
  [
    'a document',
    { document: bytes, fileName: 'pedido.pdf', mimetype: 'application/pdf', caption: 'segue' },
    { documentMessage: { fileName: 'pedido.pdf', mimetype: 'application/pdf', caption: 'segue' } },
  ],
  ['a sticker', { sticker: bytes, animated: true }, { stickerMessage: { isAnimated: true } }],
])('%s arrives with its bytes', async (_, content, expected) => {
  const message = await hear(content)
  expect(normalizeMessageContent(message.message)).toMatchObject(expected)
  expect((await downloadMediaMessage(message, 'buffer', {})).equals(bytes)).toBe(true)
})

test.each<[string, Content, object]>([
  [
    'a place',
    { location: place },
    { locationMessage: { degreesLatitude: -23.5614, degreesLongitude: -46.6559, name: 'MASP' } },
  ],
  [
    'where somebody is',
    { liveLocation: { ...place, caption: 'chegando', sequence: 3 } },
    { liveLocationMessage: { degreesLatitude: -23.5614, caption: 'chegando' } },
  ],
  ['a contact', { contacts: [ana] }, { contactMessage: { displayName: 'Ana Souza' } }],
  [
    'several contacts',
    { contacts: [ana, bia] },
    { contactsArrayMessage: { contacts: [{ displayName: 'Ana Souza' }, { displayName: 'Bia' }] } },
  ],
  [
    'a link with its preview',
    { text: 'veja https://padaria.test/bolo', preview: { url: 'https://padaria.test/bolo', title: 'Bolo' } },
    { extendedTextMessage: { matchedText: 'https://padaria.test/bolo', title: 'Bolo' } },
  ],
  [
    'a poll of one choice',
    { poll: { question: 'Qual?', options: ['a', 'b'], choices: 1 } },
    { pollCreationMessageV3: { name: 'Qual?', options: [{ optionName: 'a' }, { optionName: 'b' }] } },
  ],
  [
    'a poll of many',
    { poll: { question: 'Quais?', options: ['a', 'b'] } },
    { pollCreationMessage: { name: 'Quais?' } },
  ],
  [
    'a pressed button',
    { pressed: { id: 'sim', text: 'Sim, quero' } },
    { buttonsResponseMessage: { selectedButtonId: 'sim', selectedDisplayText: 'Sim, quero' } },
  ],
  [
    'a picked row',
    { picked: { id: '2', title: 'Financeiro' } },
    { listResponseMessage: { title: 'Financeiro', singleSelectReply: { selectedRowId: '2' } } },
  ],
  [
    'a pressed button of an interactive message',
    { flow: { name: 'quick_reply', text: 'Sim', params: { id: 'sim' } } },
    { interactiveResponseMessage: { nativeFlowResponseMessage: { paramsJson: '{"id":"sim"}' } } },
  ],
])('%s arrives', async (_, content, expected) => {
  expect((await hear(content)).message).toMatchObject(expected)
})

test('a file may claim to lie anywhere', async () => {
  const { message } = await hear({ image: bytes, url: 'https://intranet.test/secret' })
  expect(message!.imageMessage!.url).toBe('https://intranet.test/secret')
})

test('what answers, was forwarded, mentions somebody or came from an advertisement says so', async () => {
  const quote = await scene.ana.write(SHOP, 'Tem bolo?')
  const message = await hear({ image: bytes }, { quote, forwarded: 5, mentions: [SHOP] })
  expect(message.message!.imageMessage!.contextInfo).toMatchObject({
    stanzaId: quote,
    quotedMessage: { conversation: 'Tem bolo?' },
    isForwarded: true,
    forwardingScore: 5,
    mentionedJid: [`${scene.phone.account.lid}@lid`],
  })
  const came = await hear('Quero', { ad: { title: 'Bolos', body: 'de festa', url: 'https://ad.test' } })
  expect(came.message!.extendedTextMessage).toMatchObject({
    text: 'Quero',
    contextInfo: { externalAdReply: { title: 'Bolos', sourceUrl: 'https://ad.test' } },
  })
})

test('a message that disappears is wrapped as phones wrap it', async () => {
  const message = await hear('some', { expires: 86_400 })
  const inner = message.message!.ephemeralMessage!.message!
  expect(inner.extendedTextMessage).toMatchObject({ text: 'some', contextInfo: { expiration: 86_400 } })
})

test('what may be seen once does not come to linked devices, unless everywhere', async () => {
  const id = await scene.ana.write(SHOP, { image: bytes }, { viewOnce: true })
  const found = () => scene.client.messages.find(({ key }) => key.id === id)
  const withheld = await until('the placeholder', found)
  expect(withheld.key).toMatchObject({ isViewOnce: true })
  expect(withheld.message).toBeFalsy()
  const shown = await hear({ image: bytes }, { viewOnce: 'everywhere' })
  expect((await downloadMediaMessage(shown, 'buffer', {})).equals(bytes)).toBe(true)
})

test('a kind that nobody knows arrives as what it is', async () => {
  const id = await scene.ana.send(SHOP, { chat: { displayName: '?' } })
  const message = await until('the message', () => scene.client.messages.find(({ key }) => key.id === id))
  expect(message.message).toMatchObject({ chat: { displayName: '?' } })
})

test('reactions come and go', async () => {
  const seen: { id: string; emoji: string; fromMe: boolean }[] = []
  scene.client.sock.ev.on('messages.reaction', events => {
    for (const { key, reaction } of events)
      seen.push({ id: key.id!, emoji: reaction.text ?? '', fromMe: key.fromMe! })
  })
  const own = await scene.client.say(scene.anaLid, 'Pronto!')
  await until('the message', () => scene.ana.received().some(({ id }) => id === own))
  await scene.ana.react(SHOP, own, '👍')
  await scene.ana.react(SHOP, own, '')
  const id = await scene.ana.write(SHOP, 'Obrigada')
  await scene.ana.react(SHOP, id, '🎂')
  await until('all three', () => seen.length === 3)
  expect(seen).toEqual([
    { id: own, emoji: '👍', fromMe: true },
    { id: own, emoji: '', fromMe: true },
    { id, emoji: '🎂', fromMe: false },
  ])
})

test('edits and deletions name the message they are about', async () => {
  const updates: { id: string; text?: string; isRevoked: boolean }[] = []
  scene.client.sock.ev.on('messages.update', events => {
    for (const { key, update } of events) {
      const edited = normalizeMessageContent(update.message?.editedMessage?.message)
      const text = edited?.conversation ?? edited?.imageMessage?.caption ?? undefined
      updates.push({ id: key.id!, text, isRevoked: update.messageStubType === 1 })
    }
  })
  const text = (await hear('um bolo')).key.id!
  await scene.ana.edit(SHOP, text, 'dois bolos', { form: 'plain' })
  const image = await scene.ana.write(SHOP, { image: bytes, caption: 'este' })
  await scene.ana.edit(SHOP, image, 'ou este', { form: 'plain' })
  await scene.ana.revoke(SHOP, text)
  await until('all three', () => updates.length === 3)
  expect(updates).toEqual([
    { id: text, text: 'dois bolos', isRevoked: false },
    { id: image, text: 'ou este', isRevoked: false },
    { id: text, text: undefined, isRevoked: true },
  ])
})

test('an edit of today is encrypted by the secret of its message', async () => {
  const { message: original, key } = await hear('R$ 500')
  const id = await scene.ana.edit(SHOP, key.id!, 'R$ 50', { names: ['lid', 'pn'] })
  const edit = await until('the edit', () =>
    scene.client.messages.find(one => one.key.id === id && one.message),
  )
  expect(edit.message!.secretEncryptedMessage!.targetMessageKey).toMatchObject({ id: key.id, fromMe: true })
  const names = { author: `${scene.ana.account.lid}@lid`, editor: `${scene.ana.number}@s.whatsapp.net` }
  const { protocolMessage } = openEdit(edit.message!, original!, [names])
  expect(protocolMessage!.editedMessage).toMatchObject({ conversation: 'R$ 50' })
  expect(() => openEdit(edit.message!, original!, [{ ...names, editor: names.author }])).toThrow('decrypted')
})

test('an album names its frame, a better copy and the film of a moving photo name the photo', async () => {
  const received = (id: string) =>
    until('it', () => scene.client.messages.find(({ key, message }) => key.id === id && message))
  const album = await scene.ana.album(SHOP, [{ image: bytes }, { video: bytes }])
  expect((await received(album.id)).message!.albumMessage).toMatchObject({
    expectedImageCount: 1,
    expectedVideoCount: 1,
  })
  const photo = await scene.ana.write(SHOP, { image: bytes })
  const better = await scene.ana.attach(SHOP, photo, { image: bytes }, 'hd')
  const film = await scene.ana.attach(SHOP, photo, { video: bytes }, 'motion')
  const belongings = await Promise.all([album.parts[1]!, better, film].map(received))
  expect(
    belongings.map(({ message }) => {
      const { associationType, parentMessageKey } = message!.messageContextInfo!.messageAssociation!
      return [
        AssociationType[associationType!],
        parentMessageKey!.id,
        Boolean(message!.associatedChildMessage),
      ]
    }),
  ).toEqual([
    ['MEDIA_ALBUM', album.id, false],
    ['HD_IMAGE_DUAL_UPLOAD', photo, true],
    ['MOTION_PHOTO', photo, true],
  ])
})

test('a voice note that was listened to is played for its sender', async () => {
  const { client, anaLid } = scene
  const note = { audio: bytes, ptt: true, seconds: 1, waveform: bytes.subarray(0, 64) }
  const sent = await client.sock.sendMessage(anaLid, note)
  const received = await until('the note', () => scene.ana.received().find(({ id }) => id === sent!.key.id))
  expect(received).toMatchObject({ kind: 'voice', file: { seconds: 1 } })
  scene.ana.play(received.id)
  await until('the playing', () => client.statuses.get(sent!.key.id!) === proto.WebMessageInfo.Status.PLAYED)
})

test("votes and replies are sealed with the secret of what they answer, as Baileys' own functions open them", async () => {
  const poll = await hear({ poll: { question: 'Qual?', options: ['a', 'b'] } })
  const secret = poll.message!.messageContextInfo!.messageSecret!
  expect(secret).toHaveLength(32)
  const { id } = poll.key
  const names = { pollCreatorJid: scene.anaLid, voterJid: scene.anaPn }
  const sealed = await withId(await scene.ana.answers.vote(SHOP, id!, ['b'], ['lid', 'pn']))
  const { vote, pollCreationMessageKey } = sealed.message!.pollUpdateMessage!
  expect(pollCreationMessageKey!.id).toBe(id)
  const { selectedOptions } = decryptPollVote(vote!, { ...names, pollMsgId: id!, pollEncKey: secret })
  expect(selectedOptions.map(hash => Buffer.from(hash))).toEqual([createHash('sha256').update('b').digest()])
  const event = await hear({ event: { name: 'Festa', startsAt: 1_782_324_000 } })
  const reply = await withId(await scene.ana.answers.reply(SHOP, event.key.id!, 'going', { guests: 1 }))
  const opened = decryptEventResponse(reply.message!.encEventResponseMessage!, {
    ...{ eventCreatorJid: scene.anaLid, responderJid: scene.anaLid, eventMsgId: event.key.id! },
    eventEncKey: event.message!.messageContextInfo!.messageSecret!,
  })
  expect(opened).toMatchObject({ response: 1, extraGuestCount: 1 })
})

test('an order is told to who knows its token', async () => {
  const items = [{ id: 's', name: 'Sonho', quantity: 2, price: 8_500 }]
  scene.server.addOrder('7001', { token: 'segredo', currency: 'BRL', items })
  const { getOrderDetails } = scene.client.sock
  expect(await getOrderDetails('7001', 'segredo')).toMatchObject({
    price: { total: 17_000, currency: 'BRL' },
    products: [{ id: 's', name: 'Sonho', quantity: 2, price: 8_500, currency: 'BRL' }],
  })
  await expect(getOrderDetails('7001', 'outro')).rejects.toThrow('item-not-found')
})
