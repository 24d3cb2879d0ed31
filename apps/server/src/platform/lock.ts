import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from './config.ts'

/** What SQLite answers when another has the file: https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

/** A disk over the network may be away: it then answers nothing, and every call waits for ever. */
const HANGS_MS = 10_000

/** Kept from the garbage collector, which would give the folder away. */
const held = new Set<DatabaseSync>()

/**
 * Makes the folder and writes in it; any number of processes on one database server may share it. Throws ConfigError.
 * Another process tries it first: a thread that waits for a dead disk would keep this one from ending.
 */
export async function openDataDir(dataDir: string): Promise<void> {
  const trial = execFile(process.execPath, ['--eval', tryOut, dataDir])
  trial.unref()
  let said = ''
  trial.stderr!.on('data', text => (said += text))
  let timer: NodeJS.Timeout | undefined
  const why = await new Promise<string>(done => {
    trial.once('error', error => done(error.message))
    trial.once('close', () => done(said.trim()))
    timer = setTimeout(() => done(`it does not answer within ${HANGS_MS / 1_000} s`), HANGS_MS)
  })
  clearTimeout(timer)
  trial.kill('SIGKILL')
  if (why) throw new ConfigError(`DATA_DIR ${dataDir} cannot be used (${why})`)
}

const tryOut = `
  const { mkdirSync, rmSync, writeFileSync } = require('node:fs')
  const [, dataDir] = process.argv
  try {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(dataDir + '/trial', '')
    rmSync(dataDir + '/trial', { force: true })
  } catch ({ message }) {
    process.stderr.write(message)
  }`

/**
 * Takes DATA_DIR for this process. The lock is the operating system's, held through SQLite, the one thing inside Node
 * that takes file locks: a killed process leaves none behind, and no process id can be mistaken for another's. Throws
 * ConfigError naming the folder and the process that has it.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): void }> {
  const pidFile = join(dataDir, 'lock.pid')
  await openDataDir(dataDir)
  try {
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
