import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { VoiceNote } from '../../driver.ts'
import { perProduct } from '../../platform/memory.ts'
import { Turns } from '../../platform/postgres/turns.ts'

const MP3 = /^audio\/(mpeg|mp3|mpa)\b/i
const OPUS = /^audio\/ogg\b/i
const LIMITS = { maxOldGenerationSizeMb: 128 }

interface Limits {
  /** A recording that is not converted by then is sent as a plain audio file: two minutes of speech need two to six seconds. */
  recodeMs: number
  /** A recording that waited so long for its turn is not converted. */
  waitMs: number
}

interface Recording {
  companyId: number
  type: string
  open(): Promise<Readable>
}

/**
 * Converts recordings to voice notes: MP3 becomes Ogg/Opus in a worker, one after the other, the companies in turn. Null
 * for what cannot be converted, or not in time; `as it is` for Ogg/Opus.
 */
export function openVoiceNotes({ recodeMs, waitMs }: Limits) {
  const turns = new Turns(1, { waitMs })
  return async ({ companyId, type, open }: Recording): Promise<VoiceNote | 'as it is' | null> => {
    if (OPUS.test(type)) return 'as it is'
    if (!MP3.test(type)) return null
    const slot = await turns.acquire(companyId).catch(() => null)
    if (!slot) return null
    try {
      return await recode(await open(), AbortSignal.timeout(recodeMs))
    } finally {
      turns.release(slot)
    }
  }
}

export const voiceNotesOf = perProduct(() => openVoiceNotes({ recodeMs: 30_000, waitMs: 60_000 }))

/** The worker ended or ran out of time: the recording is not readable, or too long. */
class NotRecoded extends Error {}

async function recode(stream: Readable, over: AbortSignal): Promise<VoiceNote | null> {
  const worker = new Worker(new URL('./recoder.worker.ts', import.meta.url), { resourceLimits: LIMITS })
  const failed = new Promise<never>((_, reject) => {
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('the recording could not be read')))
  })
  failed.catch(() => {})
  const answer = async (piece: Uint8Array | null) => {
    worker.postMessage(piece)
    const next = Promise.race([once(worker, 'message', { signal: over }), failed])
    const [answered] = await next.catch(error => {
      throw new NotRecoded(String(error), { cause: error })
    })
    return answered as { voiceNote: VoiceNote | null } | null
  }
  try {
    for await (const piece of stream) await answer(piece as Uint8Array)
    const note = (await answer(null))?.voiceNote
    return note ? { ...note, bytes: Buffer.from(note.bytes) } : null
  } catch (error) {
    // an unreadable recording is sent as a plain audio file; a file that cannot be opened is tried again
    if (error instanceof NotRecoded) return null
    throw error
  } finally {
    stream.destroy()
    await worker.terminate()
  }
}
