import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { cut } from '@balcao/contract/cut.rules.ts'
import { type FileKind, fileLimits } from '@balcao/contract/media.ts'
import type { Logger } from 'pino'
import { isDiskFull, refuse } from '../errors.ts'
import type { WatchedServer } from '../observe/servers.ts'
import type { OutsideCalls } from '../outbound/calls.ts'
import { type Measures, measure } from './measure.ts'
import { openPlaces, type PlacesConfig } from './places.ts'
import { type FileType, HEAD, mayShow, recognise, unknownType } from './types.ts'

/** Bytes that people send each other. A key is random and is good for one company alone. */
export interface Files {
  /**
   * Keeps a file whose type its content decides. Refuses with ERR_FILE_TYPE or ERR_FILE_TOO_LARGE and leaves nothing
   * behind; the source is read to its end or destroyed.
   */
  put(companyId: number, content: FileBytes, given: Given): Promise<StoredFile>
  /**
   * Keeps an export of the company, which counts in its room; `from` as above. Answers its key and its size in bytes.
   */
  keepPackage(
    companyId: number,
    content: AsyncIterable<Uint8Array>,
    given: { name: string; from: string },
  ): Promise<{ key: string; bytes: number }>
  /** Refuses with ERR_NOT_FOUND, and a range behind the end with ERR_BAD_REQUEST. Whoever calls reads the stream or destroys it. */
  open(companyId: number, key: string, range?: Range): Promise<OpenedFile>
  /** A file that is not there counts as removed. */
  remove(companyId: number, key: string): Promise<void>
  /** Every file of a company. */
  removeAll(companyId: number): Promise<void>
  /** Every file of a company, with when it was written; what is written meanwhile may be missing. */
  list(companyId: number): AsyncIterable<{ key: string; writtenAt: number }>
  /** The number and size of a company's files. Reads each of them. */
  sizeOf(companyId: number): Promise<FileCount>
  /** Refuses what a company adds by itself where it may keep no more. What customers send is kept always. */
  askRoom(companyId: number): Promise<void>
  /** The last file could not be kept since the disk is full. */
  isFull(): boolean
  /** Some lie in the place of before, where they are found, and wait for `npm run files -- move`. */
  isMoving(): boolean
  /** Where they lie, for what reads all files of a company. */
  store: FileStore
  /** The server that keeps files; null for a folder. */
  server: WatchedServer | null
  close(): void
}

/** Counts what companies keep. */
export interface FileMeter {
  askRoom(files: Files, companyId: number): Promise<void>
  /** So many more, or fewer. */
  add(companyId: number, count: FileCount): Promise<void>
}

export interface FileCount {
  files: number
  bytes: number
}

export type FileBytes = Uint8Array | AsyncIterable<Uint8Array>

export interface Given {
  name: string
  type: string
  /** `keep`: unknown types are kept too, to be saved and never shown; for what customers send. */
  unknown?: 'refuse' | 'keep'
  /** An unguessable text, the same on every try: the file then replaces what a broken try left behind. */
  from?: string
}

export interface StoredFile extends Measures {
  key: string
  name: string
  type: string
  kind: FileKind
  size: number
  /** Hexadecimal. */
  sha256: string
}

/** Both ends belong to it, as in HTTP. */
export interface Range {
  start: number
  end: number
}

export interface OpenedFile {
  stream: Readable
  /** Of the whole file, also when only a range is read. */
  size: number
  name: string
  type: string
  /** May be shown in place; otherwise serve it as an attachment. */
  inline: boolean
}

/** Where the bytes lie. A write that fails leaves nothing. */
export interface FileStore {
  write(path: string, bytes: AsyncIterable<Uint8Array>, label: Label): Promise<void>
  read(path: string, range?: Range): Promise<{ stream: Readable; size: number; label: Label } | null>
  remove(path: string): Promise<void>
  /** Bytes; null where there is no such file. */
  sizeOf(path: string): Promise<number | null>
  /** Everything under a folder. */
  removeFolder(path: string): Promise<void>
  /** Every file under a folder, without what is kept beside the bytes. */
  listFolder(path: string): AsyncIterable<FoundFile>
  /** The path of every file of every company. */
  paths(): AsyncIterable<string>
}

export interface FoundFile {
  /** Without its folders. */
  name: string
  bytes: number
  writtenAt: number
}

/** What is kept beside the bytes. */
export interface Label {
  name: string
  type: string
}

/** How often (ms) a missing file is logged: a page requests many. */
const MISSED_MS = 60_000

/**
 * On S3 where it is configured, else under DATA_DIR/files. A file that is asked for and not there was removed, or fell
 * on the disk of another process: the log and the answer report it.
 */
export async function openFiles(
  places: PlacesConfig,
  meter: FileMeter,
  log?: Pick<Logger, 'warn' | 'info'>,
  calls?: OutsideCalls,
): Promise<Files> {
  const { s3, dataDir } = places
  const missed = missing(s3 ? `the bucket ${s3.bucket}` : join(dataDir, 'files'), log)
  const { store, isMoving, server } = await openPlaces(places, log, calls)
  let isFull = false
  const files: Files = {
    async put(companyId, content, given) {
      try {
        const kept = await put(store, meter, companyId, content, given)
        isFull = false
        return kept
      } catch (error) {
        if (isDiskFull(error)) isFull = true
        throw error
      }
    },
    keepPackage: (companyId, content, given) => keepPackage(store, meter, companyId, content, given),
    async open(companyId, key, range) {
      if (!isKey(key)) refuse('ERR_NOT_FOUND')
      const found =
        (await store.read(pathOfFile(companyId, key), range)) ?? missed(pathOfFile(companyId, key))
      return { stream: found.stream, size: found.size, ...found.label, inline: mayShow(found.label.type) }
    },
    async remove(companyId, key) {
      const path = pathOfFile(companyId, key)
      const bytes = isKey(key) ? await store.sizeOf(path) : null
      if (bytes === null) return
      await store.remove(path)
      await meter.add(companyId, { files: -1, bytes: -bytes })
    },
    removeAll: companyId => store.removeFolder(String(companyId)),
    async *list(companyId) {
      for await (const { name, writtenAt } of store.listFolder(String(companyId)))
        if (isKey(name)) yield { key: name, writtenAt }
    },
    sizeOf: companyId => roomOf(store, companyId),
    askRoom: companyId => meter.askRoom(files, companyId),
    isFull: () => isFull,
    isMoving,
    store,
    server,
    close: () => server?.close(),
  }
  return files
}

/** Refuses a missing file, and logs it now and then. */
function missing(where: string, log: Pick<Logger, 'warn'> | undefined) {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (path: string): never => {
    if (performance.now() - loggedAt > MISSED_MS)
      log?.warn(
        { path },
        `a file that was asked for is not in ${where}: removed, or kept by a process with another place`,
      )
    loggedAt = performance.now()
    return refuse('ERR_NOT_FOUND', { message: 'The file is not where this server keeps its files' })
  }
}

async function roomOf(store: FileStore, companyId: number): Promise<FileCount> {
  let [files, size] = [0, 0]
  for await (const { bytes } of store.listFolder(String(companyId))) [files, size] = [files + 1, size + bytes]
  return { files, bytes: size }
}

async function put(
  store: FileStore,
  meter: FileMeter,
  companyId: number,
  content: FileBytes,
  given: Given,
): Promise<StoredFile> {
  const source = (content instanceof Uint8Array ? once(content) : content)[Symbol.asyncIterator]()
  try {
    const head = await readHead(source)
    const found = await recognise(head, given)
    const kept = found ?? (given.unknown === 'keep' ? unknownType : refuse('ERR_FILE_TYPE'))
    const key = `${stemOf(given.from)}.${kept.ext}`
    const name = cleanName(given.name, kept)
    const counted = { size: 0, hash: createHash('sha256') }
    const bytes = count(head, source, fileLimits[kept.kind], counted)
    const path = pathOfFile(companyId, key)
    // a try before it may have left it there
    const before = given.from === undefined ? null : await store.sizeOf(path)
    await store.write(path, bytes, { name, type: kept.type })
    const { size, hash } = counted
    await meter.add(companyId, { files: before === null ? 1 : 0, bytes: size - (before ?? 0) })
    const open = async (range?: Range) => (await store.read(path, range))?.stream ?? refuse('ERR_NOT_FOUND')
    const measures = await measure({ type: kept.type, size, head, open })
    return { key, name, type: kept.type, kind: kept.kind, size, sha256: hash.digest('hex'), ...measures }
  } finally {
    await source.return?.()
  }
}

async function keepPackage(
  store: FileStore,
  meter: FileMeter,
  ...[companyId, content, { name, from }]: Parameters<Files['keepPackage']>
) {
  const key = `${stemOf(from)}.${PACKAGE}`
  const path = pathOfFile(companyId, key)
  const before = await store.sizeOf(path)
  await store.write(path, content, { name, type: 'application/zip' })
  const bytes = (await store.sizeOf(path)) ?? 0
  await meter.add(companyId, { files: before === null ? 1 : 0, bytes: bytes - (before ?? 0) })
  return { key, bytes }
}

const stemOf = (from: string | undefined) =>
  from === undefined
    ? randomBytes(16).toString('hex')
    : createHash('sha256').update(from).digest('hex').slice(0, 32)

async function* once(bytes: Uint8Array) {
  yield bytes
}

async function readHead(source: AsyncIterator<Uint8Array>) {
  const chunks: Uint8Array[] = []
  for (let size = 0; size < HEAD; ) {
    const { done, value } = await source.next()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  return Buffer.concat(chunks)
}

/** The head and the rest, counted and hashed as they pass. */
async function* count(
  head: Buffer,
  rest: AsyncIterator<Uint8Array>,
  limit: number,
  counted: { size: number; hash: ReturnType<typeof createHash> },
) {
  for (let chunk: Uint8Array = head; ; ) {
    counted.size += chunk.length
    if (counted.size > limit) refuse('ERR_FILE_TOO_LARGE', { details: { limit } })
    counted.hash.update(chunk)
    yield chunk
    const { done, value } = await rest.next()
    if (done) return
    chunk = value
  }
}

/** No content of a customer or a user is kept under it. */
const PACKAGE = 'bpkg'
export const isPackage = (keyOrAddress: string): boolean => keyOrAddress.endsWith(`.${PACKAGE}`)

const isKey = (key: string) => /^[0-9a-f]{32}\.[a-z0-9]{1,5}$/.test(key)

/** Spread over folders: a folder of a million files is slow to look into. */
export const pathOfFile = (companyId: number, key: string) => `${companyId}/${key.slice(0, 2)}/${key}`

/** The last part of a path, without characters that have a meaning on screens or in headers. */
function cleanName(given: string, { ext }: FileType) {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()
  return (clean.length > 200 ? cut(clean, 100) + clean.slice(-100) : clean).toWellFormed() || `file.${ext}`
}
