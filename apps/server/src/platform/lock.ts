import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from './config.ts'

/** What SQLite answers when another has the file: https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

/** Kept from the garbage collector, which would give the folder away. */
const held = new Set<DatabaseSync>()

/**
 * Takes DATA_DIR for this process. The lock is the operating system's, held through SQLite, the one thing inside Node
 * that takes file locks: a killed process leaves none behind, and no process id can be mistaken for another's. Throws
 * ConfigError naming the folder and the process that has it.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): void }> {
  const pidFile = join(dataDir, 'lock.pid')
  try {
    await mkdir(dataDir, { recursive: true })
    const lock = take(join(dataDir, 'lock'))
    await writeFile(pidFile, String(process.pid))
    held.add(lock)
    return {
      release() {
        held.delete(lock)
        lock.close()
      },
    }
  } catch (error) {
    const { errcode, message } = error as { errcode?: number; message: string }
    if (errcode !== SQLITE_BUSY) throw new ConfigError(`DATA_DIR ${dataDir} cannot be used (${message})`)
    const owner = await readFile(pidFile, 'utf8').catch(() => '')
    throw new ConfigError(
      `DATA_DIR ${dataDir} is in use by process ${owner || 'unknown'}: stop it, or give this one a folder of its own`,
    )
  }
}

function take(path: string) {
  const lock = new DatabaseSync(path)
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}
