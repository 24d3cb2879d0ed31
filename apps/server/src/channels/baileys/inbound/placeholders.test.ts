import { until } from '@balcao/whatsapp-server/wait.ts'
import { proto } from 'baileys'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ANA, openHost, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'
import { UnreadMessages } from './placeholders.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.end())

const withId = (id: string) => scene.host.messages().filter(({ externalId }) => externalId === id)
const kindsOf = (id: string) => withId(id).map(({ mediaType, body }) => [mediaType, body])
const waiting = () => [...scene.host.rows.keys()].filter(key => key.startsWith('waiting-message '))
const LEAD = { ad: { title: 'Bolos', body: 'de festa', url: 'https://ad.test/' } }

test('the first message after an advertisement is a placeholder until the phone resends it', async () => {
  const id = await scene.ana.write(SHOP, 'Quero', { ...LEAD, withheld: true })
  await until('the placeholder', () => withId(id).length === 1)
  expect(withId(id)[0]).toMatchObject({
    mediaType: 'ciphertext',
    body: '',
    name: 'Ana',
    fromMe: false,
    chat: { kind: 'lid', value: scene.ana.account.lid, also: { kind: 'phone', value: ANA } },
  })
  expect(waiting()).toHaveLength(1)
  scene.phone.goOnline()
  await until('the content', () => withId(id).length === 2, 15_000)
  expect(withId(id)[1]).toMatchObject({
    mediaType: null,
    body: 'Quero',
    referral: { sourceUrl: 'https://ad.test/' },
  })
  await until('no row of it', () => waiting().length === 0)
  expect(scene.host.counted.filter(what => what !== 'about another message')).toEqual([
    'placeholder',
    'replaced',
  ])
  scene.phone.goOffline()
})

test('what a process that died did not record is recorded by the next one, once; what may come is asked for', async () => {
  scene.host.fault = what => {
    if (what === 'hear') throw new Error('the database is down')
  }
  const once = await scene.ana.send(SHOP, { conversation: 'x' }, { withheld: 'view_once_unavailable_fanout' })
  const seen = await scene.ana.write(SHOP, { image: Buffer.from('x') }, { viewOnce: true })
  const id = await scene.ana.write(SHOP, 'Oi', { withheld: true })
  await until('their rows', () => waiting().length === 3 && scene.server.owed(SHOP) === 0)
  await scene.session.close({ logout: false })
  scene.host.fault = () => {}
  await scene.reopen()
  await until('all three', () => [once, seen, id].every(one => withId(one).length > 0))
  await until('one row', () => waiting().length === 1)
  await scene.reopen()
  const next = await scene.ana.write(SHOP, 'fim')
  await until('the next message', () => withId(next).length === 1)
  expect([once, seen, id].map(kindsOf)).toEqual([
    [['viewOnceMessage', '']],
    [['viewOnceMessage', '']],
    [['ciphertext', '']],
  ])
  scene.phone.goOnline()
  await scene.reopen()
  await until('the content', () => withId(id).some(({ body }) => body === 'Oi'), 15_000)
  await until('no row of it', () => waiting().length === 0)
  scene.phone.goOffline()
})

test('what only phones show, and what is too old to be asked for, is a placeholder that waits for nothing', async () => {
  const hosted = await scene.ana.send(SHOP, { conversation: 'x' }, { withheld: 'hosted_unavailable_fanout' })
  const once = await scene.ana.send(SHOP, { conversation: 'x' }, { withheld: 'view_once_unavailable_fanout' })
  await until('both', () => withId(hosted).length + withId(once).length === 2)
  expect([...kindsOf(hosted), ...kindsOf(once)]).toEqual([
    ['ciphertext', ''],
    ['viewOnceMessage', ''],
  ])
  await until('no row of them', () => waiting().length === 0)
})

test('an edit, a reaction or a deletion that cannot be decrypted shows no trace', async () => {
  const id = await scene.ana.write(SHOP, 'um')
  await until('the message', () => withId(id).length === 1)
  const from = scene.host.messages().length
  for (const change of [
    () => scene.ana.edit(SHOP, id, 'dois'),
    () => scene.ana.react(SHOP, id, '👍'),
    () => scene.ana.revoke(SHOP, id),
  ]) {
    scene.server.faults.corrupt(SHOP)
    await change()
  }
  await until(
    'all three',
    () => scene.host.heard.filter(one => 'target' in one && one.target.externalId === id).length === 3,
  )
  expect(scene.host.messages().slice(from)).toEqual([])
})

test('a better copy that could not be decrypted at first leaves no placeholder beside its photo', async () => {
  const photo = await scene.ana.write(SHOP, { image: Buffer.from('small') })
  await until('the photo', () => withId(photo).length === 1)
  for (const how of ['hd', 'motion'] as const) {
    scene.server.faults.corrupt(SHOP)
    const id = await scene.ana.attach(SHOP, photo, { image: Buffer.from('large') }, how)
    await until('its placeholder', () => withId(id).length === 1)
    const withdrawn = () =>
      scene.host.heard.some(one => one.kind === 'nothing' && one.externalId === id && !one.fromMe)
    await until('the withdrawal', withdrawn, 15_000)
  }
  expect(withId(photo).map(({ isBetter }) => isBetter)).toEqual([undefined, true])
  await until('no row', () => waiting().length === 0)
})

test('a stanza that cannot be written down is delivered again', async () => {
  let isAway = true
  scene.host.fault = what => {
    if (what === 'write' && isAway) throw new Error('the database is down')
  }
  const id = await scene.ana.write(SHOP, 'Oi', { withheld: true })
  await until('a broken line', () => scene.host.states.at(-1) === 'OPENING')
  isAway = false
  await until('the placeholder', () => withId(id).length === 1, 15_000)
  scene.host.fault = () => {}
})

const stanza = (attrs: Record<string, string>) => {
  const t = String(Math.floor(Date.now() / 1_000))
  const content = [{ tag: 'unavailable', attrs: {} }]
  return { tag: 'message', attrs: { t, type: 'text', ...attrs }, content }
}
function openUnread() {
  const me = () => ({ id: `${SHOP}@s.whatsapp.net`, lid: '1@lid' })
  const rows = openHost().keys
  return { rows, unread: new UnreadMessages({ rows, me, log: pino({ level: 'silent' }) }) }
}

test('of many that wait the phone is asked for some in each turn, and for each', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { unread } = openUnread()
  for (let n = 0; n < 25; n++) await unread.note(stanza({ id: `A${n}`, from: '7@lid' }))
  const asked: unknown[] = []
  const stop = unread.follow({ requestPlaceholderResend: async ({ id }) => `${asked.push(id)}` })
  await until('the first turn', () => asked.length === 20)
  vi.advanceTimersByTime(600_000)
  await until('the second', () => asked.length === 25)
  stop()
  vi.useRealTimers()
  expect(new Set(asked).size).toBe(25)
})

test('a status that comes without its content is nothing, and a resent message is in the chat of its placeholder', async () => {
  const { rows, unread } = openUnread()
  const status = stanza({ id: 'S', from: 'status@broadcast', participant: '7@lid' })
  await unread.note(status)
  expect([unread.passedOver(status), await rows.readAll('waiting-message')]).toEqual([null, new Map()])
  await unread.note(stanza({ id: 'A', from: '7@lid' }))
  const info = { key: { id: 'A', remoteJid: `${ANA}@s.whatsapp.net` }, message: { conversation: 'Oi' } }
  const webMessageInfoBytes = proto.WebMessageInfo.encode(info).finish()
  const peerDataOperationResult = [{ placeholderMessageResendResponse: { webMessageInfoBytes } }]
  const [resent] = unread.resentIn({
    key: { fromMe: true },
    message: { protocolMessage: { peerDataOperationRequestResponseMessage: { peerDataOperationResult } } },
  })!
  expect(resent).toMatchObject({ key: { id: 'A', remoteJid: '7@lid' }, message: { conversation: 'Oi' } })
})
