import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'
import { Gone } from '../../../driver.ts'

let scene: Scene
const photo = randomBytes(200_003)

beforeAll(async () => {
  scene = await setScene({ phoneOnline: true })
})
afterAll(() => scene.end())
beforeEach(() => {
  scene.host.heard.length = 0
  scene.server.media.downloads.length = 0
})

async function receive(content: Parameters<Scene['ana']['write']>[1] = { image: photo }): Promise<string> {
  const id = await scene.ana.write(SHOP, content)
  const received = await until('the message', () => scene.host.messages().find(one => one.externalId === id))
  // The phone knows it too: a new upload may be requested.
  await until('the phone', () => scene.phone.received().some(one => one.id === id))
  return received.file!.source
}
const fetched = async (source: string) => buffer(await scene.session.download(source))

test.each([410, 404] as const)(
  'a file that the host answers with %i is uploaded again by the phone',
  async status => {
    const source = await receive()
    scene.server.media.expire(status)
    expect((await fetched(source)).equals(photo)).toBe(true)
  },
)

test('several that want the same lost file ask the phone once', async () => {
  const source = await receive()
  scene.server.media.expire()
  const all = await Promise.all([fetched(source), fetched(source), fetched(source)])
  expect(all.every(bytes => bytes.equals(photo))).toBe(true)
})

test('what comes damaged, other than it was, or broken off ends in an error; the next try brings it', async () => {
  const { media } = scene.server
  const source = await receive()
  media.spoil()
  await expect(fetched(source)).rejects.toThrow('the file')
  media.breakOff()
  await expect(fetched(source)).rejects.toThrow()
  expect((await fetched(source)).equals(photo)).toBe(true)
})

test('a file that is only looked into is not downloaded whole', async () => {
  const big = randomBytes(8_000_000)
  const source = await receive({ document: big, fileName: 'grande.bin' })
  const stream = await scene.session.download(source)
  const [first] = await stream.take(1).toArray()
  expect(big.subarray(0, first.length).equals(first)).toBe(true)
  stream.destroy()
  // The rest is not awaited: the next one is served at once.
  expect((await fetched(source)).equals(big)).toBe(true)
})

test('an address that a stranger wrote leads to WhatsApp or nowhere', async () => {
  const source = JSON.parse(await receive())
  for (const elsewhere of ['@evil.test/x', '.evil.test/x', ':8080@evil.test/']) {
    const led = JSON.stringify({ ...source, url: '', directPath: elsewhere })
    await expect(scene.session.download(led), elsewhere).rejects.toThrow()
  }
  for (const url of ['http://169.254.169.254/latest', 'https://127.0.0.1:1/x', 'file:///etc/passwd'])
    await expect(
      scene.session.download(JSON.stringify({ ...source, url, directPath: '' })),
    ).rejects.toBeInstanceOf(Gone)
  expect(scene.server.media.downloads).toEqual([])
  for (const nonsense of ['', '{', '{"kind":"file"}', 'null'])
    await expect(scene.session.download(nonsense)).rejects.toBeInstanceOf(Gone)
})

test('files that came while nobody was there are fetched when the session is back', async () => {
  await scene.ana.write(SHOP, 'Oi')
  await until('the first', () => scene.host.messages().length === 1)
  // unconfirmed events are sent once more
  await until('its receipt', () => ![...scene.host.rows.keys()].some(key => key.startsWith('inbox-journal')))
  await scene.session.close({ logout: false })
  const id = await scene.ana.write(SHOP, { voice: photo, seconds: 2 })
  const place = await scene.ana.write(SHOP, { location: { latitude: 1, longitude: 2 } })
  await scene.ana.react(SHOP, id, '😀')
  await scene.ana.edit(SHOP, place, 'x')
  await scene.reopen()
  await until('all of them', () => scene.host.heard.filter(({ kind }) => kind !== 'ack').length >= 5)
  const intake = scene.host.heard.filter(({ kind }) => !['ack', 'profile'].includes(kind))
  expect(intake.map(({ kind }) => kind)).toEqual(['message', 'message', 'message', 'reaction', 'edit'])
  const voice = scene.host.messages().find(({ externalId }) => externalId === id)!
  expect(voice.file).toMatchObject({ isVoice: true, seconds: 2 })
  expect((await fetched(voice.file!.source)).equals(photo)).toBe(true)
})

// the last one: from then on the phone has no files
test('a file that the phone has no more is gone', async () => {
  const source = await receive()
  scene.phone.deleteFiles()
  scene.server.media.expire()
  await expect(scene.session.download(source)).rejects.toBeInstanceOf(Gone)
})
