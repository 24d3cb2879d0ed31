import { randomBytes } from 'node:crypto'
import type { EditOptions } from '@balcao/whatsapp-server/phone.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from '../../../../../testing/whatsapp.ts'

let scene: Scene
let bia: Awaited<ReturnType<Scene['server']['addPhone']>>
let group: { id: string }

beforeAll(async () => {
  scene = await setScene()
  bia = await scene.server.addPhone('5511922222222', { name: 'Bia' })
  group = scene.server.addGroup('Entregas', [scene.phone, scene.ana, bia])
})
afterAll(() => scene.end())

/** The edits of a message, as the application receives them. */
const editsOf = (id: string) =>
  scene.host.heard.filter(one => one.kind === 'edit').filter(({ target }) => target.externalId === id)
const textsOf = (id: string) => editsOf(id).map(({ body }) => body)
const heard = (id: string) =>
  until('the message', () => scene.host.messages().find(({ externalId }) => externalId === id))
const rowsOf = (type: string) => [...scene.host.rows.keys()].filter(key => key.startsWith(`${type} `))

test.each<[string, EditOptions]>([
  ['of today, under its LID', {}],
  ['of today, under its number', { names: ['pn', 'pn'] }],
  ['of today, the author under the LID and the editor under the number', { names: ['lid', 'pn'] }],
  ['of today, the author under the number and the editor under the LID', { names: ['pn', 'lid'] }],
  ['of former times', { form: 'plain' }],
])('an edit %s changes the text', async (_, how) => {
  const id = await scene.ana.write(SHOP, 'R$ 500')
  await scene.ana.edit(SHOP, id, 'R$ 50', how)
  await scene.ana.edit(SHOP, id, 'R$ 55', how)
  await until('both', () => textsOf(id).length === 2)
  expect(textsOf(id)).toEqual(['R$ 50', 'R$ 55'])
})

test('an edit by hand, of what was typed there or sent from here, changes the text', async () => {
  scene.phone.goOnline()
  const typed = await scene.phone.write(ANA, 'Fechamos às 18h')
  await scene.phone.edit(ANA, typed, 'Fechamos às 19h')
  const { id: ours } = await scene.say('R$ 30')
  await until('it on the phone', () => scene.phone.received().some(one => one.id === ours))
  await scene.phone.edit(ANA, ours, 'R$ 35')
  await until('both', () => textsOf(typed).length === 1 && textsOf(ours).length === 1)
  expect([...editsOf(typed), ...editsOf(ours)]).toMatchObject([
    { fromMe: true, target: { externalId: typed, fromMe: true }, body: 'Fechamos às 19h' },
    { fromMe: true, target: { externalId: ours, fromMe: true }, body: 'R$ 35' },
  ])
  scene.phone.goOffline()
})

test('an edit that precedes its message is read when the message arrives, after a start of the session too', async () => {
  const id = await scene.ana.write(SHOP, 'R$ 500', { withheld: true })
  await scene.ana.edit(SHOP, id, 'R$ 50')
  await until('the edit', () => textsOf(id).length === 1)
  expect(textsOf(id)).toEqual([null])
  await scene.reopen()
  scene.phone.goOnline()
  await until('the text', () => textsOf(id).length >= 2, 15_000)
  expect(textsOf(id)).toEqual([null, 'R$ 50'])
  expect((await until('it', () => scene.host.messages().findLast(one => one.externalId === id))).body).toBe(
    'R$ 500',
  )
  await until(
    'no row of it',
    () => rowsOf('sealed-edit').length === 0 && rowsOf('waiting-message').length === 0,
  )
  scene.phone.goOffline()
})

test('a caption of a photo and of its better copy is that of the photo', async () => {
  const id = await scene.ana.write(SHOP, { image: randomBytes(10), caption: 'este' })
  await scene.ana.edit(SHOP, id, 'ou este')
  await until('the edit', () => textsOf(id).length === 1)
  expect(textsOf(id)).toEqual(['ou este'])
})

test('a better copy names its photo, an album its frame, and the film of a moving photo is dropped', async () => {
  scene.phone.goOnline()
  const bytes = randomBytes(30)
  for (const by of [scene.ana, scene.phone]) {
    const to = by === scene.ana ? SHOP : ANA
    const photo = await by.write(to, { image: randomBytes(10) })
    await by.attach(to, photo, { image: bytes }, 'hd')
    await by.attach(to, photo, { video: bytes }, 'motion')
    const album = await by.album(to, [{ image: bytes }, { video: bytes }])
    await until('the album', () => scene.host.messages().some(one => one.externalId === album.parts[1]))
    const copies = scene.host.messages().filter(one => one.externalId === photo)
    expect(copies.map(({ isBetter, file }) => [isBetter, file?.size])).toEqual([
      [undefined, 10],
      [true, 30],
    ])
    const parts = scene.host.messages().filter(one => album.parts.includes(one.externalId))
    expect(parts.map(({ data }) => data)).toEqual([{ album: album.id }, { album: album.id }])
    await scene.ana.write(SHOP, 'fim')
  }
  const seen = scene.host
    .messages()
    .filter(({ mediaType }) => mediaType === 'video' || mediaType === 'albumMessage')
  expect(seen).toHaveLength(2)
  expect(scene.host.counted.filter(what => what === 'motion photo')).toHaveLength(2)
  scene.phone.goOffline()
})

test('what cannot be decrypted is reported without a text, and what is malformed not at all', async () => {
  const id = await scene.ana.write(SHOP, 'R$ 500')
  await heard(id)
  const key = { remoteJid: 'x@lid', fromMe: true, id }
  const sealed = (encIv: Buffer, encPayload = randomBytes(40)) =>
    scene.ana.send(SHOP, {
      secretEncryptedMessage: { targetMessageKey: key, encIv, encPayload, secretEncType: 2 },
    })
  await sealed(randomBytes(16))
  await sealed(randomBytes(12), randomBytes(16))
  await sealed(randomBytes(12))
  await heard(await scene.ana.write(SHOP, 'fim'))
  expect(textsOf(id)).toEqual([null])
})

test('nobody edits what another member of a group wrote, however it is encrypted', async () => {
  const id = await scene.ana.write(group.id, 'R$ 500')
  await until('it at Bia', () => bia.received().some(one => one.id === id))
  await bia.edit(group.id, id, 'R$ 1')
  await scene.ana.edit(group.id, id, 'R$ 50')
  await until('both', () => textsOf(id).length === 2)
  expect(editsOf(id).map(({ body, name }) => [name, body])).toEqual([
    ['Bia', null],
    ['Ana', 'R$ 50'],
  ])
})

test('an id that strangers choose is a key of a row as far as the database takes it', async () => {
  const odd = `A\0B${'x'.repeat(400)}`
  const id = await scene.ana.write(SHOP, 'um', { id: odd })
  await scene.ana.edit(SHOP, id, 'dois')
  await scene.ana.write(SHOP, 'três', { id: `${odd}2`, withheld: true })
  await heard(await scene.ana.write(SHOP, 'fim'))
  const last = scene.host.heard.filter(one => one.kind === 'edit').at(-1)
  expect(last).toMatchObject({ body: 'dois' })
  expect([...scene.host.rows.keys()].filter(key => key.includes('\0') || key.length > 400)).toEqual([])
})

test('secrets of messages are passing rows, of what can be edited only', async () => {
  const before = rowsOf('message-secret').length
  await heard(await scene.ana.write(SHOP, 'um texto'))
  await heard(await scene.ana.write(SHOP, { sticker: randomBytes(10) }))
  expect(rowsOf('message-secret').length).toBe(before + 1)
})

const reactionsOn = (id: string) =>
  scene.host.heard.filter(one => one.kind === 'reaction').filter(({ target }) => target.externalId === id)

test('encrypted reactions and comments of a community are read, on what others and the company wrote', async () => {
  scene.phone.goOnline()
  const before = scene.host.counted.length
  const { id: ours } = await scene.say('Aviso', { kind: 'group', value: group.id.split('@')[0]! })
  const theirs = await scene.ana.write(group.id, { audio: randomBytes(10) })
  await until('both', () => [ours, theirs].every(id => bia.received().some(one => one.id === id)))
  await bia.answers.react(group.id, ours, '👍')
  await bia.answers.react(group.id, theirs, '🎉', ['pn', 'pn'])
  await scene.ana.answers.react(group.id, theirs, '😂')
  const comment = await bia.answers.comment(group.id, theirs, 'Até amanhã')
  await until('all', () => reactionsOn(theirs).length === 2 && reactionsOn(ours).length === 1)
  expect([...reactionsOn(ours), ...reactionsOn(theirs)]).toMatchObject([
    { emoji: '👍', fromMe: false, author: { name: 'Bia' }, target: { fromMe: true } },
    { emoji: '🎉', author: { name: 'Bia' }, target: { fromMe: false } },
    { emoji: '😂', author: { name: 'Ana' }, target: { fromMe: false } },
  ])
  expect(await heard(comment)).toMatchObject({
    ...{ body: 'Até amanhã', mediaType: null, quotedExternalId: theirs, author: { name: 'Bia' } },
  })
  await heard(await scene.ana.write(group.id, 'fim'))
  expect(scene.host.counted.slice(before)).not.toContain('placeholder')
  scene.phone.goOffline()
})

test('an encrypted reaction on what is not here is only counted', async () => {
  const id = await scene.ana.write(group.id, 'antes')
  await until('it', () => bia.received().some(one => one.id === id))
  await heard(id)
  for (const key of rowsOf('message-secret')) if (key.includes(id)) scene.host.rows.delete(key)
  const before = scene.host.counted.length
  await bia.answers.react(group.id, id, '👍')
  await until('the count', () => scene.host.counted.length > before)
  expect(scene.host.counted.at(-1)).toBe('about another message')
  expect(reactionsOn(id)).toEqual([])
})

test('an event that is changed or cancelled says what it is now, also of the company, after a start of the session', async () => {
  scene.phone.goOnline()
  const festa = { name: 'Festa', startTime: 1_782_324_000 }
  const theirs = await scene.ana.write(SHOP, { event: { name: 'Festa', startsAt: 1_782_324_000 } })
  const typed = await scene.phone.write(ANA, { event: { name: 'Feira', startsAt: 1_782_324_000 } })
  await heard(theirs)
  await heard(typed)
  await scene.ana.answers.changeEvent(SHOP, theirs, { ...festa, location: { name: 'Sede' } })
  for (const key of rowsOf('message-secret')) scene.host.rows.delete(key)
  await scene.reopen()
  await scene.ana.answers.changeEvent(SHOP, theirs, { ...festa, isCanceled: true })
  await scene.phone.answers.changeEvent(ANA, typed, { name: 'Feira', description: 'Com música' })
  await until('all', () => editsOf(theirs).length === 2 && editsOf(typed).length === 1)
  expect([...editsOf(theirs), ...editsOf(typed)]).toMatchObject([
    { body: 'Festa', data: { place: 'Sede', isCanceled: false, startsAt: '2026-06-24T18:00:00.000Z' } },
    { body: 'Festa', data: { place: '', isCanceled: true } },
    { fromMe: true, body: 'Feira\nCom música', data: { startsAt: null } },
  ])
  scene.phone.goOffline()
})
