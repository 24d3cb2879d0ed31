import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Content } from '@balcao/whatsapp-server/contents.ts'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import type { Locator, Page } from '@playwright/test'
import { mp3, opus } from '../apps/server/testing/encoded.ts'
import { bubbles, newNumber } from './conversation.ts'
import { openStudio, spreadsheet } from './encoded.ts'
import { accept, connect, expect, test } from './whatsapp.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** All of a long conversation is on the screen at once, in as few pixels as show it beside the list. */
const TALL = { width: 1100, height: 4_600 }

interface Piece {
  name: string
  bytes: Buffer
  /** What the customer's phone sends. */
  content: Content
  /** It is there, and whole enough for the browser to show it. */
  opens(bubble: Locator): Promise<void>
  /** What comes back to the phone as. */
  back: string
}

async function showsPicture(bubble: Locator) {
  const image = bubble.locator('img')
  await expect(image).toBeVisible()
  await expect
    .poll(() => image.evaluate(shown => (shown as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
}

async function playsFilm(bubble: Locator) {
  await bubble.getByRole('button', { name: 'Reproduzir vídeo' }).click()
  const film = bubble.locator('video')
  const about = () =>
    film.evaluate(shown => {
      const { duration, videoWidth } = shown as HTMLVideoElement
      return duration > 0 && videoWidth === 320
    })
  await expect.poll(about).toBe(true)
}

async function playsSound(bubble: Locator) {
  await expect(bubble.getByText('0:03')).toBeVisible()
  await bubble.getByRole('button', { name: 'Reproduzir', exact: true }).click()
  await expect(bubble.getByRole('button', { name: 'Pausar' })).toBeVisible()
  // The player's own duration, known when the sound is decoded: not the whole seconds that the sender stated.
  const length = () => bubble.getByRole('slider').evaluate(bar => Number((bar as HTMLInputElement).max))
  await expect.poll(async () => Math.abs((await length()) - 3) < 0.2 && (await length()) !== 3).toBe(true)
}

const isListed = (name: string) => (bubble: Locator) => expect(bubble.getByText(name).first()).toBeVisible()

async function piecesOf(studio: Awaited<ReturnType<typeof openStudio>>): Promise<Piece[]> {
  const [jpeg, png, webp, sticker] = [
    await studio.picture('image/jpeg'),
    await studio.picture('image/png', 300, 500),
    await studio.picture('image/webp'),
    await studio.picture('image/webp', 512, 512),
  ]
  const [film, song, voice] = [await studio.film(), mp3(3), await opus(3)]
  const [paper, sheet] = [await studio.paper(), spreadsheet()]
  const image = (name: string, bytes: Buffer, type: string, width: number, height: number): Piece => ({
    name,
    bytes,
    content: { image: bytes, mimetype: type, width, height, caption: name },
    opens: showsPicture,
    back: 'image',
  })
  const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return [
    image('foto.jpg', jpeg, 'image/jpeg', 640, 360),
    image('captura.png', png, 'image/png', 300, 500),
    image('arte.webp', webp, 'image/webp', 640, 360),
    {
      name: 'filme.mp4',
      bytes: film,
      content: { video: film, seconds: 2, width: 320, height: 240 },
      opens: playsFilm,
      back: 'video',
    },
    {
      name: 'musica.mp3',
      bytes: song,
      content: { audio: song, mimetype: 'audio/mpeg', seconds: 3 },
      opens: playsSound,
      back: 'audio',
    },
    { name: 'voz.ogg', bytes: voice, content: { voice, seconds: 3 }, opens: playsSound, back: 'audio' },
    {
      name: 'Nota fiscal.pdf',
      bytes: paper,
      content: { document: paper, fileName: 'Nota fiscal.pdf', mimetype: 'application/pdf' },
      opens: isListed('Nota fiscal.pdf'),
      back: 'document',
    },
    {
      name: 'Preços.xlsx',
      bytes: sheet,
      content: { document: sheet, fileName: 'Preços.xlsx', mimetype: sheetType },
      opens: isListed('Preços.xlsx'),
      back: 'document',
    },
    { name: 'figurinha.webp', bytes: sticker, content: { sticker }, opens: showsPicture, back: 'image' },
  ]
}

/** Saves the file of a message as people do, by the menu beside it. */
async function save(page: Page, bubble: Locator): Promise<Buffer> {
  await bubble.hover()
  await bubble.locator('xpath=../..').getByRole('button', { name: 'Ações da mensagem' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /^Baixar / }).click()
  return readFile(await (await saved).path())
}

/** What the phone got of ours that is a file, oldest first. */
const filesAt = (phone: Phone) =>
  phone
    .received()
    .filter(({ kind, file }) => file && ['image', 'video', 'audio', 'voice', 'document'].includes(kind))

test('files of every kind go from the phone to the screen, to the disk, back by the composer and to the phone, byte for byte; a recording is stored as it was recorded, and is a voice message of Ogg/Opus on the phone [MSG-004, MSG-014, MSG-022, MSG-034]', async ({
  browser,
  people,
  whatsapp,
}) => {
  test.setTimeout(480_000)
  const studio = await openStudio(browser)
  const pieces = await piecesOf(studio)
  await studio.close()
  const helena = await people.admin()
  const shop = newNumber()
  const owner = await whatsapp.addPhone(shop, { name: 'Lume Arquivos' })
  await connect(helena, 'Arquivos', owner)
  const renata = await whatsapp.addPhone(newNumber(), { name: 'Renata Vasconcelos' })
  const marina = await people.attendant({ viewport: TALL })
  await renata.write(shop, 'Seguem os arquivos')
  await accept(marina, 'Renata Vasconcelos', 'Seguem os arquivos')

  for (const { content } of pieces) await renata.write(shop, content)
  await expect(bubbles(marina)).toHaveCount(1 + pieces.length, { timeout: 60_000 })
  const downloads: { name: string; mimeType: string; buffer: Buffer }[] = []
  for (const [at, { name, bytes, opens }] of pieces.entries()) {
    const bubble = bubbles(marina).nth(1 + at)
    await test.step(name, async () => {
      await opens(bubble)
      const buffer = await save(marina, bubble)
      expect(sha256(buffer), name).toBe(sha256(bytes))
      downloads.push({ name, mimeType: '', buffer })
    })
  }

  await marina.locator('[data-attach]').setInputFiles(downloads)
  await expect(marina.getByRole('list', { name: 'Arquivos a enviar' }).getByRole('listitem')).toHaveCount(
    pieces.length,
  )
  await marina.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect.poll(() => filesAt(renata).length, { timeout: 60_000 }).toBe(pieces.length)
  expect(filesAt(renata).map(({ kind, file }) => [kind, file?.problem, sha256(file!.bytes!)])).toEqual(
    pieces.map(({ back, bytes }) => [back, undefined, sha256(bytes)]),
  )
  await expect(bubbles(marina).locator('[data-ack="3"]')).toHaveCount(pieces.length, { timeout: 60_000 })
  const [photo, screen, , film, song, voice, paper] = filesAt(renata).map(({ file }) => file!)
  expect([photo!.width, photo!.height, photo!.mimetype]).toEqual([640, 360, 'image/jpeg'])
  expect([screen!.width, screen!.height, screen!.mimetype]).toEqual([300, 500, 'image/png'])
  expect([film!.width, film!.height, film!.mimetype]).toEqual([320, 240, 'video/mp4'])
  expect([song!.seconds, song!.mimetype]).toEqual([3, 'audio/mpeg'])
  expect([voice!.seconds, voice!.mimetype]).toEqual([3, 'audio/ogg; codecs=opus'])
  expect([paper!.fileName, paper!.mimetype]).toEqual(['Nota fiscal.pdf', 'application/pdf'])

  await marina.context().grantPermissions(['microphone'])
  await marina.getByRole('button', { name: 'Gravar áudio' }).click()
  await expect(marina.getByRole('group', { name: 'Gravando' })).toContainText(/0:(0[2-9]|[1-5]\d)/)
  await marina.getByRole('button', { name: 'Enviar áudio' }).click()
  await expect.poll(() => filesAt(renata).length, { timeout: 60_000 }).toBe(1 + pieces.length)
  const { kind, file } = filesAt(renata).at(-1)!
  expect([kind, file!.mimetype, file!.problem]).toEqual(['voice', 'audio/ogg; codecs=opus', undefined])
  expect(file!.bytes!.toString('latin1', 0, 4)).toBe('OggS')
  expect(file!.seconds).toBeGreaterThanOrEqual(1)
  expect(new Set(file!.waveform).size).toBeGreaterThan(3)

  await expect(bubbles(marina).locator('[data-ack="3"]')).toHaveCount(1 + pieces.length)
  await marina.reload()
  const stored = await save(marina, bubbles(marina).last())
  // a frame of MPEG layer 3 begins with eleven ones, a tag may precede it; its third byte means 128 kbit/s
  const frame = stored.findIndex((byte, at) => byte === 0xff && (stored[at + 1]! & 0xe6) === 0xe2)
  expect((stored[frame + 2] ?? 0) >> 4).toBe((stored[frame + 1]! & 0x08) > 0 ? 9 : 12)
  expect(whatsapp.unknown).toEqual([])
})
