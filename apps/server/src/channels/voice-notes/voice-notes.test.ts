import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { VoiceNote } from '../../driver.content.ts'
import { openVoiceNotes } from './voice-notes.ts'

/** MPEG 1, layer 3, 32 kbit/s, mono, 44.1 kHz: a frame of silence, and so many of them. */
const FRAME = Buffer.concat([Buffer.from([0xff, 0xfb, 0x10, 0xc0]), Buffer.alloc(100)])
const silence = (frames: number) => async () =>
  Readable.from(
    Array.from({ length: Math.ceil(frames / 100) }, () =>
      Buffer.concat(Array(Math.min(100, frames)).fill(FRAME)),
    ),
  )

const recording = (companyId: number, frames: number) => ({
  companyId,
  type: 'audio/mpeg',
  open: silence(frames),
})
const SHORT = 40
/** Three megabytes, twelve minutes. */
const LONG = 28_800

test('a recording that takes too long is no voice message, and its worker ends with its time', async () => {
  const { voiceNote: convert } = openVoiceNotes({ recodeMs: 300, waitMs: 10_000 })
  const start = performance.now()
  expect(await convert(recording(1, LONG))).toBeNull()
  expect(performance.now() - start).toBeLessThan(3_000)
})

test('a voice message that is one is drawn as loud as it is; what cannot be read is not', async () => {
  const { voiceNote, waveform } = openVoiceNotes({ recodeMs: 10_000, waitMs: 10_000 })
  const { bytes } = (await voiceNote(recording(1, SHORT))) as VoiceNote
  const opus = { companyId: 1, type: 'audio/ogg; codecs=opus', open: async () => Readable.from([bytes]) }
  expect(await voiceNote(opus)).toBe('as it is')
  const drawn = await waveform(opus)
  expect([drawn?.seconds, drawn?.waveform.length]).toEqual([1, 64])
  expect(await waveform({ ...opus, open: async () => Readable.from([Buffer.alloc(10_000, 7)]) })).toBeNull()
})

test('one that cannot be read is none; a file that breaks off is an error', async () => {
  const { voiceNote: convert } = openVoiceNotes({ recodeMs: 10_000, waitMs: 10_000 })
  const bytes = async () => Readable.from([Buffer.alloc(10_000, 7)])
  expect(await convert({ companyId: 1, type: 'audio/mpeg', open: bytes })).toBeNull()
  async function* breaking() {
    yield FRAME
    throw new Error('the store is away')
  }
  const broken = async () => Readable.from(breaking())
  await expect(convert({ companyId: 1, type: 'audio/mpeg', open: broken })).rejects.toThrow(
    'the store is away',
  )
})

test('of many recordings of one company another waits for two at most', async () => {
  const { voiceNote: convert } = openVoiceNotes({ recodeMs: 10_000, waitMs: 10_000 })
  const begun: number[] = []
  const ask = (companyId: number) => {
    const open = () => {
      begun.push(companyId)
      return Promise.reject(new Error('only its turn counts here'))
    }
    return convert({ companyId, type: 'audio/mpeg', open }).catch(() => null)
  }
  await Promise.all([1, 1, 1, 1, 2].map(ask))
  expect(begun).toHaveLength(5)
  expect(begun.indexOf(2)).toBeLessThanOrEqual(2)
})

test('who waits too long for his turn is sent as he is', async () => {
  const { voiceNote: convert } = openVoiceNotes({ recodeMs: 600, waitMs: 100 })
  const first = convert(recording(1, LONG))
  expect(await convert(recording(1, SHORT))).toBeNull()
  await first
})
