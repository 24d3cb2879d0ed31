import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { openQueue } from '../../platform/queue.ts'
import type { Voice } from './voice-recoder.ts'

const MP3 = /^audio\/(mpeg|mp3|mpa)\b/i
const OPUS = /^audio\/ogg\b/i
/** Two minutes of speech take two to six seconds; what is not done by then is sent as a plain sound. */
const RECODE_MS = 120_000
const LIMITS = { maxOldGenerationSizeMb: 128 }

const inTurn = openQueue()

/**
 * A recording as a voice message of phones: MP3 becomes Ogg/Opus in a worker, one after the other. Null for anything
 * that cannot be turned into one; what is Ogg/Opus already is `as it is`.
 */
export async function createVoice(
  type: string,
  open: () => Promise<Readable>,
): Promise<Voice | 'as it is' | null> {
  if (OPUS.test(type)) return 'as it is'
  if (!MP3.test(type)) return null
  return inTurn(() => recode(open))
}

async function recode(open: () => Promise<Readable>): Promise<Voice | null> {
  const stream = await open()
  const worker = new Worker(new URL('./voice.worker.ts', import.meta.url), { resourceLimits: LIMITS })
  const failed = new Promise<never>((_, reject) => {
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('the recording could not be read')))
  })
  failed.catch(() => {})
  const over = AbortSignal.timeout(RECODE_MS)
  const answer = async (piece: Uint8Array | null) => {
    worker.postMessage(piece)
    const [said] = await Promise.race([once(worker, 'message', { signal: over }), failed])
    return said as { voice: Voice | null } | null
  }
  try {
    for await (const piece of stream) await answer(piece as Uint8Array)
    const voice = (await answer(null))?.voice
    return voice ? { ...voice, bytes: Buffer.from(voice.bytes) } : null
  } catch (error) {
    if (stream.errored) throw error
    // A recording that cannot be read is still a sound.
    return null
  } finally {
    stream.destroy()
    await worker.terminate()
  }
}
