import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../config.ts'
import { type Account, accountFor, findPrograms, type Programs } from './programs.ts'
import { giveTo, privateFolder, reasonIn, run } from './run.ts'

/** PostgreSQL's superuser in a cluster of ours. */
export const USER = 'balcao'

/** A cluster of PostgreSQL in a folder: its data, the password beside it, and the programs that run it. */
export interface Cluster {
  /** `DATA_DIR/postgres`. */
  folder: string
  password: string
  programs: Programs
  account: Account | null
}

/** The cluster of DATA_DIR, made if there is none. Throws ConfigError where one is there that cannot be used. */
export async function openCluster(dataDir: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const known = findCluster(dataDir)
  if (known) return known
  await makeCluster(dataDir, settings)
  return findCluster(dataDir)!
}

/** The same, or null where there is none. */
export function findCluster(dataDir: string): Cluster | null {
  const folder = join(dataDir, 'postgres')
  refuseUnusable(dataDir, folder)
  if (!existsSync(folder)) return null
  const account = accountFor(folder)
  const programs = findPrograms(account, dataDir)
  const major = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (major !== programs.major)
    throw new ConfigError(
      `DATA_DIR ${dataDir} was made by PostgreSQL ${major}, and this version brings ${programs.major}: nothing was changed. Start the version that made it, or restore a backup into another folder`,
    )
  return { folder, password: readFileSync(passwordIn(dataDir), 'utf8'), programs, account }
}

const passwordIn = (dataDir: string) => join(dataDir, 'postgres.password')

function refuseUnusable(dataDir: string, folder: string) {
  if (existsSync(join(dataDir, 'db', 'PG_VERSION')) && !existsSync(folder))
    throw new ConfigError(
      `DATA_DIR ${dataDir} holds the database of an earlier version (in ${join(dataDir, 'db')}), which this one does not read: nothing was changed. Give another DATA_DIR`,
    )
  // the secret is made behind the cluster: one that is not there any more is not made anew
  const isGone = !existsSync(folder) && isReadable(passwordIn(dataDir)) && isReadable(join(dataDir, 'secret'))
  if (isGone)
    throw new ConfigError(
      `DATA_DIR ${dataDir} cannot be used: its database ${folder} is missing. Nothing was changed. Restore a backup, or give another DATA_DIR`,
    )
  if (!existsSync(folder)) return
  const missing = [join(folder, 'PG_VERSION'), passwordIn(dataDir)].find(path => !isReadable(path))
  if (missing)
    throw new ConfigError(
      `DATA_DIR ${dataDir} cannot be used: ${missing} is missing or belongs to another user. Nothing was changed`,
    )
}

function isReadable(path: string) {
  try {
    return readFileSync(path, 'utf8') !== ''
  } catch {
    return false
  }
}

/** Made aside and renamed: what a crash leaves behind does not count as a cluster. */
async function makeCluster(dataDir: string, settings: Record<string, string>) {
  const fresh = join(dataDir, 'postgres.new')
  const account = accountFor(fresh)
  const programs = findPrograms(account, dataDir)
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  const password = randomBytes(24).toString('base64url')
  const aside = privateFolder(account)
  const passwordFile = join(aside, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  giveTo(account, fresh, passwordFile)
  try {
    // names are sorted by a folded key (docs/decisions), so the cheapest collation serves; it needs no library of the system
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    const access = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--set=scram_iterations=1']
    const { end, said } = run(programs.initdb, fresh, account, [
      ...locale,
      ...access,
      `--username=${USER}`,
      '--data-checksums',
      '--no-instructions',
      ...(settings.fsync === 'off' ? ['--no-sync'] : []),
    ])
    if ((await end) !== 0)
      throw new ConfigError(`DATA_DIR ${dataDir}: no database could be made (${reasonIn(said())})`)
    writeFileSync(passwordIn(dataDir), password, { mode: 0o600 })
    renameSync(fresh, join(dataDir, 'postgres'))
  } finally {
    rmSync(aside, { recursive: true, force: true })
    rmSync(fresh, { recursive: true, force: true })
  }
}
