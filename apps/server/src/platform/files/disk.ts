import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { databaseNow } from '../clock.ts'
import { refuse } from '../errors.ts'
import type { FileStore, FoundFile, Label, Range } from './files.ts'

const DAY = 24 * 60 * 60 * 1000

/**
 * Files in a folder. A file is written whole under another name, with its label behind its bytes, reaches the disk, and
 * only then gets its own name: bytes and label appear in one step, also where two processes write the same file. What a
 * crash left half written is cleared at a later start.
 */
export async function openDisk(folder: string): Promise<FileStore> {
  const unfinished = join(folder, 'unfinished')
  await mkdir(unfinished, { recursive: true })
  await clearOld(unfinished)
  return {
    write: (path, bytes, label) => writeWhole(join(folder, path), unfinished, labelled(bytes, label)),
    read: (path, range) => read(join(folder, path), range),
    async remove(path) {
      await rm(join(folder, path), { force: true })
      await rm(labelBeside(join(folder, path)), { force: true })
    },
    sizeOf: path => sizeOf(join(folder, path)),
    removeFolder: path => rm(join(folder, path), { recursive: true, force: true, maxRetries: 3 }),
    listFolder: path => listFolder(join(folder, path)),
    paths: () => pathsUnder(folder),
  }
}

/** Writes a file that appears under its name when all of it is on the disk; until then it is in `unfinished`, on the same one. */
export async function writeWhole(place: string, unfinished: string, bytes: AsyncIterable<Uint8Array>) {
  const draft = join(unfinished, randomBytes(8).toString('hex'))
  try {
    await mkdir(dirname(place), { recursive: true })
    const whole = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(bytes, whole)
    await rename(draft, place)
    await syncFolder(dirname(place))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Opened at once: what is removed meanwhile is read to its end. */
async function read(place: string, range: Range | undefined) {
  const file = await open(place).catch(unlessThere)
  if (!file) return null
  try {
    const { size, label } = (await partsOf(file, place)) ?? { size: -1, label: null }
    if (!label) {
      await file.close()
      return null
    }
    if (range && range.start >= size) refuse('ERR_BAD_REQUEST', { field: 'range' })
    const end = Math.min(range?.end ?? size, size - 1)
    if (size > 0) return { stream: file.createReadStream({ start: range?.start ?? 0, end }), size, label }
    await file.close()
    return { stream: Readable.from([]), size, label }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** What goes meanwhile counts as gone. */
async function* listFolder(folder: string): AsyncIterable<FoundFile> {
  const entries = await opendir(folder, { recursive: true }).catch(unlessThere)
  for await (const entry of entries ?? []) {
    if (!entry.isFile() || isLabel(entry.name)) continue
    const place = join(entry.parentPath, entry.name)
    const [found, bytes] = [await stat(place).catch(unlessThere), await sizeOf(place)]
    if (found && bytes !== null) yield { name: entry.name, bytes, writtenAt: found.mtimeMs }
  }
}

/** Each in the folder of its company. */
async function* pathsUnder(folder: string): AsyncIterable<string> {
  for (const company of await readdir(folder)) {
    if (!/^\d+$/.test(company)) continue
    const entries = await opendir(join(folder, company), { recursive: true }).catch(unlessThere)
    for await (const entry of entries ?? [])
      if (entry.isFile() && !isLabel(entry.name)) yield relative(folder, join(entry.parentPath, entry.name))
  }
}

function unlessThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Behind the bytes: the label as JSON, its length in four bytes, and this mark. */
const MARK = Buffer.from('\nbalcao label 1\n')
const ENDING = MARK.length + 4
/** The longest label: a name and a type, in whichever script. */
const MOST_LABEL = 4_096

async function* labelled(bytes: AsyncIterable<Uint8Array>, label: Label): AsyncIterable<Uint8Array> {
  yield* bytes
  const text = Buffer.from(JSON.stringify(label))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  yield Buffer.concat([text, length, MARK])
}

/** The size without the label, and the label; null where there is none. Earlier versions kept it in a file beside the bytes. */
async function partsOf(file: FileHandle, place: string): Promise<{ size: number; label: Label } | null> {
  const { size } = await file.stat()
  const behind = await labelBehind(file, size)
  const text = behind ?? (await readFile(labelBeside(place)).catch(unlessThere))
  return text && { size: size - lengthBehind(behind), label: JSON.parse(text.toString()) as Label }
}

const lengthBehind = (label: Buffer | null) => (label === null ? 0 : label.length + ENDING)

async function labelBehind(file: FileHandle, size: number): Promise<Buffer | null> {
  const length = Math.min(size, MOST_LABEL + ENDING)
  const { buffer: tail, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
  const end = bytesRead - ENDING
  if (bytesRead < length || end < 0 || !tail.subarray(end + 4).equals(MARK)) return null
  const start = end - tail.readUInt32BE(end)
  return start < 0 ? null : tail.subarray(start, end)
}

async function sizeOf(place: string): Promise<number | null> {
  const file = await open(place).catch(unlessThere)
  if (!file) return null
  try {
    const { size } = await file.stat()
    return size - lengthBehind(await labelBehind(file, size))
  } finally {
    await file.close()
  }
}

const LABEL = '.json'
/** A file may be JSON itself: its key has one ending, its label two. */
const isLabel = (name: string) => name.endsWith(LABEL) && name.split('.').length > 2
const labelBeside = (place: string) => `${place}${LABEL}`

/** Windows cannot open a folder, and does not need to. */
async function syncFolder(folder: string) {
  const handle = await open(folder).catch(() => null)
  await handle?.sync().finally(() => handle.close())
}

/** What a crash left a day ago. */
export async function clearOld(unfinished: string) {
  for (const name of await readdir(unfinished)) {
    // another process may have completed it meanwhile
    const found = await stat(join(unfinished, name)).catch(unlessThere)
    if (found && found.mtimeMs < databaseNow() - DAY) await rm(join(unfinished, name), { force: true })
  }
}
