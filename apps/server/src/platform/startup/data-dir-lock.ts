import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../config.ts'

/** What SQLite answers when another has the file: https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

/**
 * A disk over the network may be away: it then answers nothing, and every call waits for ever. A busy one takes seconds for
 * a call. Counted anew from each step, and not before the program of the trial runs.
 */
const HANGS_MS = 30_000

/** Kept from the garbage collector, which would give the folder away. */
const held = new Set<DatabaseSync>()

/**
 * Makes the folder, closes it to every other user of the machine and writes in it; any number of processes on one database
 * server may share it. Throws ConfigError, also where it belongs to another user: who owns it could open it again.
 * Another process tries it first: a thread that waits for a dead disk would keep this one from ending.
 */
export async function openDataDir(dataDir: string): Promise<void> {
  const trial = execFile(process.execPath, [trialFile, dataDir, modeOfFolder().toString(8)])
  trial.unref()
  let output = ''
  trial.stderr!.on('data', text => (output += text))
  let timer: NodeJS.Timeout | undefined
  const why = await new Promise<string>(done => {
    trial.stdout!.on('data', () => {
      clearTimeout(timer)
      timer = setTimeout(() => done(`it does not answer within ${HANGS_MS / 1_000} s`), HANGS_MS)
    })
    trial.once('error', error => done(error.message))
    trial.once('close', () => done(output.trim()))
  })
  clearTimeout(timer)
  trial.kill('SIGKILL')
  if (why) throw new ConfigError(`DATA_DIR ${dataDir} cannot be used (${why})`)
}

/**
 * Files are made for this user alone from now on, and the folder is closed, whatever the umask was. Where root starts
 * PostgreSQL as another user outside of Linux, that one passes through (on Linux it gets its own folder open, run.ts).
 */
function modeOfFolder() {
  const passes = process.getuid?.() === 0 && process.platform !== 'linux'
  return passes ? 0o711 : 0o700
}

const trialFile = fileURLToPath(new URL('./data-dir-trial.ts', import.meta.url))

/**
 * A lock on DATA_DIR. It is the operating system's, held through SQLite, the only interface to file
 * locks: a killed process leaves none behind, and no process id can be mistaken for another's.
 */
export interface FolderLock {
  release(): void
}

/** Whether one process has the folder, or several that know of each other. */
export type Sharing = 'exclusive' | 'shared'

/** Acquires `DATA_DIR/NAME`; null when another process holds it in a conflicting mode. */
export function tryLock(dataDir: string, name: string, sharing: Sharing): FolderLock | null {
  try {
    const lock = acquire(join(dataDir, name), sharing)
    return {
      release() {
        held.delete(lock)
        lock.close()
      },
    }
  } catch (error) {
    const { errcode, message } = error as { errcode?: number; message: string }
    if (errcode === SQLITE_BUSY) return null
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be used (${message})`)
  }
}

function acquire(path: string, sharing: Sharing) {
  const lock = new DatabaseSync(path)
  try {
    // a file for what might be rolled back would have no room on a full disk
    lock.exec('pragma journal_mode = memory')
    // a read keeps SQLite's shared lock until its transaction ends
    lock.exec(sharing === 'shared' ? 'begin; select * from sqlite_master' : 'begin exclusive')
    held.add(lock)
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Waits for `DATA_DIR/NAME`, which others hold for seconds; throws ConfigError when it stays locked. */
export async function waitForLock(dataDir: string, name: string): Promise<FolderLock> {
  for (const end = performance.now() + LOCK_MS; performance.now() < end; await sleep(20)) {
    const lock = tryLock(dataDir, name, 'exclusive')
    if (lock) return lock
  }
  throw new ConfigError(
    `DATA_DIR ${dataDir} cannot be used (another process has been starting or stopping on it for a minute)`,
  )
}

const LOCK_MS = 60_000
