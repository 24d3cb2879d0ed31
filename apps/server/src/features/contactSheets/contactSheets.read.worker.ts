import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Delimiter } from '@balcao/contract/contactSheets.ts'
import type { Files } from '../../platform/files/files.ts'
import { perProduct } from '../../platform/memory.ts'
import { Turns } from '../../platform/postgres/turns.ts'
import type { Scope } from '../../platform/scope.ts'
import type { FileFault } from './contactSheets.fault.rules.ts'
import type { SheetPart } from './contactSheets.parser.worker.ts'

/** Two files are read at once, never two of one company. */
const turnsOf = perProduct(() => new Turns(2))

/**
 * What one process that reads may occupy in all, 60 MB of which it has when it begins: two of them stay below 300 MB,
 * whatever they are given.
 */
const MAX_MEMORY = 145 * 1_048_576
const HEAP = ['--max-old-space-size=40', '--max-semi-space-size=2']
/** Of all its parts together, without the time that they take to be stored. */
const MAX_READ_MS = 120_000

/**
 * Reads a stored spreadsheet in a process of its own, part by part; `accept` is awaited before the next part. Waits while
 * another of the company, or two of others, are read. Returns its fault, or null.
 */
export async function readKept(
  scope: Scope,
  files: Files,
  key: string,
  accept: (rows: string[][]) => Promise<void>,
  delimiter?: Delimiter,
): Promise<FileFault | null> {
  const turns = turnsOf(scope)
  const turn = await turns.acquire(scope.companyId, true)
  try {
    return await readCopy(scope, files, key, accept, delimiter)
  } finally {
    turns.release(turn)
  }
}

async function readCopy(
  { companyId }: Scope,
  files: Files,
  key: string,
  accept: Accept,
  delimiter?: Delimiter,
) {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-sheet-'))
  try {
    const path = join(folder, 'sheet')
    const { stream, type } = await files.open(companyId, key)
    await pipeline(stream, createWriteStream(path))
    return await readApart(path, type.startsWith('text/') ? 'csv' : 'workbook', accept, delimiter)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Accept = (rows: string[][]) => Promise<void>

/** Reads a file in a process of its own; as above. */
export async function readApart(
  path: string,
  kind: 'csv' | 'workbook',
  accept: Accept,
  delimiter?: Delimiter,
): Promise<FileFault | null> {
  const { SystemRoot } = process.env
  const child = fork(
    new URL('./contactSheets.parser.worker.ts', import.meta.url),
    [path, kind, String(MAX_MEMORY), ...(delimiter ? [delimiter] : [])],
    {
      execArgv: HEAP,
      // no secret of the product is in a process that reads files of others
      env: { ...(SystemRoot && { SystemRoot }) },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    },
  )
  // one that died is known by its exit
  child.on('error', () => {})
  const gone = once(child, 'exit')
  try {
    for (let left = MAX_READ_MS; ; ) {
      const began = performance.now()
      const reply = await nextReply(child, gone, left)
      left -= performance.now() - began
      if (!('rows' in reply)) return 'fault' in reply ? reply : null
      await accept(reply.rows)
      if (child.connected) child.send('next', () => {})
    }
  } finally {
    child.kill('SIGKILL')
    await gone.catch(() => {})
  }
}

const tooLarge: FileFault = { fault: 'tooLarge', row: null }

/** What it sends next; `tooLarge` where the time is over, or where the end of its memory ended it. */
async function nextReply(child: ChildProcess, gone: Promise<unknown[]>, leftMs: number): Promise<SheetPart> {
  const over = new AbortController()
  const { signal } = over
  const late = setTimeout(() => over.abort(), Math.max(0, leftMs))
  try {
    const first = await Promise.race([
      once(child, 'message', { signal }).then(([reply]) => reply as SheetPart),
      gone.then(([code]) => code as number | null),
    ])
    if (first !== null && typeof first === 'object') return first
    if (first === null) return tooLarge
    throw new Error(`The process that reads spreadsheets ended with ${first}`)
  } catch (error) {
    if (signal.aborted) return tooLarge
    throw error
  } finally {
    clearTimeout(late)
    over.abort()
  }
}
