import { createReadStream } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createDeflate } from 'node:zlib'
import { databaseDate } from '../clock.ts'
import { inflated } from '../files/unzip.ts'
import { VERSION } from '../observe/version.ts'
import { migrationNames } from '../postgres/migrate.ts'
import { baseObject, fileObject, stampOf, timeOfStamp } from './names.ts'
import { sealedSize } from './sealing.ts'
import type { BackupTarget } from './target.ts'

/** What stands in the index of a backup. */
export interface BaseIndex {
  format: 1
  id: string
  /** The cluster of DATA_DIR with its secret, or all rows of a database on a server. */
  kind: 'cluster' | 'rows'
  version: string
  migrations: string[]
  /** When it was complete. */
  endedAt: string
  /** Of `data`, sealed. */
  bytes: number
  files: number
  fileBytes: number
  /** Where in which stream of the log it ends, from where any later moment is restored; null without a log. */
  log: { stream: string; stopLsn: string } | null
}

/** A backup at a target. */
export interface FoundBase {
  id: string
  /** When it was begun. */
  at: number
}

export interface PackedDatabase {
  kind: BaseIndex['kind']
  /** Packs the database while `write` reads it. */
  pack(write: (bytes: Readable) => Promise<void>): Promise<Pick<BaseIndex, 'log'>>
}

/**
 * Writes a backup: the database, then those files of DATA_DIR that are not there yet, then the list of files and the index, with
 * which it is there. After an interruption nothing counts as a backup; the next one clears what is left.
 */
export async function writeBase(
  target: BackupTarget,
  { kind, pack }: PackedDatabase,
  { dataDir, now }: { dataDir: string; now: number },
): Promise<{ index: BaseIndex; sent: number }> {
  const id = stampOf(now)
  await clearUnfinished(target)
  let bytes = 0
  const { log } = await pack(async packed => {
    bytes = await target.write(baseObject(id, 'data'), packed)
  })
  const { files, fileBytes, sent, paths } = await sendFiles(target, dataDir)
  const lines = Readable.from(paths.map(path => `${path}\n`)).pipe(createDeflate())
  const listed = await target.write(baseObject(id, 'files'), lines)
  const index: BaseIndex = {
    ...{ format: 1, id, kind, version: VERSION, migrations: migrationNames(), bytes, files, fileBytes, log },
    endedAt: databaseDate().toISOString(),
  }
  await target.write(baseObject(id, 'index'), Readable.from([Buffer.from(JSON.stringify(index))]))
  return { index, sent: bytes + listed + sent }
}

/** The newest first. */
export async function basesAt(target: BackupTarget): Promise<FoundBase[]> {
  const found: FoundBase[] = []
  for await (const { path } of target.under('bases/')) {
    const [, id] = /^bases\/(\d{8}T\d{6}Z)\/index$/.exec(path) ?? []
    if (id) found.push({ id, at: timeOfStamp(id) })
  }
  return found.sort((one, other) => other.at - one.at)
}

export async function indexOf(target: BackupTarget, id: string): Promise<BaseIndex> {
  const bytes = await target.read(baseObject(id, 'index'))
  if (!bytes) throw new Error(`the backup ${id} is not there any more`)
  const index = JSON.parse(await text(Readable.from(bytes))) as BaseIndex
  if (index.format !== 1)
    throw new Error(`the backup ${id} has the format ${index.format}, which a newer version wrote`)
  return index
}

/** Bytes of a list of files: ten million of them. */
const MOST_LISTED = 500_000_000

/** The paths of the files that a backup holds. */
export async function filesListed(target: BackupTarget, id: string): Promise<string[]> {
  const bytes = await target.read(baseObject(id, 'files'))
  if (!bytes) throw new Error(`the list of files of the backup ${id} is missing`)
  const list = await inflated(Readable.from(bytes), MOST_LISTED)
  return list
    .toString()
    .split('\n')
    .filter(line => line !== '')
}

/** Sends the files of DATA_DIR that are not at the target with the same size; a key is never given to other bytes. */
export async function sendFiles(target: BackupTarget, dataDir: string) {
  const there = new Map<string, number>()
  for await (const { path, bytes } of target.under('files/')) there.set(path, bytes)
  const paths: string[] = []
  let [files, fileBytes, sent] = [0, 0, 0]
  for await (const { path, size } of filesIn(join(dataDir, 'files'))) {
    paths.push(path)
    files++
    fileBytes += size
    if (there.get(fileObject(path)) === sealedSize(size)) continue
    const opened = createReadStream(join(dataDir, 'files', path))
    sent += await target.write(fileObject(path), opened).catch(unlessGone)
  }
  return { files, fileBytes, sent, paths }
}

/** Removed meanwhile: no row names it any more. */
function unlessGone(error: NodeJS.ErrnoException): number {
  const { code } = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : error
  if (code === 'ENOENT') return 0
  throw error
}

/** With the label behind its bytes, or beside them, as it lies there. Names come from DATA_DIR alone. */
async function* filesIn(folder: string): AsyncIterable<{ path: string; size: number }> {
  const entries = await opendir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  for await (const entry of entries ?? []) {
    if (!entry.isFile()) continue
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
    const found = KEPT.test(path) ? await stat(join(folder, path)).catch(() => null) : null
    if (found) yield { path, size: found.size }
  }
}

/** `7/ab/0123….png`, also with its label: `.png.json`. */
export const KEPT = /^\d+\/[0-9a-f]{2}\/[0-9a-f]{32}\.[a-z0-9]{1,5}(\.json)?$/

/** What a process left that was killed on the way; one backup is made at a time. */
async function clearUnfinished(target: BackupTarget) {
  const whole = new Set((await basesAt(target)).map(({ id }) => id))
  const left: string[] = []
  for await (const { path } of target.under('bases/')) {
    const [, id] = /^bases\/(\d{8}T\d{6}Z)\/(?:data|files)$/.exec(path) ?? []
    if (id && !whole.has(id)) left.push(path)
  }
  for (const path of left) await target.remove(path)
}
