import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { databaseDate, databaseNow } from '../../clock.ts'
import { type Config, ConfigError } from '../../config.ts'
import { VERSION } from '../../observe/version.ts'
import { waitForLock } from '../../startup/data-dir-lock.ts'
import { backUp } from './backup.ts'

const OF_UPGRADES = /^before-.*\.zip$/
/** Held while one is made. */
const LOCK = 'lock.backup'

/**
 * Backs the embedded database up before it is brought up to date, into `DATA_DIR/backups`, without the files, which an
 * upgrade does not change; the newest UPGRADE_BACKUPS of them stay. Of several processes that start together the others
 * find what the first one made, and so does the start after an upgrade that was interrupted: a database that is half
 * upgraded is not backed up. Throws ConfigError where the backup cannot be written: the database is not changed then.
 */
export async function backUpBeforeUpgrade(
  { dataDir, upgradeBackups }: Pick<Config, 'dataDir' | 'upgradeBackups'>,
  { log, pending }: { log: Logger; pending: string[] },
): Promise<void> {
  const folder = join(dataDir, 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = await waitForLock(dataDir, LOCK)
  try {
    for (const name of readdirSync(folder))
      if (name.endsWith('.partial')) rmSync(join(folder, name), { force: true })
    const isMade = newestFirst(folder).some(({ time }) => time > databaseNow() - performance.now())
    if (upgradeBackups > 0 && !isMade && !isHalfDone(begunIn(folder), pending)) {
      const at = databaseDate().toISOString().slice(0, 19).replace(/[-:]/g, '')
      const file = join(folder, `before-${VERSION}-${at}Z.zip`)
      await backUp(dataDir, file, { files: false }).catch(explained)
      writeFileSync(join(folder, BEGUN), JSON.stringify({ file, pending } satisfies Begun))
      log.info(
        { file, bytes: statSync(file).size },
        'the database was backed up before it is brought up to date',
      )
    }
    for (const { path } of newestFirst(folder).slice(upgradeBackups)) rmSync(path, { force: true })
  } finally {
    lock.release()
  }
}

/** The newest backup, and what was pending when it was made. */
interface Begun {
  file: string
  pending: string[]
}

const BEGUN = 'newest.json'

/** Whether some of what was pending then is applied, and nothing else came: the upgrade began, and did not come to its end. */
export const isHalfDone = (begun: Begun | null, pending: string[]): boolean =>
  begun !== null &&
  pending.length < begun.pending.length &&
  pending.every(name => begun.pending.includes(name))

function begunIn(folder: string): Begun | null {
  try {
    const begun = JSON.parse(readFileSync(join(folder, BEGUN), 'utf8')) as Begun
    return existsSync(begun.file) ? begun : null
  } catch {
    return null
  }
}

function newestFirst(folder: string) {
  return readdirSync(folder)
    .filter(name => OF_UPGRADES.test(name))
    .map(name => ({ path: join(folder, name), time: statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.time - one.time)
}

function explained(error: Error): never {
  throw new ConfigError(
    `The database is not brought up to date, since it cannot be backed up before (${error.message}): nothing was changed. ` +
      'Make room, or back it up elsewhere and start with UPGRADE_BACKUPS=0',
  )
}
