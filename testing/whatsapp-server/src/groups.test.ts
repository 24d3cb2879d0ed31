import { randomBytes } from 'node:crypto'
import { downloadMediaMessage, proto, type WAMessage } from 'baileys'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Group } from './groups.ts'
import type { Phone } from './phone.ts'
import { ANA, type Scene, SHOP, setScene } from './scene.ts'
import { until } from './wait.ts'

let scene: Scene
let bia: Phone
let group: Group
let chat: string

beforeEach(async () => {
  scene = await setScene()
  bia = await scene.server.addPhone('5511922222222', { name: 'Bia' })
  group = scene.server.addGroup('Entregas', [scene.ana, bia, scene.phone])
  chat = `${group.id}@g.us`
})

afterEach(() => scene.end())

const bytes = randomBytes(4_001)
const withId = (id: string) =>
  until('the message', () => scene.client.messages.find(({ key, message }) => key.id === id && message))

test('what members write says who wrote it, files and answers included', async () => {
  const question = await withId(await scene.ana.write(group.id, 'Chegou?'))
  expect(question).toMatchObject({
    key: { remoteJid: chat, fromMe: false, participant: scene.anaLid, participantAlt: scene.anaPn },
    pushName: 'Ana',
  })
  await until('it at Bia', () => bia.received().length === 1)
  const answer = await withId(await bia.write(group.id, { image: bytes }, { quote: question.key.id! }))
  expect(answer.key.participant).toBe(`${bia.account.lid}@lid`)
  expect(answer.message!.imageMessage!.contextInfo).toMatchObject({
    stanzaId: question.key.id,
    participant: scene.anaLid,
  })
  expect((await downloadMediaMessage(answer, 'buffer', {})).equals(bytes)).toBe(true)
})

test('what the client sends to the group is shown to every member', async () => {
  const sent = await scene.client.sock.sendMessage(chat, {
    image: bytes,
    caption: 'a rota',
    jpegThumbnail: '',
  })
  for (const member of [scene.ana, bia]) {
    const received = await until('the image', () => member.received()[0])
    expect(received).toMatchObject({
      id: sent!.key.id,
      chat: group.id,
      from: SHOP,
      kind: 'image',
      text: 'a rota',
    })
    expect(received.file!.bytes!.equals(bytes)).toBe(true)
  }
})

test('reactions, edits and deletions in a group name the author of what they change', async () => {
  const reactions: WAMessage['key'][] = []
  const changes: WAMessage['key'][] = []
  scene.client.sock.ev.on('messages.reaction', events => reactions.push(...events.map(({ key }) => key)))
  scene.client.sock.ev.on('messages.update', events => changes.push(...events.map(({ key }) => key)))
  const id = await scene.ana.write(group.id, 'às 15h')
  await until('it at Bia', () => bia.received().length === 1)
  await bia.react(group.id, id, '👍')
  await until('the reaction', () => reactions.length === 1)
  expect(reactions[0]).toMatchObject({ remoteJid: chat, id, fromMe: false, participant: scene.anaLid })
  await scene.ana.edit(group.id, id, 'às 16h', { form: 'plain' })
  await scene.ana.revoke(group.id, id)
  await until('the changes', () => changes.length === 2)
  for (const key of changes) expect(key).toMatchObject({ remoteJid: chat, id, participant: scene.anaLid })
})

test('a message in a group that the client cannot decrypt is asked for again and arrives', async () => {
  await withId(await scene.ana.write(group.id, 'primeira'))
  scene.server.faults.corrupt(SHOP)
  await withId(await scene.ana.write(group.id, 'estragada'))
  await withId(await scene.ana.write(group.id, 'depois'))
})

test('a client asks for a group, or for all of its groups', async () => {
  const metadata = await scene.client.sock.groupMetadata(chat)
  expect(metadata).toMatchObject({
    id: chat,
    subject: 'Entregas',
    owner: scene.anaLid,
    addressingMode: 'lid',
  })
  expect(metadata.participants).toMatchObject([
    { id: scene.anaLid, phoneNumber: scene.anaPn, admin: 'superadmin' },
    { id: `${bia.account.lid}@lid`, admin: null },
    { id: `${scene.phone.account.lid}@lid` },
  ])
  scene.server.addGroup('Sem a loja', [scene.ana, bia])
  expect(Object.keys(await scene.client.sock.groupFetchAllParticipating())).toEqual([chat])
})

test('a group that is not there, or is not for us, is refused', async () => {
  const other = scene.server.addGroup('Sem a loja', [scene.ana, bia])
  const ask = (id: string) => scene.client.sock.groupMetadata(`${id}@g.us`)
  await expect(ask('120363000000000000')).rejects.toMatchObject({ data: 404 })
  await expect(ask(other.id)).rejects.toMatchObject({ data: 403 })
})

test('another name, other members and a new group are told', async () => {
  const news: [string, unknown][] = []
  const { ev } = scene.client.sock
  ev.on('groups.update', ([update]) => news.push(['subject', update!.subject]))
  ev.on('group-participants.update', ({ action, participants }) => news.push([action, participants[0]!.id]))
  ev.on('groups.upsert', ([made]) => news.push(['new', made!.subject]))
  group.rename('Entregas SP')
  group.remove(bia)
  group.add(bia)
  scene.server.addGroup('Reunião', [scene.ana, scene.phone]).announce()
  await until('all four', () => news.length === 4)
  const biaLid = `${bia.account.lid}@lid`
  expect(news).toEqual(
    expect.arrayContaining([
      ['subject', 'Entregas SP'],
      ['remove', biaLid],
      ['add', biaLid],
      ['new', 'Reunião'],
    ]),
  )
})

test('who was put out of a group cannot write into it', async () => {
  group.remove(scene.phone)
  await expect(scene.client.say(chat, 'ainda estou aqui?')).rejects.toThrow('forbidden')
  group.remove(bia)
  const id = await bia.write(group.id, 'e eu?')
  expect(bia.statusOf(id)).toBe('error 403')
})

test('a status is heard by those it is for', async () => {
  const text = await withId(await scene.ana.post('promoção', [SHOP]))
  expect(text.key).toMatchObject({ remoteJid: 'status@broadcast', participant: scene.anaLid, fromMe: false })
  const image = await withId(await scene.ana.post({ image: bytes }, [SHOP, bia.number]))
  expect((await downloadMediaMessage(image, 'buffer', {})).equals(bytes)).toBe(true)
  await until('it at Bia', () => bia.received().length === 1)
  expect(bia.received()[0]).toMatchObject({ kind: 'image', chat: 'status@broadcast', from: ANA })
})

test('who types in a group is named', async () => {
  const { client, ana, phone } = scene
  const seen: [string, string[]][] = []
  client.sock.ev.on('presence.update', ({ id, presences }) => seen.push([id, Object.keys(presences)]))
  await client.sock.sendPresenceUpdate('available')
  await until('the client to be online', () => phone.companions()[0]!.isAvailable)
  ana.type(group.id, 'composing')
  await until('the typing', () => seen.length === 1)
  expect(seen).toEqual([[chat, [scene.anaLid]]])
  await client.sock.sendPresenceUpdate('recording', chat)
  await until('the recording', () => bia.typing().get(SHOP) === 'recording')
})

test('plain messages of many members arrive in order', async () => {
  for (let n = 0; n < 100; n++) await (n % 2 ? bia : scene.ana).write(group.id, `carga ${n}`, { plain: true })
  await until('all of them', () => scene.client.texts().length === 100)
  expect(scene.client.texts()).toEqual(Array.from({ length: 100 }, (_, n) => `carga ${n}`))
})

test('changes of a group arrive as stubs, with who made them', async () => {
  group.explain('Só avisos')
  group.restrict(true)
  group.promote(bia)
  group.leave(bia)
  const stubs = () => scene.client.messages.filter(({ messageStubType }) => messageStubType)
  await until('all of them', () => stubs().length === 4)
  const { StubType } = proto.WebMessageInfo
  expect(stubs().map(({ messageStubType, key }) => [messageStubType, key.participant])).toEqual([
    [StubType.GROUP_CHANGE_DESCRIPTION, scene.anaLid],
    [StubType.GROUP_CHANGE_ANNOUNCE, scene.anaLid],
    [StubType.GROUP_PARTICIPANT_PROMOTE, scene.anaLid],
    [StubType.GROUP_PARTICIPANT_LEAVE, `${bia.account.lid}@lid`],
  ])
  const { participants } = await scene.client.sock.groupMetadata(chat)
  expect(participants.map(({ id, admin }) => [id, admin])).toEqual([
    [scene.anaLid, 'superadmin'],
    [`${scene.phone.account.lid}@lid`, null],
  ])
})
