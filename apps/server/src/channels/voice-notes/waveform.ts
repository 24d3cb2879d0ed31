import { OggOpusDecoder } from 'ogg-opus-decoder'
import type { Waveform } from '../../driver.content.ts'
import { bars } from './bars.ts'
import { FRAME, OPUS_RATE } from './ogg.ts'

/** Reads Ogg/Opus, in chunks, to draw it. CPU-bound: run it in a worker. */
export interface WaveformReader {
  add(piece: Uint8Array): Promise<void>
  /** Null when there was no sound in it. */
  end(): Promise<Waveform | null>
}

export async function createWaveformReader(): Promise<WaveformReader> {
  const decoder = new OggOpusDecoder()
  await decoder.ready
  const loudness: number[] = []
  let samples = 0
  let filled = 0
  let squares = 0

  function measure(sound: Float32Array | undefined, length: number) {
    samples += length
    for (let at = 0; at < length; at++) {
      squares += (sound?.[at] ?? 0) ** 2
      if (++filled < FRAME) continue
      loudness.push(Math.sqrt(squares / FRAME) * 32_767)
      filled = 0
      squares = 0
    }
  }

  return {
    async add(piece) {
      const { channelData, samplesDecoded } = await decoder.decode(piece)
      measure(channelData[0], samplesDecoded)
    },
    async end() {
      const { channelData, samplesDecoded } = await decoder.flush()
      measure(channelData[0], samplesDecoded)
      decoder.free()
      if (loudness.length === 0) return null
      return { seconds: Math.round(samples / OPUS_RATE), waveform: bars(loudness) }
    },
  }
}
