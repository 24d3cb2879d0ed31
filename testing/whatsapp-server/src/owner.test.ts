import { randomBytes } from 'node:crypto'
import { downloadMediaMessage, type WAMessage } from 'baileys'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from './scene.ts'
import { until } from './wait.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene({ phoneOnline: true })
})

afterEach(() => scene.end())

const bytes = randomBytes(4_001)
const withId = (id: string): Promise<WAMessage> =>
  until('the message', () => scene.client.messages.find(({ key, message }) => key.id === id && message))

test('files that the owner sends by hand reach the customer, and the client as our own', async () => {
  const id = await scene.phone.write(ANA, { voice: bytes, seconds: 2 })
  const copy = await withId(id)
  expect(copy).toMatchObject({
    key: { remoteJid: scene.anaLid, fromMe: true },
    message: { audioMessage: { ptt: true, seconds: 2 } },
  })
  expect((await downloadMediaMessage(copy, 'buffer', {})).equals(bytes)).toBe(true)
  const received = await until('it at the customer', () => scene.ana.received()[0])
  expect(received).toMatchObject({ kind: 'voice', from: SHOP })
})

test('the owner reacts to, edits and deletes messages by hand, those of the client too', async () => {
  const question = await scene.ana.write(SHOP, 'Tem bolo?')
  await until('the question', () => scene.phone.received().length === 1)
  const answer = await scene.client.say(scene.anaLid, 'Temm')
  await until('the answer on the phone', () => scene.phone.received().length === 2)
  const heart = await withId(await scene.phone.react(ANA, question, '❤️'))
  expect(heart.message!.reactionMessage).toMatchObject({ key: { id: question, fromMe: false }, text: '❤️' })
  const edited = await withId(await scene.phone.edit(ANA, answer, 'Tem'))
  expect(edited.message!.secretEncryptedMessage!.targetMessageKey).toMatchObject({
    id: answer,
    fromMe: true,
  })
  const deleted = await withId(await scene.phone.revoke(ANA, answer))
  expect(deleted.message!.protocolMessage!.key).toMatchObject({ id: answer, fromMe: true })
  await until('all of it at the customer', () => scene.ana.received().length === 4)
  expect(scene.ana.received().map(({ kind, about }) => [kind, about])).toEqual([
    ['text', undefined],
    ['reaction', question],
    ['edit', answer],
    ['deletion', answer],
  ])
})

test('what the owner writes into a group is our own', async () => {
  const group = scene.server.addGroup('Entregas', [scene.phone, scene.ana])
  const message = await withId(await scene.phone.write(group.id, 'Estou a caminho'))
  expect(message.key).toMatchObject({ remoteJid: `${group.id}@g.us`, fromMe: true })
})

test('the customer quotes what the client wrote, and the owner answers it by hand', async () => {
  const offer = await scene.client.say(scene.anaLid, 'R$ 30')
  await until('the offer', () => scene.ana.received().length === 1)
  const question = await withId(await scene.ana.write(SHOP, 'Por quê?', { quote: offer }))
  expect(question.message!.extendedTextMessage!.contextInfo).toMatchObject({ stanzaId: offer })
  await until('the question on the phone', () => scene.phone.received().length === 2)
  const answer = await withId(await scene.phone.write(ANA, 'Chocolate', { quote: question.key.id! }))
  expect(answer.message!.extendedTextMessage!.contextInfo).toMatchObject({ stanzaId: question.key.id })
})
