import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { WatchedServer } from '../observe/servers.ts'
import type { OutsideCalls } from '../outbound/calls.ts'
import { openBucket } from './bucket.ts'
import { openDisk } from './disk.ts'
import type { FileStore } from './files.ts'

export type PlacesConfig = Pick<Config, 's3' | 'dataDir'> & Partial<Pick<Config, 's3Before' | 'drill'>>

interface Places {
  store: FileStore
  /** Files lie in the place of before. */
  isMoving(): boolean
  /** The server of the bucket; null where there is none. */
  server: WatchedServer | null
}

/**
 * Where files are written, and with a bucket on a folder that has files, or FILES_IN=disk beside a bucket, the place of before
 * too: it is read where the new one has no such file, until everything was moved.
 */
export async function openPlaces(
  config: PlacesConfig,
  log?: Pick<Logger, 'warn' | 'info'>,
  calls?: OutsideCalls,
): Promise<Places> {
  const folder = join(config.dataDir, 'files')
  const isMoving = config.s3 ? () => hasFiles(folder) : () => Boolean(config.s3Before)
  const bucket = config.s3 ?? config.s3Before
  const watched = bucket ? await openBucket(bucket, log, calls ? { calls } : {}) : null
  const server = watched?.server ?? null
  // the bucket is that of the original
  if (config.drill && watched)
    return {
      store: bothPlaces(await openDisk(folder), readOnly(watched.store)),
      isMoving: () => false,
      server,
    }
  if (!isMoving()) return { store: watched?.store ?? (await openDisk(folder)), isMoving, server }
  const { to, from, names } = await movePlaces(config, watched?.store)
  log?.warn(
    `files lie in ${names.from} and are found there: npm run files -- move moves them into ${names.to}`,
  )
  return { store: bothPlaces(to, from), isMoving, server }
}

/** The place in which files are written, and the one of before. */
export async function movePlaces({ s3, s3Before, dataDir }: PlacesConfig, opened?: FileStore) {
  const folder = join(dataDir, 'files')
  const bucket = s3 ?? s3Before ?? null
  const [inBucket, onDisk] = [opened ?? (await openPlace(bucket, folder)), await openDisk(folder)]
  const [named, nameOfDisk] = [`the bucket ${bucket?.bucket}`, folder]
  return s3
    ? { to: inBucket, from: onDisk, names: { to: named, from: nameOfDisk } }
    : { to: onDisk, from: inBucket, names: { to: nameOfDisk, from: named } }
}

/** The S3 client is large: whoever keeps files on disk does not wait for it at the start. */
const openPlace = async (s3: Config['s3'], folder: string): Promise<FileStore> =>
  s3 ? (await import('./s3.ts')).openS3(s3) : openDisk(folder)

/** A folder of a company is removed when its last file was moved. */
function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).some(name => /^\d+$/.test(name))
  } catch {
    return false
  }
}

/** Nothing is removed from it. */
const readOnly = (store: FileStore): FileStore => ({
  ...store,
  remove: async () => {},
  removeFolder: async () => {},
})

/** One store of two places: written to `to`, removed from both, each file counted once. */
function bothPlaces(to: FileStore, from: FileStore): FileStore {
  return {
    write: to.write,
    read: async (path, range) => (await to.read(path, range)) ?? from.read(path, range),
    async remove(path) {
      await to.remove(path)
      await from.remove(path)
    },
    sizeOf: async path => (await to.sizeOf(path)) ?? from.sizeOf(path),
    async removeFolder(path) {
      await to.removeFolder(path)
      await from.removeFolder(path)
    },
    async *listFolder(path) {
      const names = new Set<string>()
      for await (const found of to.listFolder(path)) {
        names.add(found.name)
        yield found
      }
      for await (const found of from.listFolder(path)) if (!names.has(found.name)) yield found
    },
    async *paths() {
      const paths = new Set<string>()
      for (const place of [to, from])
        for await (const path of place.paths()) {
          if (!paths.has(path)) yield path
          paths.add(path)
        }
    },
  }
}

/**
 * Moves every file, beside running products: it is written, read again, compared by its hash, and only then removed. Whoever
 * is killed goes on by being started again. `moved` is called after each. Throws where a copy is not what was read.
 */
export async function moveFiles(from: FileStore, to: FileStore, moved: () => void): Promise<void> {
  const underWay = new Set<Promise<void>>()
  try {
    for await (const path of from.paths()) {
      const one: Promise<void> = moveOne(from, to, path).then(() => {
        underWay.delete(one)
        moved()
      })
      underWay.add(one)
      // it is awaited below: one that fails before does not end the process
      one.catch(() => {})
      if (underWay.size === AT_ONCE) await Promise.race(underWay)
    }
    await Promise.all(underWay)
  } finally {
    await Promise.allSettled(underWay)
  }
}

const AT_ONCE = 4

async function moveOne(from: FileStore, to: FileStore, path: string) {
  const source = await from.read(path)
  if (!source) return
  const hash = createHash('sha256')
  await to.write(path, hashing(source.stream, hash), source.label).finally(() => source.stream.destroy())
  const copy = await to.read(path)
  const sum = createHash('sha256')
  if (copy) for await (const chunk of copy.stream) sum.update(chunk)
  if (sum.digest('hex') !== hash.digest('hex')) {
    await to.remove(path)
    throw new Error(`${path} was not the same after it was written: nothing of it was removed`)
  }
  // removed by the product meanwhile, which did not find the copy
  if ((await from.sizeOf(path)) === null) await to.remove(path)
  else await from.remove(path)
}

async function* hashing(stream: Readable, hash: ReturnType<typeof createHash>) {
  for await (const chunk of stream) {
    hash.update(chunk)
    yield chunk as Uint8Array
  }
}
