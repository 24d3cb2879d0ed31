import { Mp3Encoder } from '@breezystack/lamejs'
import { VOICE_TYPE } from './so-far.ts'
import tapUrl from './voice-worklet.ts?worker&url'

const KBPS = 128
/** The documents discard what is smaller: a touch of the button is no message. */
export const LEAST_BYTES = 10_000
/** Samples of one MP3 frame. */
const FRAME = 1152
/** Rates supported by the encoder; a device with another one is opened at the last. */
const RATES = [44_100, 32_000, 48_000]

export interface Recording {
  pause(): void
  goOn(): void
  /** The recording so far, to be played while it is paused. */
  soFar(): Blob
  finish(): Promise<{ made: Blob; seconds: number }>
  discard(): void
}

/**
 * Records the microphone and encodes MP3 on the way, so that a long recording needs little memory. `onLevel`
 * receives the seconds so far and the level from 0 to 1. Throws a DOMException when there is no microphone or
 * it may not be used.
 */
export async function record(onLevel: (seconds: number, loud: number) => void): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true },
  })
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  try {
    const context = await openContext()
    await context.audioWorklet.addModule(tapUrl)
    const tap = new AudioWorkletNode(context, 'tap', { numberOfOutputs: 0 })
    const sound = encode(context.sampleRate)
    tap.port.onmessage = ({ data }: MessageEvent<Float32Array>) => onLevel(sound.add(data), loudness(data))
    const source = context.createMediaStreamSource(stream)
    source.connect(tap)
    await context.resume()
    // referenced until the end: an unreferenced context may be garbage-collected, and falls silent
    const end = async () => {
      source.disconnect()
      tap.port.close()
      stop()
      await context.close().catch(() => {})
    }
    return {
      pause() {
        void context.suspend()
        for (const track of stream.getTracks()) track.enabled = false
      },
      goOn() {
        for (const track of stream.getTracks()) track.enabled = true
        void context.resume()
      },
      soFar: () => new Blob(sound.made(), { type: VOICE_TYPE }),
      async finish() {
        await end()
        const { parts, seconds } = sound.finish()
        return { made: new Blob(parts, { type: VOICE_TYPE }), seconds }
      },
      discard: () => void end(),
    }
  } catch (error) {
    stop()
    throw error
  }
}

async function openContext() {
  const context = new AudioContext()
  if (RATES.includes(context.sampleRate)) return context
  await context.close()
  return new AudioContext({ sampleRate: RATES.at(-1)! })
}

/** Accepts chunks of any length, passes frames to the encoder, and keeps the output. */
function encode(rate: number) {
  const encoder = new Mp3Encoder(1, rate, KBPS)
  const frame = new Int16Array(FRAME)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let filled = 0
  let received = 0
  const keep = (made: Uint8Array | Int8Array) => {
    if (made.length > 0) parts.push(new Uint8Array(made))
  }
  return {
    add(samples: Float32Array): number {
      for (const sample of samples) {
        frame[filled++] = Math.max(-1, Math.min(1, sample)) * 32_767
        if (filled < FRAME) continue
        keep(encoder.encodeBuffer(frame))
        filled = 0
      }
      received += samples.length
      return received / rate
    },
    made: () => parts,
    finish() {
      if (filled > 0) keep(encoder.encodeBuffer(frame.subarray(0, filled)))
      keep(encoder.flush())
      return { parts, seconds: received / rate }
    },
  }
}

function loudness(samples: Float32Array) {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.min(1, Math.sqrt(sum / samples.length) * 4)
}
