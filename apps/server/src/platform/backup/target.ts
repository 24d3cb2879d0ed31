import { mkdir, open, opendir, rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import type { BackupConfig } from '../config.ts'
import { ConfigError } from '../config.ts'
import { isConnectionFailure, isDiskFull } from '../errors.ts'
import { clearOld, writeWhole } from '../files/disk.ts'
import type { FoundObject } from '../files/s3.ts'
import { whyItFailed } from '../observe/log-errors.ts'
import { type S3Limits, s3Limits } from '../outbound/s3.client.ts'
import { type Sealing, sealingWith } from './sealing.ts'

/** Where backups lie: sealed objects under names. An object appears whole, or not at all. */
export interface BackupTarget {
  /** As an operator reads it. */
  place: string
  /** Answers the bytes that were sent. Throws TargetFailed where the target does not accept it. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<number>
  /** The content; null where there is none of that name. Throws TargetFailed, and NotOpened while it is read. */
  read(name: string): Promise<AsyncIterable<Buffer> | null>
  /** Every object of this key whose name begins with a folder, such as `bases/`. Sizes are those of sealed objects. */
  under(folder: string): AsyncIterable<FoundObject>
  remove(name: string): Promise<void>
  /** Whether there are objects of other keys alone. */
  hasOtherKeys(): Promise<boolean>
  close(): void
}

/** The folder or bucket does not accept or answer, named with its reason: it is tried again. */
class TargetFailed extends ConfigError {}

/** Bytes under names, as the place itself keeps them. */
interface Place {
  name: string
  write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  read(path: string): Promise<Readable | null>
  under(folder: string): AsyncIterable<FoundObject>
  remove(path: string): Promise<void>
  close(): void
}

/** A part of a large object: a bucket takes 10,000 of them. */
const PART_BYTES = 16 * 1024 * 1024

/** Opens what BACKUP_TO names. Objects of different keys lie apart, so that a new BACKUP_KEY begins anew. */
export async function openTarget(
  { to, key }: BackupConfig,
  limits: S3Limits = s3Limits,
): Promise<BackupTarget> {
  const place = 'folder' in to ? await folderPlace(to.folder) : await bucketPlace(to, limits)
  return sealed(place, sealingWith(key))
}

function sealed(place: Place, sealing: Sealing): BackupTarget {
  const root = `${sealing.keyId}/`
  const tried = <T>(work: Promise<T>): Promise<T> => work.catch(error => named(place, error))
  async function* listed(folder: string) {
    try {
      yield* place.under(folder)
    } catch (error) {
      named(place, error)
    }
  }
  return {
    place: place.name,
    async write(name, bytes) {
      let sent = 0
      async function* counted() {
        for await (const chunk of sealing.seal(name, bytes)) {
          sent += chunk.length
          yield chunk
        }
      }
      await tried(place.write(root + name, counted()))
      return sent
    },
    async read(name) {
      const found = await tried(place.read(root + name))
      return found && sealing.open(name, found)
    },
    async *under(folder) {
      for await (const { path, ...about } of listed(root + folder))
        yield { path: path.slice(root.length), ...about }
    },
    remove: name => tried(place.remove(root + name)),
    async hasOtherKeys() {
      let others = false
      for await (const { path } of listed('')) {
        if (path.startsWith(root)) return false
        others ||= /^[0-9a-f]{16}\/(bases|files|log)\//.test(path)
      }
      return others
    },
    close: place.close,
  }
}

/** What the database or DATA_DIR was at fault for is thrown as it is. */
function named(place: Place, error: unknown): never {
  const { code = '' } = error as NodeJS.ErrnoException
  if (isDiskFull(error)) throw new TargetFailed(`${place.name} is full`, { cause: error })
  const isOfPlace =
    error instanceof Error &&
    ('$metadata' in error ||
      isConnectionFailure(error) ||
      error.name === 'TimeoutError' ||
      /^E[A-Z]+$/.test(code))
  if (!isOfPlace) throw error
  throw new TargetFailed(`${place.name} does not accept or answer (${whyItFailed(error)})`, { cause: error })
}

/** As an operator reads it, without asking it. */
export const placeOfBackups = (to: BackupConfig['to']): string =>
  'folder' in to
    ? to.folder
    : `${to.s3.endpoint ? new URL(to.s3.endpoint).host : `Amazon S3 ${to.s3.region}`}, ${to.s3.bucket}/${to.prefix}`

const UNFINISHED = 'unfinished'

async function folderPlace(folder: string): Promise<Place> {
  const unfinished = join(folder, UNFINISHED)
  const place: Place = {
    name: folder,
    async write(path, bytes) {
      await mkdir(unfinished, { recursive: true, mode: 0o700 })
      await clearOld(unfinished)
      await writeWhole(join(folder, path), unfinished, bytes)
    },
    read: path =>
      open(join(folder, path)).then(
        file => file.createReadStream(),
        error => (error.code === 'ENOENT' ? null : Promise.reject(error)),
      ),
    under: path => filesUnder(folder, path),
    remove: path => rm(join(folder, path), { force: true }),
    close() {},
  }
  return place
}

/** What goes meanwhile counts as gone. */
async function* filesUnder(folder: string, path: string): AsyncIterable<FoundObject> {
  const entries = await opendir(join(folder, path), { recursive: true }).catch(gone)
  for await (const entry of entries ?? []) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const found = await stat(file).catch(gone)
    const name = relative(folder, file).split(sep).join('/')
    if (found && !name.startsWith(`${UNFINISHED}/`))
      yield { path: name, bytes: found.size, writtenAt: found.mtimeMs }
  }
}

function gone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** The S3 client is large: whoever writes into a folder does not load it. */
async function bucketPlace(
  { s3, prefix }: Exclude<BackupConfig['to'], { folder: string }>,
  limits: S3Limits,
): Promise<Place> {
  const { openS3 } = await import('../files/s3.ts')
  const store = openS3(s3, limits, { prefix, partBytes: PART_BYTES })
  return {
    name: placeOfBackups({ s3, prefix }),
    write: (path, bytes) => store.write(path, bytes, { name: '', type: 'application/octet-stream' }),
    read: async path => (await store.read(path))?.stream ?? null,
    under: store.under,
    remove: store.remove,
    close: store.close,
  }
}
