import { randomInt } from 'node:crypto'
import { MPEGDecoder } from 'mpg123-decoder'
import OpusScript from 'opusscript'
import type { VoiceNote } from '../../driver.content.ts'
import { bars } from './bars.ts'
import { FRAME, OPUS_RATE, oggWriter } from './ogg.ts'

/** Bits a second, as phones use for speech. */
const BITRATE = 24_000

/** Converts an MP3, in chunks, to the Ogg/Opus of a voice note. CPU-bound: run it in a worker. */
export interface Recoder {
  add(piece: Uint8Array): void
  /** Null when there was no sound in it. */
  end(): VoiceNote | null
}

export async function createRecoder(): Promise<Recoder> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  const frames = frameWriter()
  const resample = resampler(frames.put)
  return {
    add(piece) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(piece)
      if (samplesDecoded > 0) resample(mixed(channelData, samplesDecoded), sampleRate)
    },
    end() {
      decoder.free()
      return frames.end()
    },
  }
}

/** Encodes samples frame by frame. */
function frameWriter() {
  const encoder = new OpusScript(OPUS_RATE, 1, OpusScript.Application.VOIP)
  encoder.encoderCTL(4002, BITRATE)
  const ogg = oggWriter(randomInt(2 ** 32))
  const loudness: number[] = []
  const frame = Buffer.alloc(FRAME * 2)
  let filled = 0
  let samples = 0

  function flush() {
    loudness.push(loudnessOf(frame))
    ogg.add(encoder.encode(frame, FRAME))
    filled = 0
  }

  return {
    put(sample: number) {
      samples++
      frame.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), filled++ * 2)
      if (filled === FRAME) flush()
    },
    end(): VoiceNote | null {
      if (samples === 0) return null
      frame.fill(0, filled * 2)
      // One frame more than the sound has: the encoder looks ahead.
      flush()
      frame.fill(0)
      flush()
      encoder.delete()
      return { bytes: ogg.end(samples), seconds: Math.round(samples / OPUS_RATE), waveform: bars(loudness) }
    },
  }
}

/** Resamples to the rate of Opus: Catmull-Rom interpolation of the four samples around each position. */
function resampler(put: (sample: number) => void) {
  let spare = new Float32Array(0)
  let position = 0
  return (sound: Float32Array, rate: number) => {
    const known = new Float32Array(spare.length + sound.length)
    known.set(spare)
    known.set(sound, spare.length)
    const step = rate / OPUS_RATE
    for (; position + 3 < known.length; position += step) {
      const at = Math.floor(position)
      put(between(known[at]!, known[at + 1]!, known[at + 2]!, known[at + 3]!, position - at))
    }
    const used = Math.min(Math.floor(position), known.length)
    spare = known.slice(used)
    position -= used
  }
}

function mixed([left, right]: Float32Array[], length: number): Float32Array {
  if (!right) return left!.subarray(0, length)
  return Float32Array.from({ length }, (_, at) => (left![at]! + right[at]!) / 2)
}

function between(a: number, b: number, c: number, d: number, t: number): number {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
}

function loudnessOf(frame: Buffer): number {
  let sum = 0
  for (let at = 0; at < frame.length; at += 2) sum += frame.readInt16LE(at) ** 2
  return Math.sqrt(sum / FRAME)
}
