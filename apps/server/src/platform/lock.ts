import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from './config.ts'

/**
 * Takes DATA_DIR for this process. The lock is the operating system's (SQLite's exclusive file lock), so that a
 * killed process leaves none behind. Throws ConfigError naming the folder and the process that has it.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): void }> {
  const owner = join(dataDir, 'lock.pid')
  const file = await openFile(dataDir).catch((error: Error) => {
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be used (${error.message})`)
  })
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch {
    file.close()
    const pid = await readFile(owner, 'utf8').catch(() => 'unknown')
    throw new ConfigError(
      `DATA_DIR ${dataDir} is in use by process ${pid}: stop it, or give this one a folder of its own`,
    )
  }
  await writeFile(owner, String(process.pid))
  return { release: () => file.close() }
}

async function openFile(dataDir: string) {
  await mkdir(dataDir, { recursive: true })
  return new DatabaseSync(join(dataDir, 'lock'))
}
