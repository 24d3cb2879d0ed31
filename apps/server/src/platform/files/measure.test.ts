import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodedPicture, mp3, opus, wav } from '../../../testing/encoded.ts'
import { countingMeter } from '../../../testing/meter.ts'
import { type Files, openFiles } from './files.ts'

let dataDir: string
let files: Files
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'balcao-measure-'))
  files = await openFiles({ s3: null, dataDir }, countingMeter().meter)
})
afterAll(() => rm(dataDir, { recursive: true }))

const measured = async (bytes: Buffer, name: string, type = '') => {
  const { seconds, width, height } = await files.put(1, bytes, { name, type, unknown: 'keep' })
  return { seconds, width, height }
}
const nothing = { seconds: null, width: null, height: null }

test.each(['jpeg', 'png', 'webp', 'gif'] as const)('a %s says how large it is', async form => {
  const bytes = await encodedPicture(form, 412, 97)
  expect(await measured(bytes, `foto.${form}`)).toEqual({ ...nothing, width: 412, height: 97 })
})

test('a photo that its camera laid on the side stands upright', async () => {
  const bytes = await encodedPicture('jpeg', 400, 300, { turned: true })
  expect(await measured(bytes, 'foto.jpg')).toEqual({ ...nothing, width: 300, height: 400 })
})

/** A tag of ID3 (version 2.4) of this length. */
const tag = (length: number) => {
  const head = Buffer.from('ID3\x04\0\0')
  return Buffer.concat([
    head,
    Buffer.from([0, length >> 14, (length >> 7) & 127, length & 127]),
    Buffer.alloc(length),
  ])
}
/** The first frame that encoders of changing bit rates write: 115 of 1,152 samples at 44.1 kHz are three seconds. */
const counted = (frames: number) => {
  const frame = Buffer.alloc(417)
  frame.write('fffb9064', 0, 'hex')
  frame.write('Xing', 36, 'latin1')
  frame.writeUInt32BE(1, 40)
  frame.writeUInt32BE(frames, 44)
  return frame
}

test.each([
  ['an MP3', 'a.mp3', () => mp3(3)],
  ['one that begins with its title and cover', 'a.mp3', () => Buffer.concat([tag(30_000), mp3(3)])],
  ['one that counts its frames', 'a.mp3', () => Buffer.concat([counted(115), mp3(9)])],
  ['a voice of Ogg/Opus', 'a.ogg', () => opus(3)],
  ['a WAV', 'a.wav', () => wav(3)],
])('%s says how long it is', async (_, name, make) => {
  expect(await measured(await make(), name, 'audio/x')).toEqual({ ...nothing, seconds: 3 })
})

describe('a film', () => {
  const number = (value: number, bytes = 4) => {
    const buffer = Buffer.alloc(bytes)
    buffer.writeUIntBE(value, Math.max(0, bytes - 6), Math.min(6, bytes))
    return buffer
  }
  const box = (name: string, ...content: Buffer[]) => {
    const inside = Buffer.concat(content)
    return Buffer.concat([number(8 + inside.length), Buffer.from(name), inside])
  }
  /** Written with the wide fields of version 1 or without. */
  const wide = (version: number, value: number) => number(value, version === 1 ? 8 : 4)
  const movie = (version: number, seconds: number) => {
    const times = [wide(version, 0), wide(version, 0), number(600), wide(version, seconds * 600)]
    return box('mvhd', number(version, 1), number(0, 3), ...times, Buffer.alloc(80))
  }
  const track = (version: number, width: number, height: number, [a, b]: number[]) => {
    const times = [wide(version, 0), wide(version, 0), number(1), number(0), wide(version, 0)]
    const matrix = [a!, b!, 0, 0, 0, 0, 0, 0, 0x40000000].map(value => number(value))
    const size = [number(width * 65_536), number(height * 65_536)]
    const head = [number(version, 1), number(0, 3), ...times, Buffer.alloc(16)]
    return box('trak', box('tkhd', ...head, ...matrix, ...size))
  }
  const upright = [65_536, 0]
  const start = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2'))
  const sound = (version: number) => track(version, 0, 0, upright)

  test.each([0, 1])('says its length and size, its index being at the end (version %i)', async version => {
    const index = box('moov', movie(version, 7), sound(version), track(version, 640, 360, upright))
    const bytes = Buffer.concat([start, box('mdat', Buffer.alloc(400_000)), index])
    expect(await measured(bytes, 'filme.mp4')).toEqual({ seconds: 7, width: 640, height: 360 })
  })

  test('that was taken with the phone held upright stands upright', async () => {
    const index = box('moov', movie(0, 2), track(0, 1920, 1080, [0, 65_536]))
    expect(await measured(Buffer.concat([start, index]), 'filme.mp4')).toMatchObject({
      width: 1080,
      height: 1920,
    })
  })

  test.each([
    ['breaks off', Buffer.concat([start, number(5_000), Buffer.from('moov'), Buffer.alloc(20)])],
    ['has a box without an end', Buffer.concat([start, number(1), Buffer.from('mdat'), number(0, 8)])],
    ['has a box smaller than its head', Buffer.concat([start, number(3), Buffer.from('mdat')])],
    ['has no index', start],
    ['has an index of nothing', Buffer.concat([start, box('moov', number(0, 9))])],
  ])('that %s is kept without', async (_, bytes) => {
    expect(await measured(bytes, 'filme.mp4')).toEqual(nothing)
  })
})

test.each([
  ['a picture that breaks off', (await encodedPicture('png')).subarray(0, 18), 'foto.png'],
  ['a photo of headers alone', Buffer.from('ffd8ffe0000400000000', 'hex'), 'foto.jpg'],
  ['a sound that is none', Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(99)]), 'a.mp3'],
  ['a document', Buffer.from('%PDF-1.4\n'), 'nota.pdf'],
])('%s is kept without', async (_, bytes, name) => {
  expect(await measured(bytes, name)).toEqual(nothing)
})
