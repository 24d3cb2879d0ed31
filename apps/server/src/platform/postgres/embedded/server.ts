import { existsSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../../config.ts'
import { type Cluster, USER } from './cluster.ts'
import { isPrivateFolder, privateFolder, reasonIn, run } from './run.ts'

/** A postmaster that lives, as its `postmaster.pid` describes it. */
export interface Server {
  pid: number
  /** For `pg`: over the Unix socket in a private folder, or a port of the loopback interface. */
  url: string
  /** The folder of its socket; null on a port. */
  sockets: string | null
  isReady: boolean
}

/**
 * Small, since it runs beside the product on the same machine; everything that keeps what was committed stays as
 * PostgreSQL ships it (fsync, full_page_writes, synchronous_commit).
 */
const SETTINGS: Record<string, string> = {
  max_connections: '100',
  shared_buffers: '96MB',
  max_wal_size: '512MB',
  // reads by the backend itself: the three reading processes of version 18 gain nothing on a laptop
  io_method: 'sync',
  // containers have 64 MB of /dev/shm, which a parallel join may outgrow
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '2',
  // statements and their values hold what customers wrote: the log has neither
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** A longer log of the server is set aside at its next start, in place of the one before. */
const LOG_BYTES = 10 * 1024 * 1024

/**
 * Starts the postmaster and waits until it accepts connections, however long it recovers. It has a session of its own:
 * neither the end of this process nor Ctrl-C in its terminal ends it. In place of `before` it is reached at the same
 * address. Throws ConfigError with the server's own reason.
 */
export async function startServer(
  cluster: Cluster,
  { settings = {}, before }: { settings?: Record<string, string>; before?: Server } = {},
): Promise<Server> {
  for (const end = performance.now() + REMAINS_MS; ; await sleep(100))
    try {
      return await startOnce(cluster, settings, before)
    } catch (error) {
      if (!/shared memory block/.test(String(error)) || performance.now() > end) throw error
    }
}

/** Sessions of a postmaster that was killed end with what they are doing; until then its memory is in use. */
const REMAINS_MS = 30_000

async function startOnce(cluster: Cluster, settings: Record<string, string>, before: Server | undefined) {
  const { folder, programs, account } = cluster
  clearRemains(cluster)
  const log = join(dirname(folder), 'postgres.log')
  const length = existsSync(log) ? statSync(log).size : 0
  if (length > LOG_BYTES) renameSync(log, `${log}.old`)
  const where =
    process.platform === 'win32'
      ? { listen_addresses: '127.0.0.1', port: before ? new URL(before.url).port : await freePort() }
      : bySocket(privateFolder(account, before?.sockets ?? undefined))
  const args = Object.entries({ ...SETTINGS, ...where, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const { child, end } = run(programs.postgres, folder, account, args, log)
  child.unref()
  let ended = false
  void end.then(() => (ended = true))
  while (!ended) {
    const server = serverOf(cluster)
    if (server?.isReady && server.pid === child.pid) return server
    await sleep(10)
  }
  if ('unix_socket_directories' in where) removeSockets(where.unix_socket_directories)
  const printed = readFileSync(log, 'utf8').slice(length > LOG_BYTES ? 0 : length)
  throw new ConfigError(`DATA_DIR ${dirname(folder)}: the database does not start (${reasonIn(printed)})`)
}

const bySocket = (folder: string) => ({
  listen_addresses: '',
  port: '5432',
  unix_socket_directories: folder,
  unix_socket_permissions: '0700',
})

/** A port of the loopback interface that nothing listens on. */
export async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise(done => probe.once('listening', done))
  const { port } = probe.address() as { port: number }
  await new Promise(done => probe.close(done))
  return String(port)
}

/** The postmaster of this cluster, if one lives. */
export function serverOf({ folder, password }: Pick<Cluster, 'folder' | 'password'>): Server | null {
  // pid, folder, start, port, folder of the socket, address, shared memory, state (postgres: src/include/utils/pidfile.h)
  const [pid = '', , , port, sockets, , , state = ''] = pidFileOf(folder)
  if (!port || !isPostmasterOf(Number(pid), folder)) return null
  const host = sockets ? encodeURIComponent(sockets) : '127.0.0.1'
  return {
    pid: Number(pid),
    url: `postgres://${USER}:${password}@${host}:${port}/postgres`,
    sockets: sockets || null,
    isReady: state.trim() === 'ready',
  }
}

function pidFileOf(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

/**
 * Whether the process with this id is the postmaster of the folder. After a crash, and above all in a container, the
 * file may name a process that is another program now. A postmaster works in its data folder; where that may not be
 * looked at, its name decides.
 */
function isPostmasterOf(pid: number, folder: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  if (process.platform !== 'linux') return isAlive(pid)
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  }
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Removes what a killed postmaster left: the folder of its socket, and a `postmaster.pid` that names a process which
 * is another program now, since PostgreSQL would refuse to start beside it. One that names no process PostgreSQL looks
 * after itself, with the shared memory that it names.
 */
function clearRemains({ folder }: Cluster) {
  const [pid, , , , sockets] = pidFileOf(folder)
  if (sockets) removeSockets(sockets)
  if (pid && isAlive(Number(pid))) rmSync(join(folder, 'postmaster.pid'), { force: true })
}

/** How long sessions have to end before they are cut off, which the next start recovers from. */
const STOP_MS = 20_000

/** Ends a postmaster: what runs is rolled back, what was committed is written down. Returns when it is gone. */
export async function stopServer(cluster: Cluster, { pid, sockets }: Server): Promise<void> {
  const isGone = async () => {
    for (const end = performance.now() + STOP_MS; isPostmasterOf(pid, cluster.folder); await sleep(10))
      if (performance.now() > end) return false
    return true
  }
  for (const how of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    askToStop(cluster, pid, how)
    if (await isGone()) break
  }
  if (sockets) removeSockets(sockets)
}

function removeSockets(folder: string) {
  if (isPrivateFolder(folder)) rmSync(folder, { recursive: true, force: true })
}

const modes = { SIGINT: 'fast', SIGQUIT: 'immediate', SIGKILL: 'immediate' }

/** Asks for its end without waiting: SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one. */
export function askToStop({ programs, folder }: Cluster, pid: number, how: keyof typeof modes) {
  if (process.platform === 'win32')
    return void run(programs.pgCtl, folder, null, ['stop', '--no-wait', `--mode=${modes[how]}`])
  try {
    process.kill(pid, how)
  } catch {} // it is gone
}
