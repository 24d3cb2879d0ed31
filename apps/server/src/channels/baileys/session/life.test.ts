import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})
afterEach(() => scene.end())

const chat = () => ({ kind: 'lid' as const, value: scene.ana.account.lid })
const whole = () => ({ ...chat(), also: { kind: 'phone', value: ANA } })
const notes = () => scene.host.messages().filter(({ mediaType }) => mediaType === 'call_log')
const rowsOf = (type: string) => [...scene.host.rows.keys()].filter(key => key.startsWith(`${type} `))

test.each(['timeout', 'terminate'] as const)(
  'a call that ends by %s without an answer was missed, once',
  async how => {
    const call = scene.ana.call(SHOP, { video: how === 'timeout' })
    call.end(how)
    call.end('terminate')
    await scene.ana.write(SHOP, 'Liguei')
    await until('the text', () => scene.host.messages().some(({ body }) => body === 'Liguei'))
    await until('the note', () => notes().length > 0)
    expect(notes()).toMatchObject([
      {
        chat: whole(),
        externalId: call.id,
        fromMe: false,
        mediaType: 'call_log',
        body: '',
        data: { isVideo: how === 'timeout' },
      },
    ])
    await until('it to be forgotten', () => rowsOf('ringing-call').length === 0)
  },
)

test.each(['accept', 'reject'] as const)(
  'a call that the owner answers by %s on the phone was not missed',
  async how => {
    scene.phone.goOnline()
    const call = scene.ana.call(SHOP)
    await until('the ringing', () => scene.phone.calls().length === 1)
    await until('the ringing here', () => rowsOf('ringing-call').length === 1)
    scene.phone.answer(call.id, how)
    await until('it to be forgotten', () => rowsOf('ringing-call').length === 0)
    call.end('terminate')
    const id = await scene.ana.write(SHOP, 'Liguei')
    await until('the text', () => scene.host.messages().some(({ externalId }) => externalId === id))
    expect(notes()).toEqual([])
  },
)

test('a call that was missed while the session was closed is told when it opens, once', async () => {
  const ringing = scene.ana.call(SHOP)
  await until('the ringing', () => rowsOf('ringing-call').length === 1)
  await scene.session.close({ logout: false })
  ringing.end('timeout')
  const other = scene.ana.call(SHOP)
  other.end('terminate')
  await scene.reopen()
  await until('both', () => notes().length >= 2)
  expect(notes().map(({ externalId }) => externalId)).toEqual([ringing.id, other.id])
})

test('a call whose end nobody heard was missed', async () => {
  const row = { chat: chat(), name: '', isVideo: true, at: new Date(Date.now() - 600_000).toISOString() }
  scene.host.rows.set('ringing-call LOST', JSON.stringify(row))
  await scene.reopen()
  await until('the note', () => notes().length === 1)
  expect(notes()[0]).toMatchObject({ externalId: 'LOST', chat: chat(), at: row.at })
  await until('it to be forgotten', () => rowsOf('ringing-call').length === 0)
})

test('what an attendant types is shown to the customer, and what the customer types to the attendant', async () => {
  await scene.ana.write(SHOP, 'Oi')
  await until('the message', () => scene.host.messages().length === 1)
  for (const state of ['composing', 'recording', 'paused'] as const) {
    await scene.session.type(chat(), state)
    await until(state, () => scene.ana.typing().get(SHOP) === state)
  }
  await until('the session to be online', () => scene.phone.companions()[0]!.isAvailable)
  for (const state of ['composing', 'recording', 'paused'] as const) scene.ana.type(SHOP, state)
  await until('all three', () => scene.host.typed.length >= 3)
  expect(scene.host.typed).toEqual(
    ['composing', 'recording', 'paused'].map(state => ({ chat: whole(), state })),
  )
})

test('while nobody attends, the session is not online and the phone of the owner stays loud', async () => {
  scene.ana.watch(SHOP)
  await scene.ana.write(SHOP, 'Oi')
  expect((await scene.say('Olá')).outcome).toEqual({ is: 'sent' })
  expect(scene.ana.presences().get(SHOP)).toBe('unavailable')
  const { externalId } = await until('the message', () => scene.host.messages()[0])
  await scene.session.markRead(chat(), [{ externalId, fromMe: false }])
  await until('it to be online', () => scene.ana.presences().get(SHOP) === 'available')
})

test('the picture of who writes is told once, again when it changes, and when it is taken away', async () => {
  const pictures = () => scene.host.heard.filter(one => one.kind === 'profile')
  const first = randomBytes(3_000)
  scene.ana.setPicture(first)
  for (const text of ['um', 'dois']) await scene.ana.write(SHOP, text)
  await until('the picture', () => pictures().length === 1)
  const [{ picture, chat: whose }] = pictures() as [ReturnType<typeof pictures>[0]]
  expect(whose).toEqual(whole())
  expect((await buffer(await scene.session.download(picture!.source))).equals(first)).toBe(true)
  await until('it to be remembered', () => rowsOf('profile-picture').length === 1)
  await scene.reopen()
  await scene.ana.write(SHOP, 'três')
  await until('the text', () => scene.host.messages().length === 3)
  const second = randomBytes(3_000)
  scene.ana.setPicture(second)
  await until('the other', () => pictures().length === 2)
  const source = pictures()[1]!.picture!.source
  expect((await buffer(await scene.session.download(source))).equals(second)).toBe(true)
  scene.ana.setPicture(undefined)
  await until('none', () => pictures().length === 3)
  expect(pictures()[2]).toMatchObject({ chat: whole(), picture: null })
})

test('who hides the picture is left in peace', async () => {
  scene.ana.setPicture(randomBytes(10), { hidden: true })
  await scene.ana.write(SHOP, 'Oi')
  await until('the message', () => scene.host.messages().length === 1)
  expect((await scene.say('Olá')).outcome).toEqual({ is: 'sent' })
  expect(scene.host.heard.filter(({ kind }) => kind === 'profile')).toEqual([])
})

test('a number that hid behind its LID becomes known', async () => {
  const eva = await scene.server.addPhone('5511933333333', { name: 'Eva', isHidden: true })
  await eva.write(SHOP, 'quem sou?')
  const first = await until('the message', () => scene.host.messages()[0])
  expect(first.chat).toEqual({ kind: 'lid', value: eva.account.lid })
  eva.reveal()
  const identity = await until('the identity', () => scene.host.heard.find(({ kind }) => kind === 'identity'))
  expect(identity.chat).toEqual({
    kind: 'lid',
    value: eva.account.lid,
    also: { kind: 'phone', value: eva.number },
  })
})
