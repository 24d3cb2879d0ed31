import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import type { SheetFault } from '@balcao/contract/contactSheets.ts'
import type { Files } from '../../platform/files.ts'

/** A broken file may ask for more than this machine has: then the thread ends, and nothing else. */
const MAX_MEMORY_MB = 512

type Said = { rows: string[][] } | { end: true } | { fault: SheetFault }

/**
 * Reads a kept spreadsheet part by part. Answers why it is none, or null when all of it was taken; `take` is waited for
 * before the next part.
 */
export async function readKept(
  files: Files,
  companyId: number,
  key: string,
  take: (rows: string[][]) => Promise<void>,
): Promise<SheetFault | null> {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-sheet-'))
  try {
    const path = join(folder, 'sheet')
    const { stream, type } = await files.open(companyId, key)
    await pipeline(stream, createWriteStream(path))
    return await inThread({ path, isArchive: !type.startsWith('text/') }, take)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function inThread(
  workerData: { path: string; isArchive: boolean },
  take: (rows: string[][]) => Promise<void>,
): Promise<SheetFault | null> {
  const resourceLimits = { maxOldGenerationSizeMb: MAX_MEMORY_MB }
  const worker = new Worker(new URL('./contactSheets.worker.ts', import.meta.url), {
    workerData,
    resourceLimits,
  })
  let taken = Promise.resolve()
  try {
    const fault = await new Promise<SheetFault | null>((done, fail) => {
      worker.on('message', (said: Said) => {
        if ('rows' in said) {
          taken = taken.then(() => take(said.rows))
          taken.catch(fail)
        } else done('fault' in said ? said.fault : null)
      })
      // out of memory
      worker.on('error', () => done('tooLarge'))
    })
    await taken
    return fault
  } finally {
    await worker.terminate()
  }
}
