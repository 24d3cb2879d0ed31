import { randomBytes } from 'node:crypto'
import type { AnyMessageContent, MiscMessageGenerationOptions, WAMessage } from 'baileys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Received } from './phone-inbox.ts'
import { type Scene, SHOP, setScene } from './scene.ts'
import { until } from './wait.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})

afterAll(() => scene.end())

const bytes = randomBytes(5_003)
const voice = {
  audio: bytes,
  ptt: true,
  mimetype: 'audio/ogg; codecs=opus',
  seconds: 3,
  // Not in Baileys' types, but carried.
  waveform: randomBytes(64),
}
const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Bia\nitem1.TEL;waid=5511922222222:+55 11 92222-2222\nEND:VCARD'

/** What the client sends, as the customer's phone shows it. */
async function show(
  content: AnyMessageContent,
  options?: MiscMessageGenerationOptions,
): Promise<Received & { sent: WAMessage }> {
  const sent = await scene.client.sock.sendMessage(scene.anaLid, content, options)
  const received = await until('the message', () =>
    scene.ana.received().find(({ id }) => id === sent!.key.id),
  )
  return { ...received, sent: sent! }
}

test.each<[string, AnyMessageContent, object]>([
  ['an image', { image: bytes, caption: 'o bolo', jpegThumbnail: '' }, { kind: 'image', text: 'o bolo' }],
  [
    'a video',
    { video: bytes, seconds: 7, jpegThumbnail: '' },
    { kind: 'video', text: undefined, file: { seconds: 7, mimetype: 'video/mp4' } },
  ],
  ['a moving picture', { video: bytes, gifPlayback: true, jpegThumbnail: '' }, { kind: 'gif' }],
  ['a round video', { video: bytes, ptv: true, jpegThumbnail: '' }, { kind: 'note' }],
  [
    'a sound',
    { audio: bytes, mimetype: 'audio/mpeg', seconds: 3 },
    { kind: 'audio', file: { mimetype: 'audio/mpeg' } },
  ],
  ['a voice note', voice, { kind: 'voice', file: { seconds: 3, waveform: voice.waveform } }],
  [
    'a document',
    { document: bytes, mimetype: 'application/pdf', fileName: 'nota.pdf', caption: 'segue' },
    { kind: 'document', text: 'segue', file: { mimetype: 'application/pdf', fileName: 'nota.pdf' } },
  ],
  ['a sticker', { sticker: bytes }, { kind: 'sticker', file: { mimetype: 'image/webp' } }],
])('%s that the client sends arrives with its bytes', async (_, content, expected) => {
  const received = await show(content)
  expect(received).toMatchObject({ from: SHOP, ...expected })
  expect(received.file!.bytes!.equals(bytes)).toBe(true)
})

test.each<[string, AnyMessageContent, object]>([
  [
    'a place',
    { location: { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'MASP' } },
    { kind: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'MASP' } },
  ],
  [
    'a contact',
    { contacts: { displayName: 'Bia', contacts: [{ displayName: 'Bia', vcard }] } },
    { kind: 'contacts', contacts: [{ name: 'Bia', numbers: ['5511922222222'] }] },
  ],
  [
    'contacts',
    { contacts: { displayName: '2', contacts: [{ displayName: 'Bia', vcard }, { displayName: 'Caio' }] } },
    { kind: 'contacts', contacts: [{ name: 'Bia' }, { name: 'Caio', numbers: [] }] },
  ],
  [
    'a link with its preview',
    { text: 'veja', linkPreview: { 'canonical-url': 'x', 'matched-text': 'https://a.test', title: 'A' } },
    { kind: 'text', text: 'veja', preview: { url: 'https://a.test', title: 'A' } },
  ],
  [
    'a poll',
    { poll: { name: 'Qual?', values: ['a', 'b'], selectableCount: 1 } },
    { kind: 'poll', poll: { question: 'Qual?', options: ['a', 'b'], choices: 1 } },
  ],
])('%s that the client sends is shown', async (_, content, expected) => {
  expect(await show(content)).toMatchObject(expected)
})

test('a reaction, its removal, an edit and a deletion name the message they are about', async () => {
  const question = await scene.ana.write(SHOP, 'Tem bolo?')
  const { key } = await until('the question', () =>
    scene.client.messages.find(message => message.key.id === question),
  )
  expect(await show({ react: { key, text: '👍' } })).toMatchObject({
    kind: 'reaction',
    about: question,
    text: '👍',
  })
  expect(await show({ react: { key, text: '' } })).toMatchObject({ kind: 'reaction', text: '' })
  const { sent } = await show({ text: 'Temm', linkPreview: null })
  const about = sent.key.id
  expect(await show({ text: 'Tem', edit: sent.key })).toMatchObject({ kind: 'edit', about, text: 'Tem' })
  expect(await show({ delete: sent.key })).toMatchObject({ kind: 'deletion', about })
})

test('what answers or forwards a message says so', async () => {
  const id = await scene.ana.write(SHOP, { image: bytes, caption: 'este?' })
  const quoted = await until('the image', () => scene.client.messages.find(({ key }) => key.id === id))
  const answer = await show({ text: 'Esse', linkPreview: null }, { quoted })
  expect(answer).toMatchObject({ text: 'Esse', quotes: quoted.key.id })
  expect(await show({ forward: quoted })).toMatchObject({ kind: 'image', text: 'este?', forwarded: 1 })
})

test('an image that may be seen once, and a message that disappears, are shown as such', async () => {
  const once = await show({ image: bytes, viewOnce: true, jpegThumbnail: '' })
  expect(once).toMatchObject({ kind: 'image', viewOnce: true })
  expect(once.file!.bytes!.equals(bytes)).toBe(true)
  const gone = await show({ text: 'some', linkPreview: null }, { ephemeralExpiration: 86_400 })
  expect(gone).toMatchObject({ kind: 'text', text: 'some', expires: 86_400 })
})

test('a message of a kind that is not known here is named as the protocol names it', async () => {
  const body = { text: 'Confirma?' }
  const buttons = [{ name: 'quick_reply', buttonParamsJson: '{"display_text":"Sim","id":"sim"}' }]
  const id = await scene.client.sock.relayMessage(
    scene.anaLid,
    { interactiveMessage: { body, nativeFlowMessage: { buttons, messageVersion: 1 } } },
    {},
  )
  const received = await until('the message', () => scene.ana.received().find(one => one.id === id))
  expect(received).toMatchObject({ kind: 'interactiveMessage', text: 'Confirma?' })
  expect(received.message.interactiveMessage!.nativeFlowMessage!.buttons).toMatchObject(buttons)
})

test('a file that is not what its message says has a problem instead of bytes', async () => {
  const { client, anaLid } = scene
  const image = (await show({ image: bytes, jpegThumbnail: '' })).sent.message!.imageMessage!
  const id = await client.sock.relayMessage(
    anaLid,
    { imageMessage: { ...image, fileSha256: randomBytes(32) } },
    {},
  )
  const received = await until('the image', () => scene.ana.received().find(one => one.id === id))
  expect(received.file).toMatchObject({ problem: 'wrong hash of the file' })
  expect(received.file!.bytes).toBeUndefined()
})
