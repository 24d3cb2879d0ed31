import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { VoiceNote, Waveform } from '../../driver.content.ts'
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
 * Voice notes: MP3 becomes Ogg/Opus, and Ogg/Opus is drawn, in a worker, one after the other, the companies in turn.
 * `voiceNote`: null for what cannot be converted, or not in time; `as it is` for Ogg/Opus, whose `waveform` is null where it
 * cannot be read, or not in time.
 */
export function openVoiceNotes({ recodeMs, waitMs }: Limits) {
  const turns = new Turns(1, { waitMs })
  async function inTurn<Result>(work: Work, { companyId, open }: Recording): Promise<Result | null> {
    const slot = await turns.acquire(companyId).catch(() => null)
    if (!slot) return null
    try {
      return await read<Result>(work, await open(), AbortSignal.timeout(recodeMs))
    } finally {
      turns.release(slot)
    }
  }
  return {
    async voiceNote(recording: Recording): Promise<VoiceNote | 'as it is' | null> {
      if (OPUS.test(recording.type)) return 'as it is'
      const note = MP3.test(recording.type) ? await inTurn<VoiceNote>('recode', recording) : null
      return note && { ...note, bytes: Buffer.from(note.bytes) }
    },
    waveform: (recording: Recording) => inTurn<Waveform>('draw', recording),
  }
}

export const voiceNotesOf = perProduct(() => openVoiceNotes({ recodeMs: 30_000, waitMs: 60_000 }))

type Work = 'recode' | 'draw'

/** The worker ended or ran out of time: the recording is not readable, or too long. */
class NotRecoded extends Error {}

async function read<Result>(work: Work, stream: Readable, over: AbortSignal): Promise<Result | null> {
  const script = new URL('./recoder.worker.ts', import.meta.url)
  const worker = new Worker(script, { resourceLimits: LIMITS, workerData: work })
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
    return answered as { result: Result | null } | null
  }
  try {
    for await (const piece of stream) await answer(piece as Uint8Array)
    return (await answer(null))?.result ?? null
  } catch (error) {
    // an unreadable recording is sent as a plain audio file; a file that cannot be opened is tried again
    if (error instanceof NotRecoded) return null
    throw error
  } finally {
    stream.destroy()
    await worker.terminate()
  }
}
