import { createWriteStream, existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ConfigError } from '../config.ts'
import { inflated } from '../files/unzip.ts'
import { findCluster } from '../postgres/embedded/cluster.ts'
import { giveAway, NoRoom, type Restored, restore } from '../postgres/embedded/restore.ts'
import { startServer, stopServer } from '../postgres/embedded/server.ts'
import { type BaseIndex, basesAt, type FoundBase, filesListed, indexOf, KEPT } from './base.ts'
import {
  baseObject,
  fileObject,
  followed,
  type LogStretch,
  positionOfLsn,
  SEGMENT,
  stretchObject,
  stretchOf,
} from './names.ts'
import type { BackupTarget } from './target.ts'

/** A backup, and until when what came after it can be restored. */
export interface Restorable extends FoundBase {
  index: BaseIndex
  /** Equal to its end where no log follows it. */
  until: number
  stretches: LogStretch[]
}

/** All backups, the newest first. Throws ConfigError where there is none of this key. */
export async function restorable(target: BackupTarget): Promise<Restorable[]> {
  const bases = await basesAt(target)
  if (bases.length === 0) throw await nothing(target)
  const stretches: LogStretch[] = []
  for await (const { path } of target.under('log/')) {
    const stretch = stretchOf(path)
    if (stretch) stretches.push(stretch)
  }
  const found: Restorable[] = []
  for (const base of bases) {
    const index = await indexOf(target, base.id)
    const { log, endedAt } = index
    const { covers } = log
      ? followed(stretches, { stream: log.stream, from: positionOfLsn(log.stopLsn) })
      : { covers: null }
    found.push({ ...base, index, stretches, until: Math.max(covers ?? 0, Date.parse(endedAt)) })
  }
  return found
}

async function nothing(target: BackupTarget) {
  return new ConfigError(
    (await target.hasOtherKeys())
      ? `The backups in ${target.place} are sealed with another BACKUP_KEY than this`
      : `${target.place} holds no backup`,
  )
}

/** The newest backup that is not after a moment and reaches it. Throws ConfigError, which says what is nearest. */
export function reaching(found: Restorable[], at: number): Restorable {
  const before = found.filter(({ index }) => Date.parse(index.endedAt) <= at)
  const reached = before.find(({ until }) => until >= at)
  if (reached) return reached
  const nearest = before.length > 0 ? Math.max(...before.map(({ until }) => until)) : null
  throw new ConfigError(
    nearest
      ? `Nothing reaches ${new Date(at).toISOString()}; the nearest moment before is ${new Date(nearest).toISOString()} (npm run restore -- --list)`
      : `All backups are newer than ${new Date(at).toISOString()} (npm run restore -- --list)`,
  )
}

/**
 * Makes DATA_DIR what the installation was: as the backup has it, or with `at` as it was at that moment. DATA_DIR must hold nothing yet;
 * it is as before where this throws ConfigError.
 */
export async function restoreCluster(
  target: BackupTarget,
  { id, index, stretches }: Restorable,
  { dataDir, at, files }: { dataDir: string; at: number | null; files: boolean },
): Promise<Restored> {
  roomFor(index, { dataDir, files })
  const packed = join(dataDir, DOWNLOADED)
  try {
    await saveObject(target, baseObject(id, 'data'), packed)
    return await restore(packed, dataDir, {
      async complete(fresh) {
        rmSync(packed, { force: true })
        if (at !== null && index.log) await replay(target, fresh, { log: index.log, stretches, at })
        return files ? restoreFiles(target, { id, index }, join(fresh, 'files')) : 0
      },
    })
  } finally {
    rmSync(packed, { force: true })
  }
}

/** A backup on its way from the target, beside DATA_DIR's content. */
export const DOWNLOADED = 'downloaded.zip'

/** Writes an object into a file, to be read as a whole. */
export async function saveObject(target: BackupTarget, name: string, file: string): Promise<void> {
  const bytes = await target.read(name)
  if (!bytes) throw new ConfigError(`${name} is missing in ${target.place}`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  await pipeline(bytes, createWriteStream(file, { mode: 0o600 })).catch(error => {
    throw error instanceof ConfigError
      ? error
      : new ConfigError(`${name}: ${error.message}. Nothing was changed`)
  })
}

/** A disk that is full stops whatever else is on it: that is found out before anything is written. */
function roomFor({ bytes, fileBytes }: BaseIndex, { dataDir, files }: { dataDir: string; files: boolean }) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = statfsSync(dataDir)
  if (bytes + (files ? fileBytes : 0) > bavail * bsize)
    throw new NoRoom(`${dataDir} has no room for what the backup holds. Nothing was changed`)
}

/** The files that the backup lists, and those that came after it, so that rows of a later moment find theirs. */
export async function restoreFiles(
  target: BackupTarget,
  { id, index }: Pick<Restorable, 'id' | 'index'>,
  folder: string,
): Promise<number> {
  const wanted = new Set(await filesListed(target, id))
  for await (const { path, writtenAt } of target.under('files/'))
    if (writtenAt >= Date.parse(index.endedAt) - DAY) wanted.add(path.slice('files/'.length))
  let files = 0
  for (const path of wanted) {
    if (!KEPT.test(path)) continue
    const bytes = await target.read(fileObject(path))
    if (!bytes) continue // removed meanwhile, before the backup ended
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    await pipeline(bytes, createWriteStream(file, { mode: 0o600 }))
    files++
  }
  return files
}

const DAY = 24 * 3_600_000

/** Brings the cluster of a folder to a moment: the stretches of the log are put into it, and its server replays them once. */
async function replay(
  target: BackupTarget,
  fresh: string,
  { log, stretches, at }: { log: NonNullable<BaseIndex['log']>; stretches: LogStretch[]; at: number },
) {
  const { needed } = followed(stretches, { stream: log.stream, from: positionOfLsn(log.stopLsn) }, at)
  const folder = join(fresh, 'postgres', 'pg_wal')
  for (const stretch of needed) await place(target, folder, stretch)
  writeFileSync(join(fresh, 'postgres', 'recovery.signal'), '', { mode: 0o600 })
  giveAway(join(fresh, 'postgres'))
  await recover(fresh, at)
}

async function place(target: BackupTarget, folder: string, stretch: LogStretch) {
  const name = stretchObject(stretch)
  const bytes = await target.read(name)
  if (!bytes) throw new ConfigError(`${name} is missing in ${target.place}. Nothing was changed`)
  const content = await inflated(Readable.from(bytes), SEGMENT)
  const path = join(folder, stretch.segment)
  const file = await open(path, existsSync(path) ? 'r+' : 'w+', 0o600)
  try {
    await file.write(content, 0, content.length, stretch.start)
    // a segment has its size; behind what was written it is empty
    if ((await file.stat()).size < SEGMENT) await file.truncate(SEGMENT)
  } finally {
    await file.close()
  }
}

/** A transaction that was committed at the moment itself is in it. */
async function recover(fresh: string, at: number) {
  const settings = {
    hot_standby: 'off',
    // everything is in its folder already
    restore_command: 'exit 1',
    recovery_target_action: 'promote',
  }
  // abbreviations of zones, such as Z, are not known yet when the setting is read
  const until = { recovery_target_time: new Date(at).toISOString().replace('T', ' ').replace('Z', '+00') }
  const cluster = findCluster(fresh)!
  const server = await startServer(cluster, { settings: { ...settings, ...until } }).catch(error => {
    // nothing was committed between the moment and the end of what was sent: all of it is wanted
    if (!/before configured recovery target was reached/.test(String(error))) throw error
    return startServer(cluster, { settings })
  })
  await stopServer(cluster, server)
}
