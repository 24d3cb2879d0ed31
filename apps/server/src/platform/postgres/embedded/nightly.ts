import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { databaseNow } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { tryLock } from '../../startup/data-dir-lock.ts'
import { chore } from '../../work/jobs.ts'
import { NO_ROOM, VERIFYING } from './restore.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** In UTC: at night in Brazil. */
const AT = 5
/** One that was missed is made at any hour. */
const MISSED_MS = 26 * HOUR
/** One that was made by day does not replace that of the night after. */
const RECENT_MS = 12 * HOUR

/** A backup in BACKUP_DIR; it has this name since it was restored once. */
export interface KeptBackup {
  name: string
  madeAt: number
  bytes: number
}

/**
 * Backs the embedded database up into BACKUP_DIR each night. Every hour it looks whether one is due, so that a failure is
 * tried again and downtime is caught up.
 */
export const nightlyBackup = chore(
  'backup.nightly',
  '23 * * * *',
  (_scopes, config, { log }) => backUpWhenDue(config, log, databaseNow()),
  { minutes: 12 * 60 },
)

type Where = Pick<Config, 'dataDir' | 'backupDir' | 'backupKeepDays'>

/**
 * Makes a backup, restores it into a folder that is removed again, and only then gives it its name; older ones than
 * BACKUP_KEEP_DAYS are removed then. One that cannot be restored is kept as `.broken`, and this throws.
 */
export async function backUpWhenDue(config: Where, log: Logger, now: number): Promise<void> {
  const { dataDir, backupDir } = config
  if (!backupDir) return
  // held as long as it takes, by one process of those on the folder: a job that took too long is given to another
  const lock = tryLock(dataDir, 'lock.backup', 'exclusive')
  if (!lock) return
  try {
    await mkdir(backupDir, { recursive: true, mode: 0o700 })
    const kept = await keptBackups(backupDir)
    // what a wrong clock dated into the future is not the newest
    const newest = kept.find(({ madeAt }) => madeAt <= now)
    if (!isBackupDue(now, newest?.madeAt ?? null)) return
    await clearUnfinished(dataDir, backupDir)
    await makeOne(config, log, join(backupDir, nameAt(now)))
    await removeOld(config, now)
  } finally {
    lock.release()
  }
}

/** `newestAt` is when the newest one was made. */
export function isBackupDue(now: number, newestAt: number | null): boolean {
  if (newestAt === null) return true
  const age = now - newestAt
  return age >= MISSED_MS || (age >= RECENT_MS && new Date(now).getUTCHours() === AT)
}

/** The newest first. */
export async function keptBackups(folder: string): Promise<KeptBackup[]> {
  const found: KeptBackup[] = []
  for (const name of await readdir(folder)) {
    const [, day, hour, minute] = NAME.exec(name) ?? []
    if (!day) continue
    const { size } = await stat(join(folder, name))
    found.push({ name, madeAt: Date.parse(`${day}T${hour}:${minute}:00Z`), bytes: size })
  }
  return found.sort((a, b) => b.madeAt - a.madeAt)
}

const NAME = /^balcao-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)Z\.zip$/
const nameAt = (now: number) => `balcao-${new Date(now).toISOString().slice(0, 16).replace(':', '')}Z.zip`

/** What a process left that was killed on the way, and the broken one before: each try of a bad disk makes another. */
async function clearUnfinished(dataDir: string, backupDir: string) {
  for (const name of await readdir(backupDir)) if (UNFINISHED.test(name)) await rm(join(backupDir, name))
  for (const name of await readdir(dataDir))
    if (name.startsWith(VERIFYING)) await rm(join(dataDir, name), { recursive: true, force: true })
}

const UNFINISHED = /^balcao-[\dTZ-]+\.zip\.(new(\.partial)?|broken)$/

async function makeOne({ dataDir }: Where, log: Logger, file: string) {
  const fresh = `${file}.new`
  const began = performance.now()
  const made = await command(dataDir, 'backup', fresh)
  if (made.code !== 0) throw new Error(`the nightly backup failed: ${made.output}`)
  const verified = await command(dataDir, 'verify', fresh, dataDir)
  const hasRoom = verified.code !== NO_ROOM
  if (hasRoom && verified.code !== 0) {
    await rename(fresh, `${file}.broken`)
    throw new Error(`the nightly backup cannot be restored: ${verified.output}`)
  }
  const { size: bytes } = await stat(fresh)
  await rename(fresh, file)
  const facts = {
    file,
    bytes,
    seconds: Math.round((performance.now() - began) / 1_000),
    found: verified.output,
  }
  if (hasRoom) log.info(facts, 'a backup was made and restored once')
  else log.warn(facts, 'a backup was made and not tried: there is no room to restore it')
}

/** A process of its own, behind everything else: what it compresses takes nothing from those who are served. */
function command(dataDir: string, ...given: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
  return new Promise(done => {
    const end = () => child.kill()
    const child = execFile(process.execPath, [program, ...given], { env }, (error, out, errors) => {
      process.off('exit', end)
      done({ code: error ? Number(error.code ?? 1) : 0, output: (out + errors).trim() })
    })
    process.once('exit', end)
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  })
}

const program = fileURLToPath(new URL('../../../backup.ts', import.meta.url))

/** The newest one stays, however old it is. */
async function removeOld({ backupDir, backupKeepDays }: Where, now: number) {
  const [, ...older] = (await keptBackups(backupDir!)).filter(({ madeAt }) => madeAt <= now)
  for (const { name, madeAt } of older)
    if (madeAt < now - backupKeepDays * DAY) await rm(join(backupDir!, name))
}
