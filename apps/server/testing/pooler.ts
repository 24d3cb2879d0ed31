import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountFor } from '../src/platform/postgres/embedded/programs.ts'
import { giveTo } from '../src/platform/postgres/embedded/run.ts'
import { freePort } from '../src/platform/postgres/embedded/server.ts'

/** The version of the `pgbouncer` on the PATH (1.21 is the first that keeps prepared statements), or why there is none. */
export function installedPooler(): { version: number } | { missing: string } {
  try {
    const printed = execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' })
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(printed) ?? []
    return { version: Number(major) * 1_000 + Number(minor) }
  } catch {
    return { missing: 'pgbouncer is not on the PATH' }
  }
}

export const KEEPS_STATEMENTS = 1_021

export interface Pooler {
  /** `url` through the pooler. */
  over(url: string): string
  end(): Promise<void>
}

/**
 * A PgBouncer before the server of this address, in transaction mode; of each database it opens few connections, so that
 * sessions meet other ones all the time.
 */
export async function startPooler(server: string, settings: Record<string, string> = {}): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-pooler-'))
  const { hostname, port: target, username, password } = new URL(server)
  const port = await freePort()
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    pool_mode: 'transaction',
    default_pool_size: '6',
    max_client_conn: '2000',
    server_idle_timeout: '5',
    ...(isAtLeast(KEEPS_STATEMENTS) && { max_prepared_statements: '200' }),
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    ['[databases]', `* = host=${hostname} port=${target}`, '[pgbouncer]', ...lines, ''].join('\n'),
  )
  writeFileSync(all.auth_file, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  const account = accountFor(folder)
  giveTo(account, folder, config, all.auth_file)
  const child = spawn('pgbouncer', ['-q', config], {
    cwd: '/',
    stdio: 'ignore',
    ...(account && { uid: account.uid, gid: account.gid }),
  })
  const ended = new Promise<void>(done => child.once('close', () => done()))
  // also where the run is aborted
  const abandon = () => void child.kill('SIGKILL')
  process.once('exit', abandon)
  for (let tries = 0; !(await listens(Number(port))); tries++) {
    if (tries > 100) throw new Error('PgBouncer does not start')
    await sleep(50)
  }
  return {
    over(url) {
      const changed = new URL(url)
      changed.host = `127.0.0.1:${port}`
      return changed.href
    },
    async end() {
      process.off('exit', abandon)
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isAtLeast(version: number) {
  const found = installedPooler()
  return 'version' in found && found.version >= version
}

const listens = (port: number) =>
  new Promise<boolean>(done => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
