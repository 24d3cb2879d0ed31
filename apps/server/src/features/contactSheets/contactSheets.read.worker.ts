import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import type { SheetFault } from '@balcao/contract/contactSheets.ts'
import type { Files } from '../../platform/files/files.ts'

/** A malformed file may need more memory than there is: only the thread ends. */
const MAX_MEMORY_MB = 512
const MAX_READ_MS = 60_000

/** Why a file cannot be read, and in which row. */
export interface FileFault {
  fault: SheetFault
  row: number | null
}

type Reply = { rows: string[][] } | { end: true } | FileFault

/**
 * Reads a stored spreadsheet in a worker thread, part by part; `accept` is awaited before the next part. Returns its
 * fault, or null.
 */
export async function readKept(
  files: Files,
  companyId: number,
  key: string,
  accept: (rows: string[][]) => Promise<void>,
): Promise<FileFault | null> {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-sheet-'))
  try {
    const path = join(folder, 'sheet')
    const { stream, type } = await files.open(companyId, key)
    await pipeline(stream, createWriteStream(path))
    return await inThread({ path, isArchive: !type.startsWith('text/') }, accept)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function inThread(
  workerData: { path: string; isArchive: boolean },
  accept: (rows: string[][]) => Promise<void>,
): Promise<FileFault | null> {
  const resourceLimits = { maxOldGenerationSizeMb: MAX_MEMORY_MB }
  const worker = new Worker(new URL('./contactSheets.parser.worker.ts', import.meta.url), {
    workerData,
    resourceLimits,
  })
  const tooLarge: FileFault = { fault: 'tooLarge', row: null }
  let receive: (reply: Reply) => void = () => {}
  worker.on('message', (reply: Reply) => receive(reply))
  // out of memory
  worker.on('error', () => receive(tooLarge))
  const next = () =>
    new Promise<Reply>(done => {
      const late = setTimeout(() => done(tooLarge), MAX_READ_MS)
      receive = reply => {
        clearTimeout(late)
        done(reply)
      }
    })
  try {
    for (let reply = await next(); ; reply = await next()) {
      if (!('rows' in reply)) return 'fault' in reply ? reply : null
      await accept(reply.rows)
      worker.postMessage('next')
    }
  } finally {
    await worker.terminate()
  }
}
